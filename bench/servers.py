"""Starts and stops the processes of a run: each pinned to its core, its output drained, readiness waited for."""

import http.client
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from bench.inputs import Request
from bench.processes import pinned

START_SECONDS = 30.0
STOP_SECONDS = 10.0
TAIL_BYTES = 4096


class NotRunning(Exception):  # noqa: N818 - it is a state that a run reports, not a fault
    """A server could not be brought up or measured; the message is the reason, for the report."""


@dataclass(frozen=True, slots=True)
class Server:
    """How one process under test, or the upstream, is started."""

    name: str
    command: tuple[str, ...]
    port: int
    probe: Request
    """Answered with 200 as soon as the server is of use."""
    environment: Mapping[str, str] = field(default_factory=dict)
    management_port: int = 0
    """Where it serves its metrics; 0: nowhere."""


class Drain:
    """Reads a process's log as fast as it comes, counts its lines and keeps the end for an error message."""

    def __init__(self, descriptor: int) -> None:
        self.lines = 0
        self.bytes = 0
        self._tail = b""
        self._descriptor = descriptor
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while chunk := os.read(self._descriptor, 1 << 20):
            self.lines += chunk.count(b"\n")
            self.bytes += len(chunk)
            self._tail = (self._tail + chunk)[-TAIL_BYTES:]
        os.close(self._descriptor)

    def tail(self) -> bytes:
        """Return the end of the log, once the process has ended."""
        self._thread.join(STOP_SECONDS)
        return self._tail

    def last_line(self) -> str:
        """Return the last line that is not blank, once the process has ended."""
        lines = [line for line in self.tail().decode(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else "it wrote nothing"


@dataclass(frozen=True, slots=True)
class Running:
    """A started server."""

    server: Server
    process: subprocess.Popen[bytes]
    log: Drain

    def stop(self) -> None:
        """End the process, kindly first."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    """Return a loopback port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Fetched(NamedTuple):
    """One HTTP answer."""

    status: int
    body: bytes
    size: int
    """Bytes on the wire: status line, headers and body."""


def fetch(port: int, request: Request, timeout: float = 10.0) -> Fetched:
    """Send one request over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        method = "POST" if request.body else "GET"
        connection.request(method, request.path, body=request.body or None, headers=dict(request.headers))
        answer = connection.getresponse()
        body = answer.read()
        head = len(f"HTTP/1.1 {answer.status} {answer.reason}") + sum(
            len(k) + len(v) + 4 for k, v in answer.getheaders()
        )
        return Fetched(answer.status, body, head + 4 + len(body))
    finally:
        connection.close()


def start(server: Server, core: int, started: Callable[[Running], None]) -> Running:
    """Start a server on a core and wait until it is of use; `started` hears of the process at once, to stop it later.

    Raises:
        NotRunning: the program is missing, ended, or did not answer in time.
    """
    reader, writer = os.pipe()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("AXHUB_")}
    try:
        with pinned(core):
            process = subprocess.Popen(
                server.command,
                env=environment | dict(server.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=writer,
            )
    except OSError as error:
        os.close(reader)
        raise NotRunning(f"{server.command[0]} cannot be started: {error.strerror}") from error
    finally:
        os.close(writer)
    running = Running(server, process, Drain(reader))
    started(running)
    _await_ready(running)
    return running


def _await_ready(running: Running) -> None:
    problem = ""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if (code := running.process.poll()) is not None:
            raise NotRunning(f"it ended with exit code {code}: {running.log.last_line()}")
        try:
            answer = fetch(running.server.port, running.server.probe)
        except (OSError, http.client.HTTPException) as error:
            problem = str(error)
        else:
            if answer.status == http.HTTPStatus.OK:
                return
            problem = f"HTTP {answer.status} {answer.body[:200]!r}"
        time.sleep(0.1)
    raise NotRunning(f"it did not become ready in {START_SECONDS:.0f} s: {problem}")


def program(name: str, package: str) -> str:
    """Return where a program is.

    Raises:
        NotRunning: it is not there; the message names the Debian package that brings it.
    """
    for folder in [*os.environ.get("PATH", "").split(":"), "/usr/sbin", "/usr/local/sbin"]:
        if folder and os.access(candidate := Path(folder) / name, os.X_OK):
            return str(candidate)
    raise NotRunning(f"{name} is not installed (Debian package: {package})")
