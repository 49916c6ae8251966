"""Child processes of `axhub run`: started in sessions of their own, watched, ended by pid in the right order.

Their output goes to files, so that nothing has to drain a pipe and the last lines are there when one dies.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeVar

_T = TypeVar("_T")
_LAST_LINES: Final = 20
_TAIL_BYTES: Final = 16_384
_POLL_SECONDS: Final = 0.05


class ChildEndedError(Exception):
    """A child ended though nobody stopped it; the message has its exit code and last lines."""


@dataclass(frozen=True, slots=True)
class Child:
    """One running program: what people call it, where its output goes, how many seconds it may take to end."""

    name: str
    process: asyncio.subprocess.Process
    log: Path
    grace: float

    def last_lines(self) -> str:
        """Return the end of its output, each line marked."""
        text = self.log.read_bytes()[-_TAIL_BYTES:].decode(errors="replace")
        return "\n".join(f"  | {line}" for line in text.splitlines()[-_LAST_LINES:]) or "  | (it printed nothing)"


async def start(name: str, command: Sequence[str], environ: Mapping[str, str], log: Path, grace: float) -> Child:
    """Start a program with its output in `log`.

    Its session is new, so Ctrl-C in the terminal does not reach it; it is ended if this process is killed.
    """
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "axhub.cli.with_parent", str(os.getpid())),
            *command,
            env=dict(environ),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    return Child(name, process, log, grace)


async def stop(children: Sequence[Child]) -> None:
    """End the children, the last started first: SIGTERM, and SIGKILL for one that takes longer than its grace."""
    for child in reversed(children):
        _signal(child, signal.SIGTERM)
        try:
            await asyncio.wait_for(child.process.wait(), child.grace)
        except TimeoutError:
            kill(child)
            await child.process.wait()


def kill(child: Child) -> None:
    """End a child at once."""
    _signal(child, signal.SIGKILL)


async def watch(children: Sequence[Child]) -> None:
    """Wait until a child ends.

    Raises:
        ChildEndedError: always, when that happens.
    """
    waits = {asyncio.ensure_future(child.process.wait()): child for child in children}
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    child = waits[done.pop()]
    code = child.process.returncode
    raise ChildEndedError(f"{child.name} ended (exit code {code}); its last lines:\n{child.last_lines()}")


async def unless_one_ends(work: Coroutine[Any, Any, _T], children: Sequence[Child]) -> _T:
    """Return what `work` returns.

    Raises:
        ChildEndedError: a child ended before.
    """
    task, end = asyncio.ensure_future(work), asyncio.ensure_future(watch(children))
    try:
        await asyncio.wait((task, end), return_when=asyncio.FIRST_COMPLETED)
        if end.done():
            end.result()
        return await task
    finally:
        task.cancel()
        end.cancel()
        await asyncio.gather(task, end, return_exceptions=True)


async def until_ok(host: str, port: int, path: str) -> None:
    """Ask until a GET of `path` is answered with 200."""
    while await _status(host, port, path) != HTTPStatus.OK:  # noqa: ASYNC110 - what is awaited is another process
        await asyncio.sleep(_POLL_SECONDS)


async def _status(host: str, port: int, path: str) -> int:
    """Return the status of one GET, 0 if nothing answers in HTTP."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except OSError:
        return 0
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        words = (await reader.readline()).split()
    except OSError:
        return 0
    finally:
        writer.close()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _signal(child: Child, number: signal.Signals) -> None:
    if child.process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.process.pid, number)
