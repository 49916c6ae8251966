"""The gateway as a process: listen, serve, drain, end (gateway/C6, ops/O5)."""

import asyncio
import errno
import gc
import os
import signal
import sys
from typing import Final

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.server import Http1Server, ServerLimits
from axhub.gateway.adapters.log import JsonLog, TextLog
from axhub.gateway.adapters.log_writer import LineWriter
from axhub.gateway.adapters.management_http import refusal
from axhub.gateway.adapters.mcp import wire as mcp_wire
from axhub.gateway.adapters.name_lookups import Loop
from axhub.gateway.config import Loaded
from axhub.gateway.config.settings import DiscoverySettings, ServeSettings, Settings
from axhub.gateway.main.open_files import make_room
from axhub.gateway.main.wire import Gateway, Log, wire
from axhub.gateway.ports import Clock, Severity

DRAINED: Final = 0
FAILED: Final = 1
_LAST_ANSWERS_SECONDS: Final = 0.25
"""How long callers whose calls were cut may take to read that they were."""
_MARGIN_SECONDS: Final = 3.0
"""What an answer may take beyond the pull that a missing tool may cost and the time of the call itself."""
_MANAGEMENT: Final = ServerLimits(max_connections=32, max_turned_away=8)


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Return a loop for `serve`: uvloop's, in which a name that hangs holds up nobody else (decision 0013)."""
    return Loop()


async def serve(loaded: Loaded) -> int:
    """Run until a signal asks to stop; return the exit code (gateway/C6)."""
    clock = SystemClock()
    writer = LineWriter(sys.stderr.fileno())
    log = _log(loaded.settings, writer, clock)
    writer.start(log.dropped_line)
    try:
        return await _serve(loaded, log, clock, writer)
    finally:
        writer.close()


async def _serve(loaded: Loaded, log: Log, clock: Clock, writer: LineWriter) -> int:
    settings = loaded.settings
    for warning in loaded.warnings:
        log.event(Severity.WARNING, "configuration", message=warning)
    gateway = wire(settings, log, clock, None if loaded.local is None else loaded.local.manifest)
    gateway.dropped_lines = lambda: writer.dropped
    gateway.failed_log_writes = lambda: writer.failures
    serving = settings.serve
    answer = gateway.endpoint.__call__  # the bound method: Python calls that faster than an object with the method
    front = Http1Server(answer, mcp_wire.refuse, _limits(settings, log), clock)
    back = Http1Server(gateway.management(), refusal, _MANAGEMENT, clock)
    gateway.connections = lambda: front.connections
    stop, at_once = _stop_signals()
    for server, host, port, role in (
        (back, serving.management_host, serving.management_port, "management-"),
        (front, serving.host, serving.port, ""),
    ):
        try:
            await server.start(host, port)
        except OSError as error:
            log.event(Severity.ERROR, "not_listening", message=_not_listening(serving, host, port, role, error))
            await back.close()
            return FAILED
    gc.collect()
    gc.freeze()  # what was built at start stays for ever: the collector need not look at it again
    log.event(Severity.INFO, "listening", host=serving.host, port=front.port, managementPort=back.port)
    async with gateway.refreshing():
        await stop.wait()
        gateway.draining = True
        log.event(Severity.INFO, "draining", seconds=settings.drain_seconds)
        gateway.endpoint.subscriptions.close()  # they would not end by themselves
        front.stop_accepting()
        cut = await _drain(front, gateway, settings.drain_seconds, at_once)
        log.event(Severity.INFO, "stopped", callsCut=cut)
    await front.close()
    await back.close()
    return DRAINED


def _limits(settings: Settings, log: Log) -> ServerLimits:
    """Return the bounds of the MCP port; fewer callers than configured where files are too few, and a warning."""
    calls = min(settings.max_in_flight_calls, sum(bundle.max_concurrent_calls for bundle in settings.enabled_bundles))
    room = make_room(settings.max_connections, calls + len(settings.enabled_bundles))
    if room.connections < settings.max_connections:
        problem = (
            f"at most {room.connections} connections of clients at a time, not {settings.max_connections} as "
            f"mcp.maxConnections says: the process may open {room.limit} files; raise that limit (ulimit -n) to "
            f"{room.needed}, or lower mcp.maxConnections"
        )
        log.event(Severity.WARNING, "few_open_files", message=problem)
    return ServerLimits(
        max_body_bytes=settings.max_request_bytes,
        max_connections=room.connections,
        max_turned_away=room.turned_away,
        half_closed_seconds=_longest_answer_seconds(settings.discovery),
    )


def _longest_answer_seconds(discovery: DiscoverySettings) -> float:
    """Return how long a legal call may take: a re-check of the manifests (gateway/X7), then the slowest tool (X11)."""
    pull = discovery.connect_timeout_millis + discovery.read_timeout_millis
    return (pull + discovery.max_tool_timeout_millis) / 1000 + _MARGIN_SECONDS


def _not_listening(serving: ServeSettings, host: str, port: int, role: str, error: OSError) -> str:
    """Say where, why and how to mend it; the event loop's own words would say where once more."""
    known = error.errno is not None and error.errno in errno.errorcode  # not so where a name could not be resolved
    reason = os.strerror(error.errno or 0) if known else error.strerror or str(error)
    if not known or error.errno == errno.EADDRNOTAVAIL:
        flag = "--host" if host == serving.host else f"--{role}host"
        return f"cannot listen on {host}:{port} ({reason}); set {flag} to an address of this machine"
    variable = f"AXHUB_{role.replace('-', '_').upper()}PORT"
    return f"cannot listen on {host}:{port} ({reason}); set --{role}port or {variable} to a free one"


def _stop_signals() -> tuple[asyncio.Event, asyncio.Event]:
    """Return the events of the first and the second request to stop."""
    first, second = asyncio.Event(), asyncio.Event()

    def stop() -> None:
        (second if first.is_set() else first).set()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):  # the last: its terminal was closed
        asyncio.get_running_loop().add_signal_handler(number, stop)
    return first, second


async def _drain(front: Http1Server, gateway: Gateway, seconds: float, at_once: asyncio.Event) -> int:
    """Let calls in flight end, for `seconds` or until the second signal; return how many were cut.

    Those are cancelled, and their callers told so: nobody is left to guess from a broken connection.
    """
    drained = asyncio.create_task(front.drain(seconds + _LAST_ANSWERS_SECONDS))
    hurried = asyncio.create_task(at_once.wait())
    await asyncio.wait((drained, hurried), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    hurried.cancel()
    cut = front.in_flight
    if not drained.done():
        gateway.mcp.calls.close()  # before its connections, which those that wait for an MCP server do not hold
        await gateway.client.close()
        await asyncio.wait((drained,), timeout=_LAST_ANSWERS_SECONDS)
        drained.cancel()
    return cut


def _log(settings: Settings, writer: LineWriter, clock: Clock) -> Log:
    level = Severity(settings.serve.log_level)
    terminal = sys.stderr.isatty()
    if settings.serve.log_format == "text" or (settings.serve.log_format is None and terminal):
        return TextLog(writer.write, clock, level, colour=terminal)
    return JsonLog(writer.write, clock, level)
