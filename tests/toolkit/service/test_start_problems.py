"""A start lists everything that is wrong at once, and nothing is served with a part of it (toolkit/T1, toolkit/S7)."""

import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from axhub.toolkit import EmployeeCipher, RepeatStore, ToolService
from axhub.toolkit.service.options import StartError
from axhub.toolkit.testing import FakeCipher, MemoryRepeatStore, call_tool, started
from support.receipts import sealed
from support.tool_packages import ToolPackage, definition_text

CONFIG = "mcp:\n  bundleId: claims\n"
TOOL = """
@tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="조회합니다.", category_key="cmm")
async def search({parameters}) -> Response:
    return Response(status="OPEN")
"""


@pytest.fixture
def package(tmp_path: Path) -> Iterator[ToolPackage]:
    with ToolPackage(tmp_path) as made:
        made.write("config/service.yaml", CONFIG)
        yield made


def define(package: ToolPackage, name: str = "cmm_claim_search", **changes: Any) -> None:
    package.write(f"tool_definitions/cmm/{name}.yml", definition_text(name=name, **changes))


def problems(
    package: ToolPackage, profile: str = "local", environ: Mapping[str, str] | None = None, provide: Any = ()
) -> list[str]:
    app = ToolService(package.name, provide=provide, profile=profile)
    app.configure(environ=environ or {})
    with sealed(package.folder, package.name), pytest.raises(StartError) as caught:
        app.prepare()
    return [problem.replace(package.name, "PACKAGE") for problem in caught.value.problems]


@pytest.mark.req("toolkit/S7", "toolkit/S0")
def test_problems_of_all_kinds_come_in_one_list(package: ToolPackage) -> None:
    package.write("config/service.yaml", "mcp:\n  bundleId: ''\n  namespce: x\n")
    define(package, required_env_keys=["CLAIM_KEY", "CLAIM_USER"])
    package.declare(TOOL.format(parameters="request: Request, client: ClaimClient, cipher: EmployeeCipher"))
    package.write(
        "biz/cmm/usecase.py",
        "from axhub.toolkit.ports import EmployeeCipher\n"
        "class ClaimClient:\n    def __init__(self, port: int) -> None: ...\n"
        + (package.folder / "biz/cmm/usecase.py").read_text(encoding="utf-8"),
    )
    found = problems(package, environ={"CLAIM_USER": "u"})
    assert [problem for problem in found if "service.yaml" in problem and "namespce" in problem]
    assert found[-2:] == [
        "the environment variable CLAIM_KEY is not set; needed by cmm_claim_search (required_env_keys)",
        (
            "ClaimClient(port) wants int, which nothing provides; give it to the service: "
            'ToolService("PACKAGE", provide={int: …})'
        ),
    ]


@pytest.mark.req("toolkit/S7")
def test_variables_of_all_tools_are_named_at_once_each_with_its_tools(package: ToolPackage) -> None:
    for name in ("cmm_a_search", "cmm_b_search"):
        define(package, name, required_env_keys=["SHARED_KEY", f"{name.upper()}_KEY"])
        package.declare(
            f"@tool(name='{name}', title='보험금 청구 상태 조회', description='d', category_key='cmm')\n"
            "async def search(request: Request) -> Response: ...\n",
            f"biz/cmm/{name}.py",
        )
    assert problems(package) == [
        "the environment variable CMM_A_SEARCH_KEY is not set; needed by cmm_a_search (required_env_keys)",
        "the environment variable CMM_B_SEARCH_KEY is not set; needed by cmm_b_search (required_env_keys)",
        "the environment variable SHARED_KEY is not set; needed by cmm_a_search, cmm_b_search (required_env_keys)",
    ]


