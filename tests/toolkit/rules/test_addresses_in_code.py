"""Addresses in code."""

from pathlib import Path

import pytest

from axhub.toolkit.rules import constants
from support.telling import Told
from support.written_service import CLIENT, DTO, USECASE, Written, changed, told_of

RULES = {rule.id: rule for rule in constants.RULES}


def client(line: str) -> dict[str, str]:
    """Return the client with one more line at its top."""
    return changed(CLIENT, "class ClaimClient", f"{line}\nclass ClaimClient")


def usecase(line: str) -> dict[str, str]:
    """Return the use case with one more line at its top."""
    return changed(USECASE, "class ClaimUseCase", f"{line}\nclass ClaimUseCase")


@pytest.mark.req("rule/TK612")
@pytest.mark.parametrize(
    "case",
    [
        Written(
            "a whole one",
            client("URL = 'https://claims.example.com:8443/search'"),
            (
                Told(
                    "infra/http/claim/client.py:3:7 error",
                    'The address "https://claims.example.com:8443/search" stands in the code. Write it into '
                    "src/my_tools/config/service.yaml, as domain and url of an entry of "
                    'glow.communication.http.api-list, and name only that entry in the client: `API_NAME = "claim"`.',
                    '코드에 주소 "https://claims.example.com:8443/search" 값이 있습니다. '
                    "src/my_tools/config/service.yaml 파일의 glow.communication.http.api-list 항목에 domain과 url "
                    '값으로 쓰고, 클라이언트에는 항목 이름만 남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "a formatted one",
            usecase("def url(host): return f'http://{host}:80/claims/all'"),
            (
                Told(
                    "biz/cmm/usecase.py:5:23 error",
                    'The address "http://" stands in the code. Write it into src/my_tools/config/service.yaml, as '
                    "domain and url of an entry of glow.communication.http.api-list, and name only that entry in "
                    'the client: `API_NAME = "claim"`.',
                    '코드에 주소 "http://" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.http.api-list 항목에 domain과 url 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "a host",
            client("BASE = 'claims.bank.co.kr'"),
            (
                Told(
                    "infra/http/claim/client.py:3:8 error",
                    'The host "claims.bank.co.kr" stands in the code. Write it into '
                    "src/my_tools/config/service.yaml, as domain of an entry of glow.communication.http.api-list, "
                    'and name only that entry in the client: `API_NAME = "claim"`.',
                    '코드에 호스트 "claims.bank.co.kr" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.http.api-list 항목에 domain 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "this machine",
            usecase("X = 'localhost:9000'"),
            (
                Told(
                    "biz/cmm/usecase.py:5:5 error",
                    'The host "localhost:9000" stands in the code. Write it into '
                    "src/my_tools/config/service.yaml, as domain of an entry of glow.communication.http.api-list, "
                    'and name only that entry in the client: `API_NAME = "claim"`.',
                    '코드에 호스트 "localhost:9000" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.http.api-list 항목에 domain 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "an IP address",
            usecase("X = ['10.20.30.40']"),
            (
                Told(
                    "biz/cmm/usecase.py:5:6 error",
                    'The host "10.20.30.40" stands in the code. Write it into src/my_tools/config/service.yaml, '
                    "as domain of an entry of glow.communication.http.api-list, and name only that entry in the "
                    'client: `API_NAME = "claim"`.',
                    '코드에 호스트 "10.20.30.40" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.http.api-list 항목에 domain 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "a host by its name",
            usecase("HOST = 'claim-core'"),
            (
                Told(
                    "biz/cmm/usecase.py:5:8 error",
                    'The host "claim-core" stands in the code. Write it into src/my_tools/config/service.yaml, as '
                    "domain of an entry of glow.communication.http.api-list, and name only that entry in the "
                    'client: `API_NAME = "claim"`.',
                    '코드에 호스트 "claim-core" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.http.api-list 항목에 domain 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "a port",
            client("def __connect(self, http_port=9443): ..."),
            (
                Told(
                    "infra/http/claim/client.py:3:31 error",
                    "The port 9443 stands in the code. Write it into src/my_tools/config/service.yaml, as part of "
                    "domain of an entry of glow.communication.http.api-list, and name only that entry in the "
                    'client: `API_NAME = "claim"`.',
                    "코드에 포트 9443 값이 있습니다. src/my_tools/config/service.yaml 파일의 "
                    "glow.communication.http.api-list 항목에 domain의 일부 값으로 쓰고, 클라이언트에는 항목 "
                    '이름만 남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "the service's own address",
            {"app.py": "uvicorn.run(app, host='0.0.0.0', port=8081)\n"},
            (
                Told(
                    "app.py:1:23 error",
                    'The host "0.0.0.0" stands in the code. Write it into src/my_tools/config/service.yaml: '
                    "`server: {host: …, port: …}` for the service itself, or as domain of an entry of "
                    "glow.communication.http.api-list for a system behind it.",
                    '코드에 호스트 "0.0.0.0" 값이 있습니다. src/my_tools/config/service.yaml 파일에 쓰십시오: '
                    "서비스 자신의 주소는 `server: {host: …, port: …}`, 뒤에 있는 시스템의 주소는 "
                    "glow.communication.http.api-list 항목의 domain 값.",
                ),
                Told(
                    "app.py:1:39 error",
                    "The port 8081 stands in the code. Write it into src/my_tools/config/service.yaml: `server: "
                    "{host: …, port: …}` for the service itself, or as domain of an entry of "
                    "glow.communication.http.api-list for a system behind it.",
                    "코드에 포트 8081 값이 있습니다. src/my_tools/config/service.yaml 파일에 쓰십시오: 서비스 "
                    "자신의 주소는 `server: {host: …, port: …}`, 뒤에 있는 시스템의 주소는 "
                    "glow.communication.http.api-list 항목의 domain 값.",
                ),
            ),
        ),
        Written(
            "a port that is joined to a host",
            usecase("X = ':8443'"),
            (
                Told(
                    "biz/cmm/usecase.py:5:5 error",
                    "The port :8443 stands in the code. Write it into src/my_tools/config/service.yaml, as part of "
                    "domain of an entry of glow.communication.http.api-list, and name only that entry in the "
                    'client: `API_NAME = "claim"`.',
                    "코드에 포트 :8443 값이 있습니다. src/my_tools/config/service.yaml 파일의 "
                    "glow.communication.http.api-list 항목에 domain의 일부 값으로 쓰고, 클라이언트에는 항목 "
                    '이름만 남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "a path in a client",
            client("SEARCH = '/search'"),
            (
                Told(
                    "infra/http/claim/client.py:3:10 error",
                    'The path "/search" stands in the code. Write it into src/my_tools/config/service.yaml, as '
                    "url of an entry of glow.communication.http.api-list, and name only that entry in the client: "
                    '`API_NAME = "claim"`.',
                    '코드에 경로 "/search" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.http.api-list 항목에 url 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "a path elsewhere",
            usecase("X = '/claims/{no}/items?all=1'"),
            (
                Told(
                    "biz/cmm/usecase.py:5:5 error",
                    'The path "/claims/{no}/items?all=1" stands in the code. Write it into '
                    "src/my_tools/config/service.yaml, as url of an entry of glow.communication.http.api-list, "
                    'and name only that entry in the client: `API_NAME = "claim"`.',
                    '코드에 경로 "/claims/{no}/items?all=1" 값이 있습니다. src/my_tools/config/service.yaml '
                    "파일의 glow.communication.http.api-list 항목에 url 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
        Written(
            "a path by its name",
            usecase("x = call(url='/search')"),
            (
                Told(
                    "biz/cmm/usecase.py:5:14 error",
                    'The path "/search" stands in the code. Write it into src/my_tools/config/service.yaml, as '
                    "url of an entry of glow.communication.http.api-list, and name only that entry in the client: "
                    '`API_NAME = "claim"`.',
                    '코드에 경로 "/search" 값이 있습니다. src/my_tools/config/service.yaml 파일의 '
                    "glow.communication.http.api-list 항목에 url 값으로 쓰고, 클라이언트에는 항목 이름만 "
                    '남기십시오: `API_NAME = "claim"`.',
                ),
            ),
        ),
    ],
    ids=str,
)
def test_an_address_in_the_code_is_pointed_out(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK612"], tmp_path, case.files) == case.told


@pytest.mark.req("rule/TK612")
@pytest.mark.parametrize(
    "case",
    [
        Written("the good service", {}),
        Written(
            "a docstring and a comment", client('"""See https://claims.example.com/api."""  # http://localhost:80')
        ),
        Written(
            "descriptions and examples",
            changed(
                DTO,
                "    claim_no: str",
                "    claim_no: Annotated[str, Desc('https://bank.example', example='/a/b'), "
                "Field(description='http://a')]",
            ),
        ),
        Written("prose", usecase("raise ClaimError('자세한 내용은 https://bank.example/faq 를 보세요.')")),
        Written(
            "names of standards",
            client("SCHEMA = {'$schema': 'https://a.example/s', 'x': 'http://www.w3.org/2001/XMLSchema'}"),
        ),
        Written(
            "words, codes, dates, times, versions and files",
            usecase(
                "X = ['http', 'https', 'N/A', '/', '2026/08/10', '12:30', '1.2.3', 'application/json', "
                "'/tmp/x', '/kg', 'a.py']"
            ),
        ),
        Written("numbers that are no port", client("PORTION = 8080\nreport = 80\nports = 3\nPORT = 0\nport = 99999")),
        Written("a schema resource", usecase("X = tool_hint(input_schema_resource='/cmm/x-input-schema.json')")),
    ],
    ids=str,
)
def test_tk612_has_nothing_to_say_about(case: Written, tmp_path: Path) -> None:
    assert told_of(RULES["TK612"], tmp_path, case.files) == ()
