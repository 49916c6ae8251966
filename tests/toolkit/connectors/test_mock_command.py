"""`axhub mock` as a process, called with the real client, well behaved and not (toolkit/B4)."""

import asyncio
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from axhub.cli.main import main
from axhub.toolkit.config.mocked import load_mocked
from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.mock_faults import read_faults
from axhub.toolkit.connectors.mock_server import MockServer
from axhub.toolkit.connectors.mock_systems import MockSystems
from axhub.toolkit.errors import LegacyError
from support.http_apis import Answer, Question, api, client
from support.service_projects import PYPROJECT, write_files

CONFIG: Final = """\
mcp: {bundleId: "${NOWHERE}"}
glow:
  communication:
    http:
      api-list:
        - name: claim
          domain: ${CLAIM_DOMAIN:http://localhost:${server.port}}
          url: ${CLAIM_URL:/api/mock/http/cmm_claim_search}
          method: POST
          headers: {X-Api-Key: "${CLAIM_KEY}"}
        - {name: code, domain: "http://${CODE_HOST}:${CODE_PORT}", url: /codes, method: GET}
"""
FILES: Final = {
    "pyproject.toml": PYPROJECT,
    "src/my_tools/__init__.py": "raise RuntimeError('a mock imports nothing')\n",
    "src/my_tools/config/service.yaml": CONFIG,
    "src/my_tools/samples/cmm_claim_search/http-claim.json": '{"clmNo": "청구-1", "amount": 5}',
    "src/my_tools/samples/cmm_code/http-code.json": '{"clmNo": "code"}',
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_files(tmp_path, FILES)


@asynccontextmanager
async def mock(
    folder: Path, target: str, *faults: str, words: tuple[str, ...] = ()
) -> AsyncIterator[tuple[str, list[str]]]:
    """Run the command; yield its origin and the lines it printed, all of them once it has ended."""
    words = (*words, *(word for fault in faults for word in ("--fault", fault)))
    command = [sys.executable, "-m", "axhub.cli.main", "mock", target, "--port", "0", *words]
    process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    lines: list[str] = []
    try:
        lines.append((await process.stdout.readline()).decode())
        found = re.search(r"http://127\.0\.0\.1:\d+", lines[0])
        assert found is not None
        yield found.group(), lines
    finally:
        process.send_signal(signal.SIGTERM)
        rest, _ = await process.communicate()
        lines += rest.decode().splitlines(keepends=True)
        assert process.returncode == 0


def claim(origin: str, **more: Any) -> HttpApiSettings:
    return api(origin, "/api/mock/http/cmm_claim_search", **{"read_timeout_millis": 5000, **more})


async def asked(entry: HttpApiSettings) -> str:
    """Return what came of one call: the answer's number, or the code of the failure."""
    async with client(entry) as http:
        try:
            return (await http.call(entry.name, Question(clmNo="geheim"), Answer)).clmNo
        except LegacyError as error:
            return error.code


@pytest.mark.req("toolkit/B4")
async def test_the_systems_of_a_project_are_served_and_told(project: Path) -> None:
    async with mock(project, ".", "code=delay:1") as (origin, lines):
        assert await asked(claim(origin)) == "청구-1"
        assert await asked(api(origin, "/codes", name="code", method="GET")) == "code"
        assert await asked(api(origin, "/nowhere")) == "404"
    told = "".join(lines).replace(origin, "ORIGIN")
    assert told == (
        "mock systems on ORIGIN; Ctrl-C ends them\n"
        "  claim  POST /api/mock/http/cmm_claim_search  samples/cmm_claim_search/http-claim.json\n"
        "  code  GET /codes  samples/cmm_code/http-code.json  (delay 1 ms)\n"
        "to call them, start the service with:\n"
        "  CLAIM_DOMAIN=ORIGIN\n"
        "  CODE_HOST=ORIGIN\n"
        "POST /api/mock/http/cmm_claim_search 200 claim samples/cmm_claim_search/http-claim.json\n"
        "GET /codes 200 code samples/cmm_code/http-code.json (delay 1 ms)\n"
        "POST /nowhere 404 - -\n"
    )


@pytest.mark.req("toolkit/B4")
async def test_samples_that_are_never_answered_are_told(project: Path) -> None:
    folder = project / "src/my_tools/samples/cmm_code"
    (folder / "http-code-2.json").write_bytes((folder / "http-code.json").read_bytes())
    async with mock(project, ".") as (_, lines):
        pass
    assert "".join(lines).partition("  code  GET /codes  ")[2].splitlines()[1:3] == [
        "    never answered, since one before is for the same requests: samples/cmm_code/http-code-2.json",
        '    to tell them apart write {"request": {…}, "answer": …} into them, with members of the request',
    ]


@pytest.mark.req("toolkit/B4")
@pytest.mark.parametrize(
    ("language", "last"),
    [
        ("en", '{} no API is called "clam". Rename it to `http-claim-2.json`.\n'),
        ("ko", '{} "clam" 이름의 API가 없습니다. `http-claim-2.json`(으)로 이름을 바꾸십시오.\n'),
    ],
)
async def test_samples_that_nothing_reads_are_told(language: str, last: str, project: Path) -> None:
    path = "samples/cmm_claim_search/http-clam.json"
    write_files(project / "src/my_tools", {path: "{}"})
    async with mock(project, ".", words=("--lang", language)) as (_, lines):
        pass
    reads = {"en": f"Nothing reads {path}:", "ko": f"{path} 파일을 읽는 곳이 없습니다."}
    assert lines[-1] == last.format(reads[language])


@pytest.mark.req("toolkit/B4")
async def test_a_package_is_found_by_its_name(project: Path) -> None:
    async with mock(project, "my_tools") as (origin, _):
        assert await asked(claim(origin)) == "청구-1"


@asynccontextmanager
async def served(project: Path, *faults: str) -> AsyncIterator[str]:
    """Serve the same systems in this process."""
    mocked = load_mocked(project / "src/my_tools/config/service.yaml", {})
    systems = MockSystems(mocked.apis, project / "src/my_tools")
    listening = socket.create_server(("127.0.0.1", 0))
    lines: list[str] = []
    async with MockServer(systems, read_faults(faults, ["claim", "code"]), listening, lines.append):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.req("toolkit/B4", "toolkit/H2")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("claim=cut", "unreachable"),
        ("claim=reset", "unreachable"),
        ("claim=garble", "invalid_answer"),
        ("claim=fail:503", "503"),
        ("*=fail:302", "302"),
        ("code=fail:500", "청구-1"),
    ],
)
async def test_a_mock_misbehaves_as_it_is_told(fault: str, code: str, project: Path) -> None:
    async with served(project, fault) as origin:
        assert [await asked(claim(origin)), await asked(claim(origin))] == [code, code]


