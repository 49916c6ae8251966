"""`axhub run`, which `make run` is: from nothing to an answered call, and down again."""

import contextlib
import json
import os
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 40.0
AXHUB = [sys.executable, "-c", "import sys; from axhub.cli.main import main; sys.exit(main())"]


@dataclass
class Running:
    """One `axhub run` on ports of its own."""

    process: "subprocess.Popen[str]"
    ports: dict[str, int]
    lines: list[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports['AXHUB_PORT']}/mcp"

    def until_ready(self) -> None:
        """Read its output up to the line that says ready."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith("ready: "):
                return
        pytest.fail(f"ended before it was ready: {self.lines} {self.process.communicate()[1]}")

    def children(self) -> list[int]:
        """Return the processes that it has started."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]


def free_ports() -> dict[str, int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(4)]
        names = ("AXHUB_PORT", "AXHUB_MANAGEMENT_PORT", "AXHUB_TOOLS_PORT", "AXHUB_ORDERS_PORT")
        return {name: probe.getsockname()[1] for name, probe in zip(names, sockets, strict=True)}


def environment(ports: dict[str, int]) -> dict[str, str]:
    return {**os.environ, **{name: str(port) for name, port in ports.items()}}


def axhub(*words: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*AXHUB, *words], capture_output=True, text=True, check=False, timeout=DEADLINE, env={**os.environ, **environ}
    )


@contextlib.contextmanager
def started(cwd: Path = ROOT) -> Iterator[Running]:
    ports = free_ports()
    folder = tempfile.mkdtemp(prefix="axhub-test-")
    process = subprocess.Popen(
        [*AXHUB, "run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(ports) | {"TMPDIR": folder},
        cwd=cwd,
    )
    try:
        yield Running(process, ports, [])
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=DEADLINE)
        shutil.rmtree(folder)


def ended(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def ends(pid: int) -> bool:
    """Wait for a process that is no child of the test; False if it does not end in time."""
    try:
        with os.fdopen(os.pidfd_open(pid)) as process:
            return bool(select.select([process], [], [], DEADLINE)[0])
    except ProcessLookupError:
        return True


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with started() as run:
        run.until_ready()
        yield run


def test_it_tells_what_happened_and_how_to_connect_and_its_last_line_is_ready(running: Running) -> None:
    assert running.lines[-1] == f"ready: {running.url}"
    text = "\n".join(running.lines)
    assert re.search(r"the official MCP client found \d+ tools: .*cmm_claim_search", text)
    assert re.search(r"^it called cmm_claim_search, which asks an HTTP API, with .*:\n  \{\n", text, re.MULTILINE)
    assert '"statusLabel": "심사 중"' in text
    telegrams = r"^it called ins_loan_inquiry, which asks a system that speaks telegrams over TCP, with .*:\n  \{\n"
    assert re.search(telegrams, text, re.MULTILINE)
    assert '"yearlyRate": "4.2500"' in text
    assert re.search(rf"^  \S*axhub tools list {running.url}$", text, re.MULTILINE)
    assert f'"url": "{running.url}"' in text


@pytest.mark.req("gateway/C5")
@pytest.mark.parametrize("protocol", ["auto", "legacy", "2026-07-28"])
def test_the_commands_that_it_names_work(running: Running, protocol: str) -> None:
    listed = axhub("tools", "list", running.url, "--protocol", protocol)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert len([line for line in listed.stdout.splitlines() if line.startswith(("ins_", "cmm_"))]) >= 4
    words = ("ins_insurance_processor", "--args", '{"contractNo": "2023-0001234"}')
    assert f"tools call {running.url} {shlex.join(words)}" in "\n".join(running.lines)
    called = axhub("tools", "call", running.url, *words, "--protocol", protocol)
    assert (called.returncode, called.stderr) == (0, "")
    assert "무배당 든든한 건강보험" in called.stdout


@pytest.mark.needs("curl")
@pytest.mark.req("agent/A2", "agent/R5")
def test_what_it_says_to_type_leads_from_a_question_to_a_refund_that_a_person_approved(running: Running) -> None:
    text = "\n".join(running.lines)
    block = text[text.index("The order service has an assistant") : text.index("What the parts log")]
    commands = [line.strip() for line in block.splitlines() if line.startswith("  ")]
    ran = subprocess.run(
        ["bash", "-euc", "\n".join(commands)], capture_output=True, text=True, check=False, timeout=DEADLINE, cwd=ROOT
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    *answers, verified = ran.stdout.splitlines()
    found, waiting, pending, decided, answered, refunded = map(json.loads, answers)
    assert "ORD-100 무선 키보드" in found["content"]
    assert (waiting["status"], waiting["approvals"][0]["arguments"]) == (
        "waiting_for_approval",
        {"order_id": "ORD-100"},
    )
    assert [one["id"] for one in pending["approvals"]] == [waiting["approvals"][0]["id"]]
    assert (decided["decision"], decided["requester"], decided["approver"]) == ("approve", "minji", "boram")
    assert (answered["runId"], answered["content"]) == (waiting["runId"], "ORD-100 (무선 키보드) 주문을 환불했어요.")
    assert (refunded["orderId"], refunded["status"]) == ("ORD-100", "REFUNDED")
    assert re.fullmatch(r"audit: 1 tenants?, \d+ entries, whole", verified)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("cmm_claim_search", "{}", "claimNo 또는 contractNo 중 하나 이상이 필요합니다"),
        ("ins_insurance_processor", '{"contractNo": 1}', "INVALID_ARGUMENTS"),
        ("no_such_tool", "{}", "Tool not found"),
    ],
)
def test_a_mistake_is_told_in_words_and_exit_code_1(running: Running, name: str, arguments: str, told: str) -> None:
    called = axhub("tools", "call", running.url, name, "--args", arguments)
    assert called.returncode == 1
    assert told in called.stdout + called.stderr