@pytest.mark.req("toolkit/T1")
def test_declarations_that_cannot_be_used_are_named_with_their_place(package: ToolPackage) -> None:
    package.declare(TOOL.format(parameters="request: Request"))
    (problem,) = problems(package)
    assert problem == (
        "PACKAGE/biz/cmm/usecase.py:14:1: the tool cmm_claim_search has no definition; write "
        "PACKAGE/tool_definitions/cmm/cmm_claim_search.yml"
    )


@pytest.mark.req("toolkit/T1")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_of_this_name\n", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("def f(:\n", "SyntaxError: invalid syntax"),
        ("from json import nothing\n", "ImportError: cannot import name 'nothing' from 'json'"),
        ("raise RuntimeError('secret')\n", "RuntimeError ("),
        ("raise ImportError('secret')\n", "ImportError ("),
        ("raise SyntaxError('secret')\n", "SyntaxError"),
    ],
)
def test_an_error_while_the_package_is_imported_is_told_with_the_line(
    package: ToolPackage, text: str, said: str
) -> None:
    file = package.write("biz/cmm/usecase.py", text)
    (problem,) = problems(package)
    assert problem.startswith(f"the package 'PACKAGE' cannot be imported: {said}")
    assert "secret" not in problem
    assert problem.endswith(f"({str(file).replace(package.name, 'PACKAGE')}:1)")


def test_a_package_that_is_none_is_told_plainly() -> None:
    for name, said in (
        (
            "no_such_tools",
            "there is no package 'no_such_tools'; install the project, or start where it can be imported",
        ),
        (
            "json.decoder",
            "'json.decoder' is a single module; a Tool Service is a package, a folder with an __init__.py",
        ),
    ):
        with pytest.raises(StartError) as caught:
            ToolService(name).prepare()
        assert caught.value.problems == (said,)
        assert str(caught.value) == f"the Tool Service cannot start, 1 problem:\n  - {said}"


def test_a_package_without_tools_is_no_service(package: ToolPackage) -> None:
    assert problems(package) == ["the package 'PACKAGE' declares no tool; write one with @tool(…)"]


def test_settings_of_tools_that_do_not_exist_are_found(package: ToolPackage) -> None:
    define(package)
    package.declare(TOOL.format(parameters="request: Request"))
    package.write(
        "config/service.yaml", CONFIG + "disabledTools: [cmm_claim_serch]\ntools:\n  other:\n    timeoutMillis: 5\n"
    )
    assert problems(package) == [
        "disabledTools names 'cmm_claim_serch', which no tool is called; take it out or correct it",
        "tools.other.timeoutMillis is set, but no tool is called 'other'; take it out or correct it",
    ]


@pytest.mark.req("rule/TK804")
def test_a_store_that_forgets_is_refused_outside_local(package: ToolPackage) -> None:
    define(package, read_only=False, idempotent=False, repeat={"key": ["claimNo"]})
    package.declare(TOOL.format(parameters="request: Request"))
    assert problems(package, "production") == [
        (
            "the tool cmm_claim_search (repeat.key) wants RepeatStore, which nothing provides; give it to the service: "
            'ToolService("PACKAGE", provide={RepeatStore: …})'
        )
    ]
    assert problems(package, "production", provide={RepeatStore: MemoryRepeatStore}) == [
        (
            "the tool cmm_claim_search has a repeat.key, and MemoryRepeatStore forgets it with the process; outside "
            "the profile local provide a RepeatStore that all replicas share; on one host that is "
            "SqliteRepeatStore(path)"
        )
    ]


@pytest.mark.req("rule/TK804")
def test_a_business_key_names_arguments_that_exist(package: ToolPackage) -> None:
    define(package, read_only=False, idempotent=False, repeat={"key": ["claim_no"]})
    package.declare(TOOL.format(parameters="request: Request"))
    assert problems(package) == ["the tool cmm_claim_search: repeat.key names claim_no; its arguments are claimNo"]


