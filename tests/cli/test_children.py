"""Child processes: watched while they run, ended in order, and quoted when they die."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from axhub.cli import children
from axhub.cli.children import Child, ChildEndedError
from axhub.cli.with_parent import end_with_parent

Start = Callable[..., Awaitable[Child]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    started: list[Child] = []

    async def begin(code: str, grace: float = 5.0) -> Child:
        log = tmp_path / f"{len(started)}.log"
        child = await children.start(f"child {len(started)}", [sys.executable, "-c", code], os.environ, log, grace)
        started.append(child)
        return child

    yield begin
    for child in started:
        children.kill(child)
        await child.process.wait()


async def printed(child: Child, text: str) -> None:
    async with asyncio.timeout(10):
        while text not in child.log.read_text():  # noqa: ASYNC110 - what is awaited is another process
            await asyncio.sleep(0.01)


async def test_a_child_that_ends_is_reported_with_its_exit_code_and_last_lines(start: Start) -> None:
    lasting = await start("import time; time.sleep(60)")
    dying = await start("print('\\n'.join(map(str, range(30)))); print('포트 오류'); raise SystemExit(3)")
    with pytest.raises(ChildEndedError) as caught:
        await children.watch([lasting, dying])
    first, *lines = str(caught.value).splitlines()
    assert first == "child 1 ended (exit code 3); its last lines:"
    assert lines == [f"  | {number}" for number in range(11, 30)] + ["  | 포트 오류"]


async def test_a_child_that_said_nothing_is_said_so(start: Start) -> None:
    with pytest.raises(ChildEndedError, match=r"it printed nothing"):
        await children.watch([await start("")])


async def test_work_goes_on_while_all_live_and_stops_when_one_ends(start: Start) -> None:
    child = await start("import time; time.sleep(60)")

    async def work() -> str:
        return "done"

    assert await children.unless_one_ends(work(), [child]) == "done"
    forever = asyncio.Event()
    children.kill(child)
    with pytest.raises(ChildEndedError, match=r"exit code -9"):
        await children.unless_one_ends(forever.wait(), [child])


async def test_children_are_asked_to_end_the_last_started_first(start: Start, tmp_path: Path) -> None:
    order = tmp_path / "order"
    code = f"""
import signal, sys, time
def end(*_):
    with open({str(order)!r}, "a") as file:
        print("NAME", file=file)
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
print("up", flush=True)
time.sleep(60)
"""
    first, second = await start(code.replace("NAME", "first")), await start(code.replace("NAME", "second"))
    await printed(first, "up")
    await printed(second, "up")
    await children.stop([first, second])
    assert (first.process.returncode, second.process.returncode) == (0, 0)
    assert order.read_text().split() == ["second", "first"]


async def test_a_child_that_does_not_end_in_its_grace_is_killed(start: Start) -> None:
    stubborn = await start(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)",
        grace=0.1,
    )
    await printed(stubborn, "up")
    await children.stop([stubborn])
    assert stubborn.process.returncode == -9
    await children.stop([stubborn])


async def test_readiness_is_a_200_and_everything_else_is_asked_again() -> None:
    answers = [b"", b"garbage\r\n\r\n", b"HTTP/1.1 503 Busy\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"]
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0])
        writer.write(answers[min(len(asked), len(answers)) - 1])
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        async with asyncio.timeout(10):
            await children.until_ok("127.0.0.1", port, "/ready")
    assert asked == [b"GET /ready HTTP/1.1"] * 4


async def test_readiness_waits_for_a_port_on_which_nothing_listens_yet() -> None:
    waiting = asyncio.create_task(children.until_ok("127.0.0.1", 1, "/"))
    done, _ = await asyncio.wait([waiting], timeout=0.12)
    assert not done
    waiting.cancel()


def test_a_program_whose_parent_is_gone_already_does_not_start() -> None:
    with pytest.raises(SystemExit):
        end_with_parent(1 if os.getppid() != 1 else 2)


def test_a_program_that_is_bound_to_its_parent_starts() -> None:
    code = "import os; from axhub.cli.with_parent import main; main([str(os.getppid()), '/bin/echo', 'it', 'runs'])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "it runs\n"


def test_a_program_that_is_not_there_is_said_so() -> None:
    code = "import os; from axhub.cli.with_parent import main; main([str(os.getppid()), '/no/such/program'])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.endswith("No such file or directory\n")
