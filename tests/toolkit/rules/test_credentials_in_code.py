"""Credentials and timeouts in code."""

from pathlib import Path

import pytest

from axhub.toolkit.rules import constants
from support.telling import Told
from support.written_service import BODIES, CLIENT, CONVERTER, DTO, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in constants.RULES}


def client(line: str) -> dict[str, str]:
    """Return the client with one more line at its top."""
    return changed(CLIENT, "class ClaimClient", f"{line}\nclass ClaimClient")


def usecase(line: str) -> dict[str, str]:
    """Return the use case with one more line at its top."""
    return changed(USECASE, "class ClaimUseCase", f"{line}\nclass ClaimUseCase")


@pytest.mark.req("rule/TK616")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a key",
            client("API_KEY = 'k-51fa09'"),
            (
                Told(
                    "infra/http/claim/client.py:3:11 error",
                    "A credential stands in the code (API_KEY). Take it out of the code, and give it a new value, "
                    "since it is known now. Write `headers: {Authorization: ${CLAIM_API_KEY}}`, with the name of "
                    "the header, into the entry of the API in src/my_tools/config/service.yaml, and set the "
                    "variable CLAIM_API_KEY.",
                    "코드에 인증 값이 있습니다(API_KEY). 코드에서 지우고, 이미 알려진 값이므로 새 값으로 "
                    "바꾸십시오. src/my_tools/config/service.yaml 파일의 API 항목에 헤더 이름과 함께 `headers: "
                    "{Authorization: ${CLAIM_API_KEY}}` 값을 쓰고 환경 변수 CLAIM_API_KEY 값을 설정하십시오.",
                ),
            ),
        ),
        Written(
            "a password that says so",
            client("PASSWORD = 'my-password'\nTOKEN = 'token1234'"),
            (
                Told(
                    "infra/http/claim/client.py:3:12 error",
                    "A credential stands in the code (PASSWORD). Take it out of the code, and give it a new "
                    "value, since it is known now. Write `headers: {Authorization: ${CLAIM_PASSWORD}}`, with the "
                    "name of the header, into the entry of the API in src/my_tools/config/service.yaml, and set "
                    "the variable CLAIM_PASSWORD.",
                    "코드에 인증 값이 있습니다(PASSWORD). 코드에서 지우고, 이미 알려진 값이므로 새 값으로 "
                    "바꾸십시오. src/my_tools/config/service.yaml 파일의 API 항목에 헤더 이름과 함께 `headers: "
                    "{Authorization: ${CLAIM_PASSWORD}}` 값을 쓰고 환경 변수 CLAIM_PASSWORD 값을 설정하십시오.",
                ),
                Told(
                    "infra/http/claim/client.py:4:9 error",
                    "A credential stands in the code (TOKEN). Take it out of the code, and give it a new value, "
                    "since it is known now. Write `headers: {Authorization: ${CLAIM_TOKEN}}`, with the name of "
                    "the header, into the entry of the API in src/my_tools/config/service.yaml, and set the "
                    "variable CLAIM_TOKEN.",
                    "코드에 인증 값이 있습니다(TOKEN). 코드에서 지우고, 이미 알려진 값이므로 새 값으로 "
                    "바꾸십시오. src/my_tools/config/service.yaml 파일의 API 항목에 헤더 이름과 함께 `headers: "
                    "{Authorization: ${CLAIM_TOKEN}}` 값을 쓰고 환경 변수 CLAIM_TOKEN 값을 설정하십시오.",
                ),
            ),
        ),
        Written(
            "a password in a call",
            client("LOGIN = login(user='u', password='hunter2')"),
            (
                Told(
                    "infra/http/claim/client.py:3:34 error",
                    "A credential stands in the code (password). Take it out of the code, and give it a new "
                    "value, since it is known now. Write `headers: {Authorization: ${CLAIM_PASSWORD}}`, with the "
                    "name of the header, into the entry of the API in src/my_tools/config/service.yaml, and set "
                    "the variable CLAIM_PASSWORD.",
                    "코드에 인증 값이 있습니다(password). 코드에서 지우고, 이미 알려진 값이므로 새 값으로 "
                    "바꾸십시오. src/my_tools/config/service.yaml 파일의 API 항목에 헤더 이름과 함께 `headers: "
                    "{Authorization: ${CLAIM_PASSWORD}}` 값을 쓰고 환경 변수 CLAIM_PASSWORD 값을 설정하십시오.",
                ),
            ),
        ),
        Written(
            "a header",
            client("HEADERS = {'Authorization': f'Bearer abc.def-123'}"),
            (
                Told(
                    "infra/http/claim/client.py:3:29 error",
                    "A credential stands in the code (Authorization). Take it out of the code, and give it a new "
                    "value, since it is known now. Write `headers: {Authorization: ${CLAIM_AUTHORIZATION}}`, with "
                    "the name of the header, into the entry of the API in src/my_tools/config/service.yaml, and "
                    "set the variable CLAIM_AUTHORIZATION.",
                    "코드에 인증 값이 있습니다(Authorization). 코드에서 지우고, 이미 알려진 값이므로 새 값으로 "
                    "바꾸십시오. src/my_tools/config/service.yaml 파일의 API 항목에 헤더 이름과 함께 `headers: "
                    "{Authorization: ${CLAIM_AUTHORIZATION}}` 값을 쓰고 환경 변수 CLAIM_AUTHORIZATION 값을 "
                    "설정하십시오.",
                ),
            ),
        ),
        Written(
            "a token by its form",
            usecase("x('Bearer eyJhbGciOi')"),
            (
                Told(
                    "biz/cmm/usecase.py:5:3 error",
                    "A credential stands in the code (Authorization). Take it out of the code, and give it a new "
                    "value, since it is known now. Write `headers: {Authorization: ${AUTHORIZATION}}`, with the "
                    "name of the header, into the entry of the API in src/my_tools/config/service.yaml, and set "
                    "the variable AUTHORIZATION.",
                    "코드에 인증 값이 있습니다(Authorization). 코드에서 지우고, 이미 알려진 값이므로 새 값으로 "
                    "바꾸십시오. src/my_tools/config/service.yaml 파일의 API 항목에 헤더 이름과 함께 `headers: "
                    "{Authorization: ${AUTHORIZATION}}` 값을 쓰고 환경 변수 AUTHORIZATION 값을 설정하십시오.",
                ),
            ),
        ),
        Written(
            "a private key by its form",
            usecase("PEM = '-----BEGIN RSA PRIVATE KEY-----MII'"),
            (
                Told(
                    "biz/cmm/usecase.py:5:7 error",
                    "A private key stands in the code. Take it out of the code, and replace it, since it is known "
                    "now. Keep the new one where the organisation keeps its keys, and let the service provide "
                    "what signs with it: `ToolService(…, provide=…)`.",
                    "코드에 개인 키가 있습니다. 코드에서 지우고, 이미 알려진 키이므로 새 키로 바꾸십시오. 새 키는 "
                    "조직의 키 저장소에 두고, 그 키로 서명하는 객체를 `ToolService(…, provide=…)`로 제공하십시오.",
                ),
            ),
        ),
        Written(
            "a timeout",
            client("READ_TIMEOUT_MILLIS = 3_000"),
            (
                Told(
                    "infra/http/claim/client.py:3:23 error",
                    "A timeout stands in the code (READ_TIMEOUT_MILLIS = 3000). Take it out, and write the bound "
                    "into src/my_tools/config/service.yaml: totalTimeoutMillis of the API's entry, or `tools: "
                    "{NAME: {timeoutMillis: …}}` for the whole tool.",
                    "코드에 timeout이 있습니다(READ_TIMEOUT_MILLIS = 3000). 코드에서 지우고 "
                    "src/my_tools/config/service.yaml 파일에 쓰십시오: API 항목의 totalTimeoutMillis 값, 또는 "
                    "도구 전체의 `tools: {이름: {timeoutMillis: …}}` 값.",
                ),
            ),
        ),
        Written(
            "a timeout as default and as text",
            client("def connect(timeout=2.5, connectTimeout='7'): ..."),
            (
                Told(
                    "infra/http/claim/client.py:3:21 error",
                    "A timeout stands in the code (timeout = 2.5). Take it out, and write the bound into "
                    "src/my_tools/config/service.yaml: totalTimeoutMillis of the API's entry, or `tools: {NAME: "
                    "{timeoutMillis: …}}` for the whole tool.",
                    "코드에 timeout이 있습니다(timeout = 2.5). 코드에서 지우고 src/my_tools/config/service.yaml "
                    "파일에 쓰십시오: API 항목의 totalTimeoutMillis 값, 또는 도구 전체의 `tools: {이름: "
                    "{timeoutMillis: …}}` 값.",
                ),
                Told(
                    "infra/http/claim/client.py:3:41 error",
                    "A timeout stands in the code (connectTimeout = 7). Take it out, and write the bound into "
                    "src/my_tools/config/service.yaml: totalTimeoutMillis of the API's entry, or `tools: {NAME: "
                    "{timeoutMillis: …}}` for the whole tool.",
                    "코드에 timeout이 있습니다(connectTimeout = 7). 코드에서 지우고 "
                    "src/my_tools/config/service.yaml 파일에 쓰십시오: API 항목의 totalTimeoutMillis 값, 또는 "
                    "도구 전체의 `tools: {이름: {timeoutMillis: …}}` 값.",
                ),
            ),
        ),
        Written(
            "a bounded wait",
            usecase("asyncio.wait_for(x(), 5)")
            | {
                USECASE: usecase("asyncio.wait_for(x(), 5)")[USECASE].replace(
                    "class ClaimUseCase", "import asyncio\nclass ClaimUseCase"
                )
            },
            (
                Told(
                    "biz/cmm/usecase.py:5:1 error",
                    "A timeout stands in the code (asyncio.wait_for: 5). Take it out, and write the bound into "
                    "src/my_tools/config/service.yaml: totalTimeoutMillis of the API's entry, or `tools: {NAME: "
                    "{timeoutMillis: …}}` for the whole tool.",
                    "코드에 timeout이 있습니다(asyncio.wait_for: 5). 코드에서 지우고 "
                    "src/my_tools/config/service.yaml 파일에 쓰십시오: API 항목의 totalTimeoutMillis 값, 또는 "
                    "도구 전체의 `tools: {이름: {timeoutMillis: …}}` 값.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_credential_or_timeout_in_the_code_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK616"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK616")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written(
            "descriptions that speak of timeouts and tokens",
            changed(DTO, "    claim_no: str", "    claim_no: Annotated[str, Desc('timeout: 5, token: abcdef')]"),
        ),
        Written(
            "fields that are called like timeouts",
            {
                **changed(DTO, "    claim_no: str", "    timeout: int = 5"),
                **changed(BODIES, "    clmNo: str", "    timeout: int = 5"),
                **changed(CONVERTER, "clmNo=request.claim_no", "timeout=30"),
            },
        ),
        Written(
            "names of variables, headers and codes",
            client(
                "TOKEN = 'CLAIM_TOKEN'\nAPI_KEY = 'X-Api-Key'\nAPI_KEY_HEADER = 'X-Key'\nPASSWORD = "
                "'password'\nTOKEN = 'TOKEN_EXPIRED'\ntoken_type = 'bearer'"
            ),
        ),
        Written(
            "tokens of pages, labels and empty texts",
            usecase("page_token = 'abc123'\nsecret = ''\nlabels = {'password': '비밀번호'}\nauthorization = 'Bearer'"),
        ),
        Written(
            "what comes from outside", client("TOKEN = os.environ['X_SECRET_1']\ntoken = f('a-b-c-d')\nsecret = None")
        ),
        Written(
            "no timeout at all",
            client(
                "timeout = 0\ntimeout_status = 504\nTIMEOUT_TEXT = '시간이 초과되었습니다'\ntimeout = '없음'\n"
                "retries = 3"
            ),
        ),
        Written(
            "a wait whose bound is given",
            usecase("asyncio.wait_for(x(), bound)\nasyncio.timeout(None)\nasyncio.sleep(5)"),
        ),
    ],
    ids=str,
)
def test_tk616_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK616"], tmp_path, case.files) == ()