@pytest.mark.req("toolkit/T1")
async def test_what_is_good_starts_and_a_second_start_changes_nothing(package: ToolPackage) -> None:
    define(package)
    package.declare(TOOL.format(parameters="request: Request"))
    app = ToolService(package.name, profile="production")
    app.configure(environ={})
    assert not app.is_ready()
    with sealed(package.folder, package.name):
        app.prepare()
    async with started(app):
        assert app.prepare() is app.prepare()
        await app.start()
        assert app.is_ready()
        answer = await call_tool(app, "cmm_claim_search", {"claimNo": "1"})
        assert answer.value == {"status": "OPEN"}
    assert not app.is_ready()


@pytest.mark.req("toolkit/T1")
async def test_an_adapter_that_cannot_be_opened_stops_the_start_and_those_before_it_are_closed(
    package: ToolPackage,
) -> None:
    define(package)
    package.declare(TOOL.format(parameters="request: Request, first: First, second: Second"))
    package.write(
        "biz/cmm/usecase.py",
        """
        CLOSED = []

        class First:
            async def __aenter__(self): return self
            async def __aexit__(self, *_): CLOSED.append("first")

        class Second(First):
            async def __aenter__(self): raise OSError("no route to the vault")
        """
        + (package.folder / "biz/cmm/usecase.py").read_text(encoding="utf-8").replace("\n", "\n        "),
    )
    source = (package.folder / "biz/cmm/usecase.py").read_text(encoding="utf-8").splitlines()
    line = 1 + next(at for at, text in enumerate(source) if "vault" in text)
    app = ToolService(package.name, profile="local")
    app.configure(environ={})
    with pytest.raises(StartError) as caught:
        await app.start()
    (problem,) = caught.value.problems
    assert problem.startswith("an adapter could not be opened: OSError (")
    assert f"/biz/cmm/usecase.py:{line}" in problem
    assert "vault" not in problem
    assert importlib.import_module(f"{package.name}.biz.cmm.usecase").CLOSED == ["first"]
    assert not app.is_ready()


@pytest.mark.req("toolkit/H1")
def test_a_client_whose_api_is_not_configured_stops_the_start(package: ToolPackage) -> None:
    define(package)
    package.declare(TOOL.format(parameters="request: Request, client: Client"))
    package.write(
        "biz/cmm/usecase.py",
        "from axhub.toolkit.ports import HttpClient\n"
        "class Client:\n    API_NAME = 'claim'\n    def __init__(self, http: HttpClient) -> None: ...\n"
        + (package.folder / "biz/cmm/usecase.py").read_text(encoding="utf-8"),
    )
    assert problems(package) == [
        'Client.API_NAME is "claim", and glow.communication.http.api-list has no entry of that name; there are: none'
    ]


def test_nothing_is_imported_before_the_start(package: ToolPackage) -> None:
    package.write("biz/cmm/usecase.py", "raise RuntimeError\n")
    ToolService(package.name, provide=[FakeCipher()])
    ToolService("no_such_package", provide={EmployeeCipher: FakeCipher})
    assert f"{package.name}.biz.cmm.usecase" not in sys.modules


@pytest.mark.req("toolkit/S7", "toolkit/H1")
def test_of_apis_nothing_is_said_while_the_configuration_has_a_fault_of_its_own(package: ToolPackage) -> None:
    define(package)
    package.declare(TOOL.format(parameters="request: Request, client: ClaimClient"))
    package.write(
        "biz/cmm/usecase.py",
        "from axhub.toolkit import HttpClient\n"
        'class ClaimClient:\n    API_NAME = "claim"\n    def __init__(self, http: HttpClient) -> None: ...\n'
        + (package.folder / "biz/cmm/usecase.py").read_text(encoding="utf-8"),
    )
    (missing,) = problems(package)
    assert missing.startswith('ClaimClient.API_NAME is "claim", and glow.communication.http.api-list has no entry')
    package.write("config/service.yaml", CONFIG + "language: de\n")
    (fault,) = problems(package)
    assert "language" in fault


