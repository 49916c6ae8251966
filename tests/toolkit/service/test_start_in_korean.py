"""Each reason not to start is told in Korean too, as a whole sentence (toolkit/S7)."""

from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit import RepeatStore, ToolService
from axhub.toolkit.service.options import StartError
from axhub.toolkit.testing import MemoryRepeatStore
from support.receipts import sealed
from support.tool_packages import ToolPackage, definition_text

pytestmark = pytest.mark.req("toolkit/S7")

CONFIG = "mcp:\n  bundleId: claims\n"
APIS = """
mcp: {bundleId: claims}
tools: {cmm_claim_search: {timeoutMillis: 9000}}
glow:
  communication:
    http:
      api-list:
        - {name: claim, domain: "http://claims.example", url: /claims, method: POST, totalTimeoutMillis: 3000}
        - {name: ledger, domain: "http://ledger.example", url: /books, method: POST, totalTimeoutMillis: 4000}
"""
CLIENTS = """
from typing import Protocol
from axhub.toolkit.ports import HttpClient
class ClaimClient:
    API_NAME = "claim"
    def __init__(self, http: HttpClient) -> None:
        self._http = http
    async def call(self, request, answer):
        return await self._http.call(self.API_NAME, request, answer)
class LedgerClient:
    API_NAME = "ledger"
    def __init__(self, http: HttpClient) -> None:
        self._http = http
    async def call(self, request, answer):
        return await self._http.call(self.API_NAME, request, answer)
class Port(Protocol):
    def send(self) -> None: ...
class Failing:
    def __init__(self) -> None:
        raise RuntimeError("secret")
"""
TOOL = """
@tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="조회합니다.", category_key="cmm")
async def search({parameters}) -> Response:
    {body}
    return Response(status="OPEN")
"""
TIMEOUT = "AXHUB_SERVICE__TOOLS__CMM_CLAIM_SEARCH__TIMEOUTMILLIS"


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with ToolPackage(tmp_path) as made:
        made.write("config/service.yaml", CONFIG)
        yield made


CALLS = "await claims.call(request, Response); await ledger.call(request, Response)"


def declared(package: ToolPackage, parameters: str = "request: Request", body: str = "pass", **changes: Any) -> None:
    package.write("tool_definitions/cmm/cmm_claim_search.yml", definition_text(name="cmm_claim_search", **changes))
    package.declare(TOOL.format(parameters=parameters, body=body))


def told(
    package: ToolPackage, environ: Mapping[str, str] | None = None, profile: str = "local", provide: Any = ()
) -> list[str]:
    app = ToolService(package.name, provide=provide, profile=profile)
    app.configure(environ=environ or {})
    with sealed(package.folder, package.name), pytest.raises(StartError) as caught:
        app.prepare()
    said = caught.value.said("ko").replace(str(package.folder), "FOLDER").replace(package.name, "PACKAGE")
    return said.splitlines()


def test_all_reasons_stand_under_one_heading(package: ToolPackage) -> None:
    declared(package, required_env_keys=["CLAIM_KEY"])
    package.write(
        "config/service.yaml", CONFIG + "disabledTools: [cmm_claim_serch]\ntools:\n  other:\n    timeoutMillis: 5\n"
    )
    assert told(package) == [
        "도구 서비스를 시작할 수 없습니다. 문제 3건:",
        "  - disabledTools에 적힌 'cmm_claim_serch'이라는 도구가 없습니다. 빼거나 바로잡으십시오",
        "  - tools.other.timeoutMillis 값이 있지만 'other'이라는 도구가 없습니다. 빼거나 바로잡으십시오",
        "  - 환경 변수 CLAIM_KEY 값이 없습니다. 필요한 도구: cmm_claim_search (required_env_keys)",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "no_such_tools",
            "패키지 'no_such_tools'이(가) 없습니다. 프로젝트를 설치하거나 가져올(import) 수 있는 곳에서 시작하십시오",
        ),
        (
            "json.decoder",
            "'json.decoder'은(는) 단일 모듈입니다. 도구 서비스는 __init__.py가 있는 폴더, 곧 패키지여야 합니다",
        ),
        (
            "no_such_tools.inner",
            (
                "패키지 'no_such_tools.inner'을(를) 가져올(import) 수 없습니다: ModuleNotFoundError: no_such_tools "
                "모듈이 없음"
            ),
        ),
    ],
)
def test_a_package_that_is_none(name: str, said: str) -> None:
    with pytest.raises(StartError) as caught:
        ToolService(name).prepare()
    assert caught.value.said("ko") == f"도구 서비스를 시작할 수 없습니다. 문제 1건:\n  - {said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_of_this_name\n", "ModuleNotFoundError: nothing_of_this_name 모듈이 없음 "),
        ("def f(:\n", "SyntaxError: 문법에 맞지 않음 "),
        ("raise RuntimeError('secret')\n", "RuntimeError "),
    ],
)
def test_a_package_that_cannot_be_imported(package: ToolPackage, text: str, said: str) -> None:
    package.write("biz/cmm/usecase.py", text)
    assert told(package)[1:] == [
        f"  - 패키지 'PACKAGE'을(를) 가져올(import) 수 없습니다: {said}(FOLDER/biz/cmm/usecase.py:1)"
    ]


