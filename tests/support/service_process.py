"""`axhub service` as the process that a deployment runs: its log, its signals, its end."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from support import tree
from support.http import Lines, Response, exchange, render
from support.process import PATIENCE_SECONDS, Log

_COMMAND = (sys.executable, "-m", "axhub.cli.main", "service")


@dataclass
class ServiceProcess:
    """A service that has been started."""

    process: asyncio.subprocess.Process
    log: Log = field(default_factory=Log)
    port: int = 0

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    async def exit_code(self) -> int:
        """Wait for its end."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.process.wait()

    async def ready(self) -> None:
        """Wait until it answers calls."""
        self.port = (await self.log.event("listening"))["port"]

    async def in_flight(self, number: int) -> None:
        """Wait until it runs so many calls."""
        line = f"\naxhub_service_calls_in_flight {number}.0\n".encode()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while line not in (await self.look("/actuator/prometheus")).body:  # noqa: ASYNC110 -- a gauge has no event
                await asyncio.sleep(0.01)

    async def draining(self) -> None:
        """Wait until it says that it is not ready."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await self.look("/actuator/health/readiness")).status != 503:  # noqa: ASYNC110 -- as a prober does
                await asyncio.sleep(0.01)

    async def look(self, path: str) -> Response:
        """Get one of its pages."""
        return await self.send(path, b"", method="GET")

    async def send(self, path: str, body: bytes = b"{}", headers: Lines = (), *, method: str = "POST") -> Response:
        """Send one request on a connection of its own."""
        lines = ((b"Content-Type", b"application/json"), *headers)
        return await exchange(self.port, render(body, lines, method=method.encode(), path=path.encode()))


@asynccontextmanager
async def service_process(*words: str, cwd: Any = None, **environ: str) -> AsyncIterator[ServiceProcess]:
    """Run `axhub service WORDS…`; at the end of the block the process is gone."""
    path = os.pathsep.join([str(tree.ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    process = await asyncio.create_subprocess_exec(
        *_COMMAND, *words, stderr=asyncio.subprocess.PIPE, cwd=cwd, env={**os.environ, "PYTHONPATH": path, **environ}
    )
    running = ServiceProcess(process)
    assert process.stderr is not None
    reading = asyncio.create_task(running.log.follow(process.stderr))
    try:
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await reading


async def refused(*words: str, cwd: Any = None, **environ: str) -> tuple[int, str]:
    """Run `axhub service WORDS…` that does not start; return its exit code and what it says."""
    path = os.pathsep.join([str(tree.ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    process = await asyncio.create_subprocess_exec(
        *_COMMAND, *words, stderr=asyncio.subprocess.PIPE, cwd=cwd, env={**os.environ, "PYTHONPATH": path, **environ}
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        _, said = await process.communicate()
    return process.returncode or 0, said.decode()
