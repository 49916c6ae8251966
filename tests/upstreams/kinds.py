"""The MCP servers that these tests run: how each is started, which eras it speaks, and what it is known not to do."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from support import needs
from tools.conformance import npm
from tools.conformance.servers import CannotRun, await_port, free_port
from upstreams import prepare

SERVERS: Final = prepare.HERE / "servers"
EVERYTHING: Final = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
OLD, NEW = "legacy", "2026-07-28"
"""The two eras, as the Python client names them."""
PATIENCE_SECONDS: Final = 30.0


@dataclass(frozen=True)
class Kind:
    """One way to run one server."""

    name: str
    program: str
    """What has to be installed: `python`, `fastmcp` or `node`."""
    script: str
    flags: tuple[str, ...] = ()
    eras: tuple[str, ...] = (OLD, NEW)
    environment: Mapping[str, str] = field(default_factory=dict)
    has_sessions: bool = False
    """Whether it keeps sessions in the initialize era."""
    notices_leaving: tuple[str, ...] = (OLD, NEW)
    """The eras in which it cancels a tool whose caller is gone, or is told to be."""
    announces: tuple[str, ...] = (OLD, NEW)
    """The eras in which it tells a client that waits for it that its list has changed."""
    tells_the_caller: bool = False
    """Whether it tells this to the caller that changed it, on the stream of the call, and to nobody else."""
    reports_progress: bool = True

    @property
    def spoken(self) -> str:
        """The era in which a gateway talks to it: the newest that it speaks."""
        return NEW if NEW in self.eras else OLD


def _python(name: str, *flags: str, **more: object) -> Kind:
    return Kind(name, "python", "python_sdk.py", flags, **more)  # type: ignore[arg-type]  # the fields of Kind


def _fastmcp(name: str, *flags: str, **more: object) -> Kind:
    return Kind(name, "fastmcp", "fastmcp_server.py", flags, **more)  # type: ignore[arg-type]  # the fields of Kind


def _node(name: str, *flags: str, **more: object) -> Kind:
    return Kind(name, "node", "server.mjs", flags, **more)  # type: ignore[arg-type]  # the fields of Kind


KINDS: Final = (
    _python("python", has_sessions=True),
    _python("python-json", "--json", notices_leaving=(OLD,), reports_progress=False, has_sessions=True),
    _python("python-old", "--old", eras=(OLD,), has_sessions=True),
    _python(
        "python-old-stateless",
        "--old",
        "--stateless",
        "--json",
        eras=(OLD,),
        notices_leaving=(),
        announces=(),
        reports_progress=False,
    ),
    _fastmcp("fastmcp", announces=(), tells_the_caller=True, has_sessions=True),
    _fastmcp("fastmcp-old", "--old", eras=(OLD,), announces=(), tells_the_caller=True, has_sessions=True),
    _node("node", announces=(NEW,)),
    _node("node-old", "--old", eras=(OLD,), announces=()),
    _node("node-old-sessions", "--old", "--sessions", eras=(OLD,), has_sessions=True),
)
REFERENCE: Final = Kind(
    "everything", "node", EVERYTHING, ("streamableHttp",), eras=(OLD,), has_sessions=True, announces=()
)
"""The reference server has tools of its own, not those of the others."""


INSTALLED: Final[Mapping[str, Callable[[], bool]]] = {
    "python": lambda: True,
    "fastmcp": prepare.has_python,
    "node": prepare.has_node,
}


def missing(kind: Kind, installed: Mapping[str, Callable[[], bool]] = INSTALLED) -> str | None:
    """Return why a kind cannot be run here, or None."""
    return None if installed[kind.program]() else f"{kind.program} servers are not installed here: run `make upstreams`"


def require(kind: Kind, installed: Mapping[str, Callable[[], bool]] = INSTALLED) -> None:
    """Skip a test whose server is not installed, or fail it under AXHUB_REQUIRE_SERVERS=1."""
    if (reason := missing(kind, installed)) is None:
        return
    if os.environ.get(needs.REQUIRE) == "1":
        pytest.fail(f"{reason} ({needs.REQUIRE}=1)", pytrace=False)
    pytest.skip(reason)


class Server:
    """A server that can be started again on the same port."""

    def __init__(self, kind: Kind, log: Path) -> None:
        self.kind = kind
        self.port = 0
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its endpoint."""
        return f"http://127.0.0.1:{self.port}/mcp"

    def start(self) -> None:
        """Start it and wait until it listens."""
        port = self.port or (free_port() if self.kind is REFERENCE else 0)
        environment = {**os.environ, **self.kind.environment, "PORT": str(port)}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(port), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment
            )
        self.port = self._await_port(port, self._process)

    def stop(self) -> None:
        """End it: at once, as a crash does."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def _command(self, port: int) -> list[str]:
        if self.kind.program == "node":
            node = npm.node(prepare.NODE / "node_modules")
            said = [] if self.kind is REFERENCE else [str(port)]
            return [node, str(prepare.NODE / self.kind.script), *said, *self.kind.flags]
        python = str(prepare.PYTHON / "bin" / "python") if self.kind.program == "fastmcp" else sys.executable
        return [python, str(SERVERS / self.kind.script), str(port), *self.kind.flags]

    def _await_port(self, port: int, process: subprocess.Popen[bytes]) -> int:
        if self.kind is REFERENCE:  # it does not say which port it was given
            await_port(port, process, self._log)
            return port
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            if said := re.search(rb"^listening (\d+)$", self._log.read_bytes(), re.MULTILINE):
                return int(said[1])
            time.sleep(0.02)
        raise CannotRun(f"{self.kind.name} did not come up: {self._log.read_text(encoding='utf-8')[-2000:]}")


@contextmanager
def running(kind: Kind, folder: Path) -> Iterator[Server]:
    """Run a server of this kind until the block ends; its output lies in `folder`."""
    server = Server(kind, folder / f"{kind.name}.log")
    server.start()
    try:
        yield server
    finally:
        server.stop()