def test_a_package_without_tools(package: ToolPackage) -> None:
    assert told(package)[1:] == ["  - 패키지 'PACKAGE'에 도구가 없습니다. @tool(…)로 선언하십시오"]


def test_a_declaration_that_cannot_be_used(package: ToolPackage) -> None:
    package.declare(TOOL.format(parameters="request: Request", body="pass"))
    assert told(package)[1:] == [
        (
            "  - PACKAGE/biz/cmm/usecase.py:14:1: 도구 cmm_claim_search의 정의 파일이 없습니다. "
            "PACKAGE/tool_definitions/cmm/cmm_claim_search.yml 파일을 작성하십시오"
        )
    ]


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        (
            "request: Request, port: Port",
            (
                "PACKAGE.biz.cmm.usecase.search(port)이(가) 요구하는 Port을(를) 제공하는 것이 없습니다. 서비스에 "
                '주십시오: ToolService("PACKAGE", provide={Port: …})'
            ),
        ),
        (
            "request: Request, one: Failing",
            (
                "Failing을(를) 만들 수 없습니다. 생성자에서 RuntimeError 오류가 납니다. 생성자나 생성자에서 읽는 값을 "
                "고치십시오"
            ),
        ),
        (
            "request: Request, client: ClaimClient",
            (
                'ClaimClient.API_NAME 값이 "claim"인데 glow.communication.http.api-list에 그런 이름의 항목이 없습니다. '
                "있는 이름: 없음"
            ),
        ),
    ],
)
def test_what_cannot_be_given(package: ToolPackage, parameters: str, said: str) -> None:
    declared(package, parameters)
    file = package.folder / "biz/cmm/usecase.py"
    package.write("biz/cmm/usecase.py", CLIENTS + file.read_text(encoding="utf-8"))
    (found,) = [line for line in told(package)[1:] if "extra" not in line]
    assert found == f"  - {said}"


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize(
    ("parameters", "repeat", "said"),
    [
        (
            "request: Request",
            ["claimNo"],
            (
                "도구 cmm_claim_search에 repeat.key가 있는데 MemoryRepeatStore는 프로세스가 끝나면 잊어버립니다. local "
                "프로파일이 아니면 모든 복제본이 함께 쓰는 RepeatStore를 주십시오. 서버가 한 대면 "
                "SqliteRepeatStore(path)를 쓸 수 있습니다"
            ),
        ),
        (
            "",
            ["claimNo"],
            (
                "도구 cmm_claim_search에 repeat.key가 있지만 받는 인자가 없습니다. 인자를 받게 하거나 repeat.key를 "
                "빼십시오"
            ),
        ),
        (
            "request: Request",
            ["claim_no"],
            "도구 cmm_claim_search: repeat.key에 적힌 claim_no은(는) 인자가 아닙니다. 인자: claimNo",
        ),
    ],
)
def test_a_business_key_that_does_not_hold(package: ToolPackage, parameters: str, repeat: list[str], said: str) -> None:
    declared(package, parameters, read_only=False, idempotent=False, repeat={"key": repeat})
    is_forgetful = repeat == ["claimNo"] and parameters
    profile, provide = ("production", {RepeatStore: MemoryRepeatStore}) if is_forgetful else ("local", ())
    assert told(package, profile=profile, provide=provide)[1:] == [f"  - {said}"]


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        (
            {TIMEOUT: "30001"},
            (
                "tools.cmm_claim_search.timeoutMillis 값이 30001인데 게이트웨이는 30000ms 뒤에 호출을 끊습니다. 30000 "
                "이하로 하십시오"
            ),
        ),
        (
            {TIMEOUT: "7000"},
            (
                "도구 cmm_claim_search의 호출 시간 합계(API claim 3000 + API ledger 4000, totalTimeoutMillis)가 "
                "7000ms로 "
                "도구의 timeout 7000ms보다 작지 않습니다. tools.cmm_claim_search.timeoutMillis를 올리거나 "
                "totalTimeoutMillis를 내리십시오"
            ),
        ),
        (
            {"AXHUB_SERVICE__MCP__NAMESPACE": f"{'n' * 55}_"},
            (
                f"게이트웨이가 도구 '{'n' * 55}_cmm_claim_search'을(를) 거부합니다(/tools/0/name): 이름이 72자로 "
                f"64자를 "
                "넘습니다. 'search_orders'처럼 영문자로 시작해 영문자, 숫자, '_'로 64자까지 쓰십시오"
            ),
        ),
    ],
)
def test_what_only_the_deployment_gives(package: ToolPackage, environ: dict[str, str], said: str) -> None:
    package.write("config/service.yaml", APIS)
    declared(package, "request: Request, claims: ClaimClient, ledger: LedgerClient", CALLS)
    file = package.folder / "biz/cmm/usecase.py"
    package.write("biz/cmm/usecase.py", CLIENTS + file.read_text(encoding="utf-8"))
    assert told(package, environ)[1:] == [f"  - {said}"]


