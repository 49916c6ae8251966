"""The service of `support.desk_tools` in the test's own process: called as ASGI, or served on loopback by uvicorn."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from axhub.toolkit import EmployeeCipher, RepeatStore, ToolService
from axhub.toolkit.config.settings import ServerSettings, ServiceSettings
from axhub.toolkit.service.log import LOGGER, JsonFormatter
from axhub.toolkit.testing import FakeCipher, MemoryRepeatStore, ToolAnswer, call_tool
from support.asgi_server import on_loopback
from support.desk_tools.biz.desk.usecase import Ledger
from support.http import Lines, Response, exchange, render

TIMEOUTS = {"desk_sleep": 300, "desk_stubborn": 300}


def settings(**said: Any) -> ServiceSettings:
    """Return the settings of the desk: local, with short timeouts for the tools that wait."""
    return ServiceSettings(**{"bundle_id": "desk", "profile": "local", "timeouts_millis": TIMEOUTS, **said})


@dataclass
class Desk:
    """A running service, what its tools did, and what it logged."""

    app: ToolService
    ledger: Ledger
    log_lines: list[str] = field(default_factory=list)
    port: int = 0

    async def call(self, name: str, arguments: Any = None, **headers: str) -> ToolAnswer:
        """Call a tool in this process; `employee_no="…"` is the header `employee-no`."""
        lines = {key.replace("_", "-"): value for key, value in headers.items()}
        return await call_tool(self.app, name, arguments, headers=lines)

    async def send(self, path: str, body: bytes = b"{}", headers: Lines = (), *, method: str = "POST") -> Response:
        """Send one request over the wire."""
        typed = any(name.lower() == b"content-type" for name, _ in headers)
        lines = headers if typed or method != "POST" else ((b"Content-Type", b"application/json"), *headers)
        return await exchange(self.port, render(body, lines, method=method.encode(), path=path.encode()))

    @property
    def log(self) -> list[dict[str, Any]]:
        """The log so far, an object a line."""
        return [json.loads(line) for line in self.log_lines]

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Return the events of one name."""
        return [line for line in self.log if line["event"] == event]

    @property
    def metrics(self) -> dict[str, float]:
        """Return all samples by name and labels as they are written."""
        text = self.app.prepare().endpoint.metrics.text().decode()
        samples = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in samples}


@asynccontextmanager
async def desk(store: Any = None, provide: Mapping[Any, Any] | None = None, **said: Any) -> AsyncIterator[Desk]:
    """Start the service without a socket."""
    ledger = Ledger()
    given = {EmployeeCipher: FakeCipher, Ledger: ledger, RepeatStore: store or MemoryRepeatStore(), **(provide or {})}
    app = ToolService("support.desk_tools", provide=given)
    app.configure(settings=settings(**said), environ={})
    running = Desk(app, ledger)
    with logged_to(running.log_lines):
        await app.start()
        try:
            yield running
        finally:
            await app.stop()


@asynccontextmanager
async def served(store: Any = None, *, port: int = 0, **said: Any) -> AsyncIterator[Desk]:
    """Start the service behind uvicorn on a port of loopback."""
    async with desk(store, **said) as running, on_loopback(running.app, port, lifespan="off") as bound:
        running.port = bound
        yield running


@contextmanager
def logged_to(lines: list[str]) -> Iterator[None]:
    """Collect the lines that the service logs, as its own format writes them."""

    class Collecting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler = Collecting()
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger(LOGGER)
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


def bounded_server(**said: Any) -> ServerSettings:
    """Return server settings with other bounds."""
    return replace(ServerSettings(), **said)


async def eventually(true: Any) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.002)
