"""Mocks of MCI systems: in a service in the profile local, and as `axhub mock`; well behaved and not (toolkit/B4)."""

import asyncio
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn

from axhub.cli.main import main
from axhub.toolkit.config.mocked import load_mocked
from axhub.toolkit.config.settings import LengthField
from axhub.toolkit.connectors.mci.client import PooledMciClient
from axhub.toolkit.connectors.mci.local import LocalMciClient
from axhub.toolkit.connectors.mci.mock_faults import MciMisbehaviour, read_all_faults
from axhub.toolkit.connectors.mci.mock_server import MciMockServer
from axhub.toolkit.connectors.mci.mock_systems import MciMock
from axhub.toolkit.connectors.mci.parts import parts_of
from axhub.toolkit.context import current_tool
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.mci import MciCall
from axhub.toolkit.service.app import ToolService
from axhub.toolkit.service.options import StartError
from axhub.toolkit.testing import ToolAnswer, call_tool, started
from support.mci_hosts import system
from support.mci_package import HEX, HTTP, TCP, mci_package
from support.tool_packages import ToolPackage

pytestmark = pytest.mark.req("toolkit/B4")


async def called(app: ToolService, claim_no: str) -> ToolAnswer:
    return await call_tool(app, "cmm_claim_search", {"claimNo": claim_no})


async def test_a_local_service_starts_the_mocks_of_systems_whose_port_is_0(tmp_path: Path) -> None:
    with mci_package(tmp_path) as package:
        app = ToolService(package.name)
        app.configure(profile="local", environ={})
        async with started(app):
            assert (await called(app, "1")).value == {"name": "홍길동", "amount": 5}
            refused = await called(app, "2")
            assert (refused.status, refused.value["error"]["message"]) == (422, "E0042 해지된 계약입니다")
            unwritable = await called(app, "3")
            assert unwritable.status == 422
            assert unwritable.value["error"]["message"].startswith("MOCK mock: samples/cmm_claim_search/mci-CL")


async def test_a_local_service_serves_telegrams_as_bodies(tmp_path: Path) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    port = str(listening.getsockname()[1])
    with mci_package(tmp_path, HTTP) as package:
        app = ToolService(package.name)
        app.configure(profile="local", environ={"AXHUB_SERVICE__SERVER__PORT": port})
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", ws="none"))
        task = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            assert not task.done()
            await asyncio.sleep(0.01)
        assert (await called(app, "1")).value == {"name": "홍길동", "amount": 5}
        assert (await called(app, "2")).value["error"]["message"] == "E0042 해지된 계약입니다"
        server.should_exit = True
        await task


async def test_a_system_without_an_envelope_stops_the_start(tmp_path: Path) -> None:
    with mci_package(tmp_path, TCP.replace("name: cfpa", "name: other")) as package:
        app = ToolService(package.name)
        app.configure(profile="local", environ={})
        with pytest.raises(StartError) as caught:
            await app.start()
    assert str(caught.value).partition(":\n")[2] == (
        '  - CfpaClient.SYSTEM is "cfpa", and glow.communication.mci.system-list has no entry of that name; there are: '
        "other\n"
        "  - the port of the MCI system other is 0, so the service has to mock it, and infra/mci/other has no "
        "ENVELOPE; write envelope.py there, or give the system a port"
    )


async def test_a_local_service_answers_each_tool_with_its_own_samples(tmp_path: Path) -> None:
    with mci_package(tmp_path) as package:
        package.write("samples/ins_claim_count/mci-CLCNNB00001.json", '{"name": "임꺽정", "amount": 1}')
        parts = parts_of(package.name)["cfpa"]
        asked = parts.requests["CLCNNB00001"](claim_no="1")
        names: list[str] = []
        async with LocalMciClient([system(0)], lambda: {"cfpa": parts}, package.folder) as client:
            for tool in ("cmm_claim_search", "ins_claim_count", "", "other"):
                current_tool.set(tool)
                found: Any = await client.call("cfpa", parts.envelope, asked, parts.answers["CLCNNB00001"])
                names.append(found.name)
    assert names == ["홍길동", "임꺽정", "홍길동", "홍길동"]