def test_one_api_that_takes_too_long(package: ToolPackage) -> None:
    package.write("config/service.yaml", APIS)
    declared(package, "request: Request, claims: ClaimClient")
    file = package.folder / "biz/cmm/usecase.py"
    package.write("biz/cmm/usecase.py", CLIENTS + file.read_text(encoding="utf-8"))
    assert told(package, {TIMEOUT: "3000"})[1:] == [
        (
            "  - API claim 호출이 3000ms까지(totalTimeoutMillis) 걸릴 수 있어 도구 cmm_claim_search의 timeout "
            "3000ms보다 "
            "작지 않습니다. tools.cmm_claim_search.timeoutMillis를 올리거나 totalTimeoutMillis를 내리십시오"
        )
    ]


@pytest.mark.req("toolkit/S0")
@pytest.mark.parametrize(
    ("text", "environ", "said"),
    [
        (
            "mcp:\n  bundleId: claims\n  namespce: x\n",
            {},
            "FOLDER/config/service.yaml:3  mcp.namespce: 지금 값은 없는 키, 쓸 수 있는 값은 namespace(가장 가까운 키)",
        ),
        (
            "mcp: {}\n",
            {},
            "FOLDER/config/service.yaml:1  mcp.bundleId: 지금 값은 키가 빠짐, 쓸 수 있는 값은 번들 이름(필수)",
        ),
        (
            CONFIG,
            {"AXHUB_SERVICE__MCP__NAMSPACE": "x"},
            (
                "환경 변수 AXHUB_SERVICE__MCP__NAMSPACE: 지금 값은 없는 변수, 쓸 수 있는 값은 "
                "AXHUB_SERVICE__MCP__NAMESPACE(가장 가까운 변수)"
            ),
        ),
        (
            CONFIG + "language: de\n",
            {},
            'FOLDER/config/service.yaml:3  language: 지금 값은 "de", 쓸 수 있는 값은 en 또는 ko',
        ),
    ],
)
def test_a_configuration_that_cannot_be_used(
    package: ToolPackage, text: str, environ: dict[str, str], said: str
) -> None:
    package.write("config/service.yaml", text)
    declared(package)
    assert told(package, environ)[1:] == [f"  - {said}"]


async def test_an_adapter_that_cannot_be_opened(package: ToolPackage) -> None:
    declared(package, "request: Request, first: First")
    file = package.folder / "biz/cmm/usecase.py"
    adapter = "class First:\n    async def __aenter__(self): raise OSError\n    async def __aexit__(self, *_): ...\n"
    package.write("biz/cmm/usecase.py", adapter + file.read_text(encoding="utf-8"))
    app = ToolService(package.name, profile="local")
    app.configure(environ={})
    with pytest.raises(StartError) as caught:
        await app.start()
    (line,) = caught.value.said("ko").splitlines()[1:]
    assert line.startswith("  - 어댑터를 열 수 없습니다: OSError (")
    assert line.endswith("/biz/cmm/usecase.py:2)")


@pytest.mark.parametrize(
    ("lang", "heading"),
    [
        ("C", "the Tool Service cannot start, 1 problem:"),
        ("ko_KR.UTF-8", "도구 서비스를 시작할 수 없습니다. 문제 1건:"),
    ],
)
async def test_an_asgi_server_is_told_in_the_language_of_its_environment(
    lang: str, heading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", lang)
    sent: list[Any] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "lifespan.startup"}

    async def send(message: Any) -> None:
        sent.append(message)

    await ToolService("no_such_tools")({"type": "lifespan"}, receive, send)
    assert [message["type"] for message in sent] == ["lifespan.startup.failed"]
    assert sent[0]["message"].splitlines()[0] == heading