@pytest.mark.req("toolkit/B4", "toolkit/H2")
async def test_a_slow_mock_makes_a_call_time_out(project: Path) -> None:
    async with served(project, "claim=delay:60000", "claim=fail:503") as origin:
        assert await asked(claim(origin, read_timeout_millis=100)) == "timeout"


ALLOWED: Final = "Allowed: API=delay:MILLISECONDS, API=fail:STATUS, API=cut, API=garble or API=reset (* is every API)\n"


@pytest.mark.req("toolkit/B4")
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("claims=cut", f'"claims=cut" names no API; there are: claim, code. {ALLOWED}'),
        ("cut", f'"cut" names no API; there are: claim, code. {ALLOWED}'),
        ("claim=delay", f'"claim=delay" is nothing that a mock can do. {ALLOWED}'),
        ("claim=delay:-1", f'"claim=delay:-1" is nothing that a mock can do. {ALLOWED}'),
        ("claim=fail:200", f'"claim=fail:200" is nothing that a mock can do. {ALLOWED}'),
        ("claim=cut:1", f'"claim=cut:1" is nothing that a mock can do. {ALLOWED}'),
        ("claim=melt", f'"claim=melt" is nothing that a mock can do. {ALLOWED}'),
    ],
)
def test_a_fault_that_is_none_is_refused(
    fault: str, message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mock", str(project), "--fault", fault]) == 2
    assert capsys.readouterr().err == f"axhub mock: {message}"


@pytest.mark.req("toolkit/B4")
def test_what_cannot_be_served_is_said_without_a_trace(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert main(["mock", "no_tools"]) == 2
    assert capsys.readouterr().err == (
        "axhub mock: there is no package 'no_tools' and no such folder; name a Tool Service's folder\n"
    )
    config = project / "src/my_tools/config/service.yaml"
    config.write_text(CONFIG.replace("method: GET", "method: FETCH, urll: /x"), encoding="utf-8")
    assert main(["mock", "."]) == 2
    err = capsys.readouterr().err
    assert "method" in err
    assert "2 faults" in err or "1 fault" in err
    config.write_text("mcp: {bundleId: a}\n", encoding="utf-8")
    assert main(["mock", "."]) == 2
    assert capsys.readouterr().err == (
        f"axhub mock: {config} names no API in glow.communication.http.api-list, and no system in "
        "glow.communication.mci.system-list\n"
    )