@asynccontextmanager
async def served(package: ToolPackage, fault: MciMisbehaviour, **more: Any) -> AsyncIterator[tuple[Any, list[str]]]:
    """Serve the system in this process; yield what calls it, and the lines about requests."""
    parts = parts_of(package.name)["cfpa"]
    listening = socket.create_server(("127.0.0.1", 0))
    there = system(listening.getsockname()[1], **{"total_timeout_millis": 5000, **more})
    lines: list[str] = []

    async def call(claim_no: str = "1") -> str:
        try:
            asked = parts.requests["CLCNNB00001"](claim_no=claim_no)
            found: Any = await client.call("cfpa", parts.envelope, asked, parts.answers["CLCNNB00001"])
        except LegacyError as error:
            return error.code
        return str(found.name)

    mock = MciMock(parts, package.folder)
    async with MciMockServer(there, mock, listening, lines.append, fault), PooledMciClient([there]) as client:
        yield call, lines


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("delay:1", ["홍길동", "홍길동", "홍길동"]),
        ("delay:60000", ["timeout", "timeout", "timeout"]),
        ("half", ["홍길동", "홍길동", "홍길동"]),
        ("double", ["홍길동", "홍길동", "홍길동"]),
        ("late:1", ["홍길동", "홍길동", "홍길동"]),
        ("cut", ["unreachable", "unreachable", "unreachable"]),
        ("reset", ["unreachable", "unreachable", "unreachable"]),
        ("garble", ["invalid_answer", "invalid_answer", "invalid_answer"]),
        ("wrong", ["invalid_answer", "invalid_answer", "invalid_answer"]),
        ("fail:E1", ["E1", "E1", "E1"]),
    ],
)
@pytest.mark.req("toolkit/B3")
async def test_a_mock_misbehaves_as_it_is_told(fault: str, expected: list[str], tmp_path: Path) -> None:
    _, faults = read_all_faults([f"cfpa={fault}"], [], ["cfpa"])
    with mci_package(tmp_path) as package:
        waits = 100 if expected[0] == "timeout" else 5000
        async with served(package, faults["cfpa"], total_timeout_millis=waits) as (call, _):
            found = []
            for _ in expected:
                found.append(await call())
                await asyncio.sleep(0.005)
            assert found == expected


async def test_samples_answer_what_they_are_for_and_captured_ones_too(tmp_path: Path) -> None:
    with mci_package(tmp_path) as package:
        async with served(package, MciMisbehaviour()) as (call, lines):
            assert [await call("1"), await call("2")] == ["홍길동", "E0042"]
            package.write("samples/cmm_claim_search/mci-CLCNNB00001.json", '{"name": "임꺽정", "amount": 5}')
            assert await call("1") == "임꺽정"
            (package.folder / "samples/cmm_claim_search/mci-CLCNNB00001.json").unlink()
            package.write("samples/cmm_claim_search/mci-CLCNNB00001.hex", HEX)
            assert await call("1") == "김철수"
    assert lines == [
        "mci cfpa CLCNNB00001 samples/cmm_claim_search/mci-CLCNNB00001.json",
        "mci cfpa CLCNNB00001 samples/cmm_claim_search/mci-CLCNNB00001-2.json",
        "mci cfpa CLCNNB00001 samples/cmm_claim_search/mci-CLCNNB00001.json",
        "mci cfpa CLCNNB00001 samples/cmm_claim_search/mci-CLCNNB00001.hex",
    ]


@pytest.mark.req("toolkit/B3")
@pytest.mark.parametrize(
    "length",
    [
        LengthField(),
        LengthField(kind="big", size=4, place="prefix", includes_itself=False),
        LengthField(kind="little", size=2, place="prefix"),
        LengthField(kind="bcd", size=3, place="prefix", correction=7),
        LengthField(kind="ascii", size=4, includes_itself=False),
    ],
)
async def test_a_mock_tells_telegrams_apart_as_its_system_does(length: LengthField, tmp_path: Path) -> None:
    with mci_package(tmp_path) as package:
        async with served(package, MciMisbehaviour(half=True), length=length) as (call, _):
            assert [await call("1"), await call("2"), await call("1")] == ["홍길동", "E0042", "홍길동"]