def test_the_python_example_of_the_readme_works(running: Running) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[0]
    code = example.replace("http://127.0.0.1:8080/mcp", running.url)
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=DEADLINE, env=os.environ
    )
    assert ran.returncode == 0, ran.stderr
    assert "cmm_claim_search" in ran.stdout
    assert "심사 중" in ran.stdout


def test_taken_ports_are_named_with_their_variables_before_anything_starts(running: Running) -> None:
    ran = axhub("run", **{name: str(port) for name, port in running.ports.items()})
    assert (ran.returncode, ran.stdout) == (1, "")
    for name, port in running.ports.items():
        assert f"port {port} is taken: set {name} to a free one" in ran.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_it_runs_from_any_folder_and_a_signal_stops_all_of_it(number: signal.Signals, tmp_path: Path) -> None:
    with started(cwd=tmp_path) as run:
        run.until_ready()
        children = run.children()
        assert len(children) == 3
        run.process.send_signal(number)
        out, err = run.process.communicate(timeout=DEADLINE)
    assert (run.process.returncode, out, err) == (0, "", "stopped\n")
    assert ended(children)
    logs = re.findall(r"^What the parts log: (.+)$", "\n".join(run.lines), re.MULTILINE)
    assert [Path(folder).exists() for folder in logs] == [False]


def test_a_part_that_dies_is_told_with_its_last_lines_and_the_rest_is_stopped() -> None:
    with started() as run:
        run.until_ready()
        *others, gateway = sorted(run.children())
        os.kill(gateway, signal.SIGKILL)
        _, err = run.process.communicate(timeout=DEADLINE)
    assert run.process.returncode == 1
    assert err.startswith("axhub run: the gateway ended (exit code -9); its last lines:\n  | ")
    assert ended([*others, gateway])


def test_nothing_is_left_when_it_is_killed_outright() -> None:
    with started() as run:
        run.until_ready()
        children = run.children()
        run.process.kill()
        run.process.communicate(timeout=DEADLINE)
        assert [ends(pid) for pid in children] == [True, True, True]


def test_a_signal_while_starting_stops_what_was_started() -> None:
    with started() as run:
        assert run.process.stdout
        assert run.process.stdout.readline().startswith("starting the sample Tool Service")
        run.process.send_signal(signal.SIGINT)
        _, err = run.process.communicate(timeout=DEADLINE)
    assert (run.process.returncode, err) == (0, "stopped\n")
