"""What `axhub run` says when a part is late, a call fails, or nobody wants to wait (white box; the rest is a flow)."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from axhub.cli import children, run
from axhub.cli.children import Child
from axhub.cli.run_preconditions import StartError
from support.mcp_sdk_server import example_server, serving


@pytest.fixture
async def child(tmp_path: Path) -> AsyncIterator[Child]:
    command = [sys.executable, "-c", "print('대기 중', flush=True); import time; time.sleep(60)"]
    started = await children.start("the part", command, os.environ, tmp_path / "log", grace=5)
    yield started
    children.kill(started)
    await started.process.wait()


async def test_a_part_that_is_not_ready_in_time_is_named_with_its_last_lines(child: Child) -> None:
    with pytest.raises(StartError, match=r"^the part was not ready within 0\.1 s; its last lines:\n  \| "):
        await run._until_ok(child, 1, "/", [child], seconds=0.1)


async def test_a_second_signal_ends_the_parts_at_once(child: Child) -> None:
    stopped = asyncio.Event()
    run._on_signal(stopped, [child])
    assert stopped.is_set()
    assert child.process.returncode is None
    run._on_signal(stopped, [child])
    assert await child.process.wait() == -9


async def test_a_call_that_cannot_be_made_is_told() -> None:
    with pytest.raises(StartError, match=r"^the call through the gateway failed: nothing listens at "):
        await run._show("http://127.0.0.1:1/mcp")


async def test_a_call_that_the_tool_refuses_is_told_in_its_words() -> None:
    with (
        serving(example_server()) as server,
        pytest.raises(StartError, match=r"^the call through the gateway failed: Unknown tool: cmm_claim_search$"),
    ):
        await run._show(server.url)


@pytest.mark.parametrize("on_path", [True, False])
def test_the_commands_shown_are_ones_that_work_here(
    on_path: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent) if on_path else str(tmp_path))
    monkeypatch.chdir(tmp_path)
    command = run._program()
    assert command == "axhub" if on_path else Path(command).exists()