async def test_a_mock_of_one_interface_needs_no_field_that_names_it(tmp_path: Path) -> None:
    with mci_package(tmp_path) as package:
        parts = parts_of(package.name)["cfpa"]
        nameless = replace(parts, envelope=replace(parts.envelope, interface=""))
        mock = MciMock(nameless, package.folder)
        call = MciCall(interface_id="x", correlation_id="1" * 32, trace_id="", request_id="", sent_at=NOON)
        sent = nameless.envelope.request(call, parts.requests["CLCNNB00001"](claim_no="1"))
        assert mock.answer(sent.raw).sample == "samples/cmm_claim_search/mci-CLCNNB00001.json"
        unknown = MciMock(parts, package.folder).answer(sent.raw)
        assert (unknown.raw, unknown.problem) == (None, "no interface that is known; there are: CLCNNB00001")
        cut = mock.answer(sent.raw[:-1])
        assert (cut.raw, cut.problem) == (
            None,
            "the request is no telegram: CLCNNB00001_I: 15 bytes came, and 16 are laid down",
        )


NOON: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
BROKEN: Final = "samples/cmm_claim_search/mci-CLCNNB00001.json: "


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", f"{BROKEN}not readable as JSON in UTF-8 (JSONDecodeError)"),
        ("[]", f"{BROKEN}it has to be an object with the fields of the answer"),
        (
            '{"request": 1, "answer": {}}',
            f"{BROKEN}request has to be an object with the fields that a request must have",
        ),
        ('{"request": {}, "answer": 1}', f"{BROKEN}answer has to be an object with the fields of the answer"),
        (
            '{"request": {}, "error": {"message": "x"}}',
            f'{BROKEN}error has to be an object such as {{"code": "E0042", "message": "…"}}',
        ),
        ('{"name": "x", "amount": "geheim"}', f"{BROKEN}amount: a whole number has to be here"),
        (
            '{"name": "geheim geheim", "amount": 1}',
            f"{BROKEN}CLCNNB00001_O.name @byte 0: 13 bytes do not fit in 10",
        ),
        (
            '{"request": {"claim_no": "9"}, "answer": {"name": "x", "amount": 1}}',
            "no sample of samples/*/mci-CLCNNB00001.json is for this request",
        ),
        (None, "there is no sample samples/*/mci-CLCNNB00001.json"),
    ],
)
async def test_what_is_wrong_with_a_sample_is_told(text: str | None, problem: str, tmp_path: Path) -> None:
    with mci_package(tmp_path) as package:
        for file in package.folder.glob("samples/*/*"):
            file.unlink()
        if text is not None:
            package.write("samples/cmm_claim_search/mci-CLCNNB00001.json", text)
        async with served(package, MciMisbehaviour()) as (call, lines):
            assert await call() == "MOCK"
    assert lines == [f"mci cfpa CLCNNB00001 {problem}"]


@asynccontextmanager
async def mock(folder: Path, *faults: str) -> AsyncIterator[tuple[dict[str, str], list[str]]]:
    """Run the command; yield the variables it names, and the lines it printed, all of them once it has ended."""
    words = [word for fault in faults for word in ("--fault", fault)]
    command = [sys.executable, "-m", "axhub.cli.main", "mock", ".", "--port", "0", *words]
    process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    lines: list[str] = []
    try:
        while not lines or not re.match(r"  CFPA_(PORT|DOMAIN)=", lines[-1]):
            lines.append((await process.stdout.readline()).decode())
            assert lines[-1]
        yield dict(line.strip().split("=", 1) for line in lines if "=" in line), lines
    finally:
        process.send_signal(signal.SIGTERM)
        rest, _ = await process.communicate()
        lines += rest.decode().splitlines(keepends=True)
        assert process.returncode == 0


async def test_the_command_serves_systems_over_tcp(tmp_path: Path) -> None:
    with mci_package(tmp_path) as package:
        async with mock(tmp_path, "cfpa=half") as (variables, lines):
            app = ToolService(package.name)
            app.configure(profile="local", environ=variables)
            async with started(app):
                assert (await called(app, "1")).value == {"name": "홍길동", "amount": 5}
    told = re.sub(r"127\.0\.0\.1:\d+|(?<=_PORT=)\d+", "HERE", "".join(lines))
    assert told == (
        "mock systems on http://HERE; Ctrl-C ends them\n"
        "  cfpa  TCP HERE  (half)\n"
        "    CLCNNB00001  samples/cmm_claim_search/mci-CLCNNB00001.json, "
        "samples/cmm_claim_search/mci-CLCNNB00001-2.json, samples/cmm_claim_search/mci-CLCNNB00001-3.json\n"
        "to call them, start the service with:\n"
        "  CFPA_HOST=127.0.0.1\n"
        "  CFPA_PORT=HERE\n"
        "mci cfpa CLCNNB00001 samples/cmm_claim_search/mci-CLCNNB00001.json (half)\n"
    )


