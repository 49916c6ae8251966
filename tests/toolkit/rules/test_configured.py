"""Values of the configuration that cannot be used."""

from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Place
from axhub.toolkit.rules import configured
from support.telling import Told, expect, said
from support.toolkit_facts import declared, definition, facts, located, settings
from support.written_service import CONFIG, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in configured.RULES}
DOMAIN = "domain: ${CLAIM_DOMAIN}"
KEY = "glow.communication.http.api-list[0].domain"
BUNDLE = "mcp: {bundleId: my-tools}"


def tools(text: str) -> dict[str, str]:
    """Return the configuration with something about tools."""
    return changed(CONFIG, BUNDLE, f"{BUNDLE}\n{text}")


@pytest.mark.req("rule/TK613")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a key that is missing",
            changed(CONFIG, "url: /claims", "biz-pod: false"),
            (
                Told(
                    "config/service.yaml:6:11 error",
                    "The key glow.communication.http.api-list[0].url is missing. Write `url: /claims/search` "
                    "here; allowed is a path that begins with /, such as /claims/search (required).",
                    "설정 glow.communication.http.api-list[0].url 값이 없습니다. 여기에 `url: /claims/search`처럼 "
                    "쓰십시오. 허용: /로 시작하는 경로(예: /claims/search).",
                ),
            ),
        ),
        Written(
            "a misspelt key",
            changed(CONFIG, "url: /claims", "ulr: /claims"),
            (
                Told(
                    "config/service.yaml:8:11 error",
                    'There is no key glow.communication.http.api-list[0].ulr. Write "url", if that is meant.',
                    '설정에 glow.communication.http.api-list[0].ulr 키는 없습니다. "url" 키를 뜻했다면 그렇게 '
                    "쓰십시오.",
                ),
            ),
        ),
        Written(
            "a strange key",
            changed(CONFIG, "url: /claims", "url: /claims\n          colour: red"),
            (
                Told(
                    "config/service.yaml:9:11 error",
                    "There is no key glow.communication.http.api-list[0].colour. Remove it; allowed is one of "
                    "name, domain, url, method, content-type, biz-pod, connectTimeoutMillis, readTimeoutMillis, "
                    "totalTimeoutMillis, maxRetries, maxConnections, newRequestId, headers.",
                    "설정에 glow.communication.http.api-list[0].colour 키는 없습니다. 지우십시오. 허용: name, "
                    "domain, url, method, content-type, biz-pod, connectTimeoutMillis, readTimeoutMillis, "
                    "totalTimeoutMillis, maxRetries, maxConnections, newRequestId, headers 가운데 하나.",
                ),
            ),
        ),
        Written(
            "a value that is none",
            changed(CONFIG, "url: /claims", "url: claims"),
            (
                Told(
                    "config/service.yaml:8:16 error",
                    'The value of glow.communication.http.api-list[0].url cannot be used; here stands "claims". '
                    "Write a path that begins with /, such as /claims/search.",
                    '설정 glow.communication.http.api-list[0].url 값을 쓸 수 없습니다. 지금 값: "claims". '
                    "허용되는 값으로 고치십시오: /로 시작하는 경로(예: /claims/search).",
                ),
            ),
        ),
        Written(
            "a number that is none",
            changed(CONFIG, "url: /claims", "url: /claims\n          totalTimeoutMillis: soon"),
            (
                Told(
                    "config/service.yaml:9:31 error",
                    "The value of glow.communication.http.api-list[0].totalTimeoutMillis cannot be used; here "
                    'stands "soon". Write a whole number from 1 to 3600000.',
                    "설정 glow.communication.http.api-list[0].totalTimeoutMillis 값을 쓸 수 없습니다. 지금 값: "
                    '"soon". 허용되는 값으로 고치십시오: 1 이상의 정수(밀리초).',
                ),
            ),
        ),
        Written(
            "a variable without its end",
            changed(CONFIG, DOMAIN, "domain: ${CLAIM_DOMAIN"),
            (
                Told(
                    "config/service.yaml:7:19 error",
                    "The value of glow.communication.http.api-list[0].domain has a `${` without its `}`. Close "
                    "it: `${NAME}`, or `${NAME:default}` for a variable that may be unset.",
                    "설정 glow.communication.http.api-list[0].domain 값에 닫는 `}`가 없는 `${`가 있습니다. "
                    "닫으십시오: `${NAME}`, 또는 설정되지 않을 수 있는 변수는 `${NAME:기본값}`.",
                ),
            ),
        ),
        Written(
            "a secret",
            changed(CONFIG, "url: /claims", "url: /claims\n          headers: {Authorization: hunter2}"),
            (
                Told(
                    "config/service.yaml:9:36 error",
                    "The header glow.communication.http.api-list[0].headers.Authorization has a value that does "
                    "not come from one variable of the environment. Write `Authorization: ${NAME}`, without a "
                    "default, and set that variable; a credential that stood in this file has to be replaced.",
                    "헤더 glow.communication.http.api-list[0].headers.Authorization 값이 환경 변수 하나에서 오지 "
                    "않습니다. `Authorization: ${NAME}` 값을 기본값 없이 쓰고 그 환경 변수를 설정하십시오. 이 "
                    "파일에 있던 인증 값은 새 값으로 바꾸십시오.",
                ),
            ),
        ),
        Written(
            "retries of a method that changes something",
            changed(CONFIG, "url: /claims", "url: /claims\n          maxRetries: 2"),
            (
                Told(
                    "config/service.yaml:9:23 error",
                    "The value of glow.communication.http.api-list[0].maxRetries cannot be used; here stands 2 "
                    "with the method POST. Write 0: it is not sent twice.",
                    "설정 glow.communication.http.api-list[0].maxRetries 값을 쓸 수 없습니다. 지금 값: 2 (메서드 "
                    "POST). 허용되는 값으로 고치십시오: 0 (데이터를 바꾸는 호출은 두 번 보내지 않음).",
                ),
            ),
        ),
        Written(
            "a method in small letters",
            changed(CONFIG, "method: POST", "method: post"),
            (
                Told(
                    "config/service.yaml:9:19 error",
                    'The value of glow.communication.http.api-list[0].method cannot be used; here stands "post". Write '
                    "POST.",
                    '설정 glow.communication.http.api-list[0].method 값을 쓸 수 없습니다. 지금 값: "post". POST 값을 '
                    "쓰십시오.",
                ),
            ),
        ),
        Written(
            "an entry without a domain",
            changed(CONFIG, DOMAIN, "biz-pod: false"),
            (
                Told(
                    "config/service.yaml:6:11 error",
                    "The key glow.communication.http.api-list[0].domain is missing. Write `domain: "
                    "${AXHUB_CLAIM_HTTP_DOMAIN}` here; allowed is scheme, host and port, such as "
                    "https://claims.example.com:8443 (required).",
                    "설정 glow.communication.http.api-list[0].domain 값이 없습니다. 여기에 `domain: "
                    "${AXHUB_CLAIM_HTTP_DOMAIN}`처럼 쓰십시오. 허용: 스킴, 호스트, 포트(예: "
                    "https://claims.example.com:8443).",
                ),
            ),
        ),
        Written(
            "no YAML",
            {CONFIG: "mcp: [\n"},
            (
                Told(
                    "config/service.yaml:2:1 error",
                    "The configuration cannot be read (text that is not YAML: expected the node content, but "
                    "found '<stream end>'). Put valid YAML there.",
                    "설정을 읽을 수 없습니다(YAML이 아닌 내용(값이 없거나 괄호가 닫히지 않음)). 허용되는 내용으로 "
                    "고치십시오: 올바른 YAML.",
                ),
            ),
        ),
        Written(
            "no file",
            {CONFIG: None},
            (
                Told(
                    "config/service.yaml error",
                    "The configuration cannot be read (no configuration: there is no such file). Put a readable "
                    "YAML file there.",
                    "설정을 읽을 수 없습니다(파일 없음). 허용되는 내용으로 고치십시오: 읽을 수 있는 YAML 파일.",
                ),
            ),
        ),
        Written(
            "a header that is set for each call",
            changed(CONFIG, "url: /claims", "url: /claims\n          headers:\n            trace-id: ${X}"),
            (
                Told(
                    "config/service.yaml:10:13 error",
                    "The value of glow.communication.http.api-list[0].headers.trace-id cannot be used; here "
                    "stands trace-id, which is set for each call. Write the name of another header.",
                    "설정 glow.communication.http.api-list[0].headers.trace-id 값을 쓸 수 없습니다. 지금 값: "
                    "호출마다 설정되는 헤더 trace-id. 허용되는 값으로 고치십시오: 다른 헤더 이름.",
                ),
            ),
        ),
        Written(
            "a misspelt tool",
            tools("disabledTools: [cmm_claim_serach]"),
            (
                Told(
                    "config/service.yaml:2:17 error",
                    'The configuration names the tool "cmm_claim_serach", which this service does not have. Write '
                    '"cmm_claim_search", if that is meant.',
                    '설정에 적은 도구 "cmm_claim_serach" 항목이 이 서비스에 없습니다. "cmm_claim_search" 도구를 '
                    "뜻했다면 그렇게 쓰십시오.",
                ),
            ),
        ),
        Written(
            "a tool that is none",
            tools("tools: {ins_bank: {timeoutMillis: 5000}}"),
            (
                Told(
                    "config/service.yaml:2:9 error",
                    'The configuration names the tool "ins_bank", which this service does not have. Remove it, or '
                    "name one of: cmm_claim_search.",
                    '설정에 적은 도구 "ins_bank" 항목이 이 서비스에 없습니다. 지우거나 있는 도구를 쓰십시오: '
                    "cmm_claim_search.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_fault_of_the_configuration_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK613"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK613")
@pytest.mark.parametrize("written", ["$CLAIM_DOMAIN", "'%CLAIM_DOMAIN%'", "'{CLAIM_DOMAIN}'", "'{{CLAIM_DOMAIN}}'"])
@pytest.mark.parametrize("form", ["{}", "http://{}:80/x"])
def test_a_variable_of_another_kind_is_told_how_it_is_written(written: str, form: str, tmp_path: Path) -> None:
    value = form.format(written.strip("'"))
    assert told_of(RULES["TK613"], tmp_path, changed(CONFIG, DOMAIN, f"domain: '{value}'")) == (
        Told(
            "config/service.yaml:7:19 error",
            f'The value of {KEY} cannot be used: in "{value}" nothing is replaced by a variable of the environment. '
            "Write the variable as `${CLAIM_DOMAIN}`, or as `${CLAIM_DOMAIN:default}` if it may be unset.",
            f'설정 {KEY} 값을 쓸 수 없습니다. "{value}" 값은 환경 변수로 치환되지 않습니다. 환경 변수를 '
            "`${CLAIM_DOMAIN}`, 설정되지 않을 수 있으면 `${CLAIM_DOMAIN:기본값}`처럼 쓰십시오.",
        ),
    )


@pytest.mark.req("rule/TK613")
def test_a_variable_of_a_batch_file_without_quotes_is_told_too(tmp_path: Path) -> None:
    assert told_of(RULES["TK613"], tmp_path, changed(CONFIG, DOMAIN, "domain: %CLAIM_DOMAIN%")) == (
        Told(
            "config/service.yaml:7:19 error",
            "The configuration cannot be read (text that is not YAML: found character '%' that cannot start any "
            "token). Write a variable of the environment as `${NAME}`, or as `${NAME:default}` if it may be unset; put "
            "any other value with % in front in quotes.",
            "설정을 읽을 수 없습니다(YAML이 아닌 내용(% 문자로 시작하는 값은 따옴표로 묶어야 함)). 환경 변수는 "
            "`${NAME}`, 설정되지 않을 수 있으면 `${NAME:기본값}`처럼 쓰고, %로 시작하는 다른 값은 따옴표로 묶으십시오.",
        ),
    )


@pytest.mark.req("rule/TK613")
def test_a_variable_in_braces_alone_is_a_section_of_yaml(tmp_path: Path) -> None:
    assert told_of(RULES["TK613"], tmp_path, changed(CONFIG, DOMAIN, "domain: {CLAIM_DOMAIN}")) == (
        Told(
            "config/service.yaml:7:11 error",
            f"The value of {KEY} cannot be used; here stands a section. Write scheme, host and port, such as "
            "https://claims.example.com:8443; a variable of the environment is written as `${NAME}`.",
            f"설정 {KEY} 값을 쓸 수 없습니다. 지금 값: 키 묶음. 허용되는 값으로 고치십시오: 스킴, 호스트, 포트(예: "
            "https://claims.example.com:8443). 환경 변수는 `${NAME}`처럼 씁니다.",
        ),
    )


@pytest.mark.req("rule/TK613")
def test_a_number_as_a_variable_of_a_shell_is_told_too(tmp_path: Path) -> None:
    key = "glow.communication.http.api-list[0].totalTimeoutMillis"
    case = changed(CONFIG, "url: /claims", "url: /claims\n          totalTimeoutMillis: $MILLIS")
    (told,) = told_of(RULES["TK613"], tmp_path, case)
    assert told.en == (
        f'The value of {key} cannot be used: in "$MILLIS" nothing is replaced by a variable of the environment. '
        "Write the variable as `${MILLIS}`, or as `${MILLIS:default}` if it may be unset."
    )


@pytest.mark.req("rule/TK613")
@pytest.mark.parametrize(
    ("value", "english", "korean"),
    [
        ("claims", "it is not an origin such as http://host:8080", "http://host:8080 같은 주소가 아님"),
        (
            "http://a/b",
            "it is not an origin: nothing may stand after host and port",
            "호스트와 포트 뒤에는 아무것도 쓸 수 없음",
        ),
        ("http://a b", "it contains a blank", "공백이 있음"),
        ("ftp://a", "its scheme 'ftp' is not http or https", "스킴 'ftp'은(는) http나 https가 아님"),
        ("http://a:0", "its port is not a number from 1 to 65535", "포트가 1에서 65535까지의 숫자가 아님"),
    ],
)
def test_why_an_address_is_refused_is_told_in_both_languages(
    value: str, english: str, korean: str, tmp_path: Path
) -> None:
    assert told_of(RULES["TK613"], tmp_path, changed(CONFIG, DOMAIN, f"domain: '{value}'")) == (
        Told(
            "config/service.yaml:7:19 error",
            f'The value of {KEY} cannot be used; here stands "{value}": {english}. Write scheme, host and port, such '
            "as https://claims.example.com:8443.",
            f'설정 {KEY} 값을 쓸 수 없습니다. 지금 값: "{value}"({korean}). 허용되는 값으로 고치십시오: 스킴, 호스트, '
            "포트(예: https://claims.example.com:8443).",
        ),
    )


@pytest.mark.req("rule/TK613")
def test_the_address_in_the_message_is_accepted(tmp_path: Path) -> None:
    case = changed(CONFIG, DOMAIN, "domain: http://host:8080")
    assert told_of(RULES["TK613"], tmp_path, case) == ()


@pytest.mark.req("rule/TK613")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written("a bundle without a name, which TK801 speaks of", {CONFIG: "mcp: {}\n"}),
        Written(
            "variables that are not set",
            changed(CONFIG, "url: /claims", "url: ${CLAIM_URL}\n          totalTimeoutMillis: ${CLAIM_MILLIS}"),
        ),
        Written(
            "this machine as default, which the start speaks of",
            changed(CONFIG, DOMAIN, "domain: ${CLAIM_DOMAIN:http://localhost:${server.port}}"),
        ),
        Written(
            "tools that are there",
            tools("disabledTools: [cmm_claim_search]\ntools: {cmm_claim_search: {timeoutMillis: 9000}}"),
        ),
        Written(
            "tools whose names are computed",
            tools("disabledTools: [x]") | changed(USECASE, 'name="cmm_claim_search"', "name=NAME"),
        ),
        Written("tools of a service with a file that cannot be read", tools("disabledTools: [x]") | {"x.py": "def ("}),
    ],
    ids=str,
)
def test_tk613_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK613"], tmp_path, case.files) == ()


@pytest.mark.req("rule/TK613")
def test_a_secret_is_to_come_from_the_variable_that_a_definition_names() -> None:
    key = "glow.communication.http.api-list[0].headers.Authorization"
    fault = (Place("config/service.yaml", 9, 36), f"{key}: a value", "${NAME} alone, without a default")
    found = facts(definition(required_env_keys=["CLAIM_TOKEN"]), settings=settings(faults=(fault,)))
    expect(
        RULES["TK613"],
        found,
        f"config/service.yaml:9:36: error: The header {key} has a value that does not come from one variable of the "
        "environment. Write `Authorization: ${CLAIM_TOKEN}`, without a default, and set that variable; a credential "
        "that stood in this file has to be replaced.",
        f"config/service.yaml:9:36: error: 헤더 {key} 값이 환경 변수 하나에서 오지 않습니다. `Authorization: "
        "${CLAIM_TOKEN}` 값을 기본값 없이 쓰고 그 환경 변수를 설정하십시오. 이 파일에 있던 인증 값은 새 값으로 "
        "바꾸십시오.",
    )


@pytest.mark.req("rule/TK613")
def test_names_of_tools_are_not_compared_while_two_tools_have_one() -> None:
    found = facts(
        declared(), declared(line=40), settings=settings(disabled=(located("cmm_other", "config/service.yaml"),))
    )
    assert said(RULES["TK613"], found) == []