APIS = """
mcp: {bundleId: claims}
glow:
  communication:
    http:
      api-list:
        - {name: claim, domain: "http://claims.example", url: /claims, method: POST, totalTimeoutMillis: 3000}
"""
CLIENT = """
from axhub.toolkit.ports import HttpClient
class ClaimClient:
    API_NAME = "claim"
    def __init__(self, http: HttpClient) -> None: ...
class Between:
    def __init__(self, client: ClaimClient) -> None: ...
"""


@pytest.mark.req("toolkit/S7", "toolkit/S0")
@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, []),
        ({"AXHUB_SERVICE__TOOLS__CMM_CLAIM_SEARCH__TIMEOUTMILLIS": "4000"}, []),
        (
            {"AXHUB_SERVICE__TOOLS__CMM_CLAIM_SEARCH__TIMEOUTMILLIS": "30001"},
            [
                (
                    "tools.cmm_claim_search.timeoutMillis is 30001, and a gateway cuts a call off after 30000 ms; give "
                    "it 30000 or less"
                )
            ],
        ),
        (
            {"AXHUB_SERVICE__TOOLS__CMM_CLAIM_SEARCH__TIMEOUTMILLIS": "3000"},
            [
                (
                    "a call of the API claim may take 3000 ms (totalTimeoutMillis), which is not less than the timeout "
                    "of cmm_claim_search, 3000 ms; raise tools.cmm_claim_search.timeoutMillis or lower the other"
                )
            ],
        ),
        (
            {"AXHUB_SERVICE__MCP__NAMESPACE": f"{'n' * 55}_"},
            [
                (
                    f"the tool '{'n' * 55}_cmm_claim_search' would be refused by a gateway: the name has 72 "
                    "characters, more than 64 (/tools/0/name); give the tool a name such as 'search_orders': a letter, "
                    "then letters, digits and '_', 64 at most"
                )
            ],
        ),
    ],
)
def test_what_a_deployment_gives_is_judged_as_the_check_would(
    package: ToolPackage, environ: dict[str, str], said: list[str]
) -> None:
    package.write("config/service.yaml", APIS + "tools: {cmm_claim_search: {timeoutMillis: 4000}}\n")
    define(package)
    package.declare(CLIENT + TOOL.format(parameters="request: Request, between: Between"))
    assert (problems(package, environ=environ) if said else started_with(package, environ)) == said


def started_with(package: ToolPackage, environ: Mapping[str, str]) -> list[str]:
    app = ToolService(package.name, profile="local")
    app.configure(environ=environ)
    app.prepare()
    return []


@pytest.mark.req("toolkit/S7")
def test_times_that_the_package_has_from_the_start_are_left_to_its_check(package: ToolPackage) -> None:
    package.write("config/service.yaml", APIS + "tools: {cmm_claim_search: {timeoutMillis: 2000}}\n")
    define(package)
    package.declare(CLIENT + TOOL.format(parameters="request: Request, client: ClaimClient"))
    assert started_with(package, {}) == []


@pytest.mark.req("toolkit/S7", "toolkit/S0")
def test_another_configuration_file_is_judged_as_well(package: ToolPackage, tmp_path: Path) -> None:
    package.write("config/service.yaml", APIS)
    define(package)
    package.declare(CLIENT + TOOL.format(parameters="request: Request, client: ClaimClient"))
    other = tmp_path / "other.yaml"
    other.write_text(APIS.replace("3000", "20000"))
    app = ToolService(package.name, profile="local", config=other)
    app.configure(environ={})
    with pytest.raises(StartError) as caught:
        app.prepare()
    assert caught.value.problems == (
        (
            "a call of the API claim may take 20000 ms (totalTimeoutMillis), which is not less than the timeout of "
            "cmm_claim_search, 10000 ms; raise tools.cmm_claim_search.timeoutMillis or lower the other"
        ),
    )