async def test_the_command_serves_telegrams_as_bodies(tmp_path: Path) -> None:
    with mci_package(tmp_path, HTTP) as package:
        async with mock(tmp_path) as (variables, lines):
            app = ToolService(package.name)
            app.configure(profile="local", environ=variables)
            async with started(app):
                assert (await called(app, "1")).value == {"name": "홍길동", "amount": 5}
    told = re.sub(r"127\.0\.0\.1:\d+", "HERE", "".join(lines))
    assert "  cfpa  POST http://HERE/api/mock/mci/cfpa\n" in told
    assert "POST /api/mock/mci/cfpa 200 cfpa samples/cmm_claim_search/mci-CLCNNB00001.json\n" in told


ALLOWED: Final = (
    "Allowed: API=delay:MILLISECONDS, API=fail:STATUS, API=cut, API=garble or API=reset (* is every API); for MCI "
    "systems over TCP SYSTEM=delay:MILLISECONDS, SYSTEM=late:MILLISECONDS, SYSTEM=fail:CODE, SYSTEM=cut, "
    "SYSTEM=garble, SYSTEM=reset, SYSTEM=half, SYSTEM=double or SYSTEM=wrong"
)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("cfp=cut", f'"cfp=cut" names no API; there are: claim, cfpa. {ALLOWED}'),
        ("cfpa=melt", f'"cfpa=melt" is nothing that a mock can do. {ALLOWED}'),
        ("cfpa=delay", f'"cfpa=delay" is nothing that a mock can do. {ALLOWED}'),
        ("cfpa=half:1", f'"cfpa=half:1" is nothing that a mock can do. {ALLOWED}'),
        ("cfpa=late:99999999", f'"cfpa=late:99999999" is nothing that a mock can do. {ALLOWED}'),
    ],
)
def test_a_fault_that_is_none_is_refused(fault: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_all_faults([fault], ["claim"], ["cfpa"])


def test_a_fault_of_all_goes_to_those_that_can_do_it() -> None:
    http, mci = read_all_faults(["*=half", "*=delay:3", "*=cut", "claim=fail:500"], ["claim"], ["cfpa"])
    assert {name: str(fault) for name, fault in http.items()} == {"claim": "delay 3 ms, fail 500, cut"}
    assert {name: str(fault) for name, fault in mci.items()} == {"cfpa": "delay 3 ms, cut, half"}


def test_a_package_without_an_envelope_or_that_fails_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = mci_package(tmp_path, TCP.replace("name: cfpa", "name: other"))
    assert main(["mock", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        "axhub mock: the MCI system other cannot be mocked: no folder of infra/mci has its ENVELOPE; write "
        "infra/mci/other/envelope.py\n"
    )
    package.write("infra/mci/cfpa/late.py", "raise RuntimeError('geheim')\n")
    assert main(["mock", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"axhub mock: the package {package.name} cannot be imported (RuntimeError); axhub check says where\n"
    )


def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mci_package(tmp_path)
    with pair() as port:
        assert main(["mock", str(tmp_path), "--port", str(port - 1)]) == 1
    assert f"127.0.0.1:{port} " in capsys.readouterr().err


@contextmanager
def pair() -> Iterator[int]:
    """Hold a port whose neighbour below is free."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as below:
            try:
                taken = socket.create_server(("127.0.0.1", below.getsockname()[1] + 1))
            except OSError:
                continue
        with taken:
            yield taken.getsockname()[1]
        return


def test_the_address_of_a_mocked_system_need_not_be_set(tmp_path: Path) -> None:
    entry = TCP.replace("${CFPA_HOST:localhost}", "${CFPA_HOST}").replace("${CFPA_PORT:0}", "${CFPA_PORT}")
    package = mci_package(tmp_path, entry)
    mocked = load_mocked(package.folder / "config/service.yaml", {})
    assert [one.name for one in mocked.systems] == ["cfpa"]
    assert mocked.system_variables == {"cfpa": {"host": "CFPA_HOST", "port": "CFPA_PORT"}}
