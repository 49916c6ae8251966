"""The calls of one bundle: at most so many at a time, a short queue, and connections that no other bundle uses.

A call is queued, connects, is active, and has ended: in that order, each at most once (gateway/X6, gateway/X9).
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.client_connection import ClientConnection, Home, OnEvent
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from axhub.gateway.adapters.http1.limits import BundleLimits, PoolUsage
from axhub.gateway.adapters.http1.outbox import Outbox
from axhub.gateway.adapters.http1.unconnected import unconnected
from axhub.gateway.ports import Cancel, Failure, UpstreamAnswer, UpstreamRequest

_QUEUE_SHARE, _QUEUE_SECONDS = 0.1, 0.25
"""A call waits in the queue for at most this share of its time, and never longer than this (gateway/X9)."""
_TLS_SHUTDOWN_SECONDS: Final = 1.0

OnDone = Callable[[UpstreamAnswer], None]


class Call(msgspec.Struct, eq=False):
    """One request on its way; `deadline` is that of its phase, `due` that of the whole."""

    pool: "BundlePool"
    request: UpstreamRequest
    on_done: OnDone
    on_event: OnEvent | None
    due: float
    deadline: float = NEVER
    via: ClientConnection | asyncio.Task[None] | None = None
    """What it is made over, even after its end, or the making of that; None in the queue."""

    def cancel(self) -> None:
        """End the call now if it has not ended."""
        self.pool.give_up(self, Failure.CANCELLED)

    def expire(self, now: float) -> None:
        """End the call: it waited too long in the queue, or for the connection, or altogether."""
        if now >= self.due:
            self.pool.give_up(self, Failure.TIMEOUT)
        elif self.via is None:
            self.pool.give_up(self, Failure.BUSY)
        else:
            self.pool.give_up(self, Failure.UNREACHABLE, f"no connection within {self.pool.connector.seconds:g} s")


@dataclass(slots=True, eq=False)
class Connector:
    """How connections are made; the same for all pools of a client."""

    deadlines: Deadlines
    tls: ssl.SSLContext | None
    seconds: float
    max_bytes: int
    """Bound of an answer's body."""
    trial_seconds: float = 0.0
    """How long the first connection to an origin must stay silent after its first answer (gateway/X10)."""
    outbox: Outbox = field(default_factory=Outbox)

    async def connect(self, pool: "BundlePool", origin: Origin, home: Home) -> ClientConnection:
        """Return an open connection.

        Raise OSError for a refusal, an unknown name or an untrusted certificate, ValueError for an impossible name,
        RuntimeError (uvloop's) for a peer that is gone before the handshake begins.
        """
        connection = ClientConnection(pool.answered, self.deadlines, AnswerReader(self.max_bytes, pool.once), home)
        options: dict[str, Any] = {}
        if origin.scheme == "https":
            self.tls = self.tls or ssl.create_default_context()
            options = {"ssl": self.tls, "ssl_shutdown_timeout": _TLS_SHUTDOWN_SECONDS}
        await self.deadlines.loop.create_connection(lambda: connection, origin.host, origin.port, **options)
        self.deadlines.items.add(connection)
        return connection


@dataclass(slots=True, eq=False)
class BundlePool:
    """Starts calls, and hears from their connections how they ended."""

    connector: Connector
    limits: BundleLimits
    once: bool = False
    """Never use a connection twice, and send no length with an empty body (manifests)."""
    _used: int = 0
    _queue: deque[Call] = field(default_factory=deque)
    _idle: dict[tuple[str, str, int], Home] = field(default_factory=dict)
    _last_origin: Origin | None = None  # as the call before named it: most calls go where that one went
    _last_home: Home = field(default_factory=lambda: Home(0.0, 0.0))

    def usage(self) -> PoolUsage:
        """Return what the bundle occupies."""
        return PoolUsage(self._used, len(self._queue), sum(map(len, self._idle.values())))

    def send(self, request: UpstreamRequest, on_done: OnDone, on_event: OnEvent | None = None) -> Cancel:
        """Start a call, queue it, or answer that the bundle is busy."""
        timeout, clock = request.timeout, self.connector.deadlines.now
        now = clock()
        call = Call(self, request, on_done, on_event, now + timeout)
        if self._used < self.limits.max_concurrent:
            self._start(call)
        elif len(self._queue) < self.limits.max_queued:
            self._queue.append(call)
            self.connector.deadlines.add(call, now + min(timeout * _QUEUE_SHARE, _QUEUE_SECONDS))
        else:
            on_done(UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False))
        return call.cancel

    def give_up(self, call: Call, failure: Failure, detail: str = "") -> None:
        """End a call that has not ended, whatever it is doing."""
        via = call.via
        if isinstance(via, ClientConnection):
            if via.call is call:
                via.abort(failure)
        elif via is not None:
            via.cancel()
            self._used -= 1
            self._start_next()
            self._end_unsent(call, failure, detail)
        elif call in self._queue:
            self._queue.remove(call)
            self._end_unsent(call, failure)

    # What a connection tells.

    def answered(self, connection: ClientConnection, answer: UpstreamAnswer, reusable: bool) -> None:
        """Keep or close the connection, let the next call start, then hand over the answer."""
        home = connection.home
        barred = home.barred_until and home.barred_until > self.connector.deadlines.now()
        if reusable and not barred and (home.proven or home.trial is None):
            connection.rest()
        else:
            connection.abort()
        call: Call = connection.call
        connection.call = None
        self._used -= 1
        if self._queue:
            self._start_next()
        self._hand_over(call, answer)

    # A call's way.

    def _start(self, call: Call) -> None:
        self._used += 1
        origin = call.request.origin
        if origin is not self._last_origin:
            key = (origin.scheme, origin.host, origin.port)  # cheaper to hash than the origin itself
            home = Home(self.limits.idle_seconds, self.connector.trial_seconds, NEVER if self.once else 0.0)
            self._last_origin, self._last_home = origin, self._idle.setdefault(key, home)
        while self._last_home:  # the one used last first
            connection = self._last_home.pop()
            if connection.is_quiet():
                self._begin(call, connection, call.request.head)
                return
        deadlines = self.connector.deadlines
        call.via = deadlines.loop.create_task(self._connect(call, self._last_home))
        deadlines.add(call, min(deadlines.now() + self.connector.seconds, call.due))

    async def _connect(self, call: Call, home: Home) -> None:
        try:
            connection = await self.connector.connect(self, call.request.origin, home)
        except (OSError, ValueError, RuntimeError) as error:
            self._used -= 1
            self._start_next()
            self._end_unsent(call, Failure.UNREACHABLE, unconnected(error))
        else:
            self.connector.deadlines.items.discard(call)
            closing = b"Connection: close\r\n" if home.barred_until > self.connector.deadlines.now() else b""
            self._begin(call, connection, call.request.head + closing)

    def _begin(self, call: Call, connection: ClientConnection, head: bytes) -> None:
        call.via, connection.call = connection, call
        body = call.request.body
        head += b"Content-Length: %d\r\n\r\n" % len(body) if body or not self.once else b"\r\n"
        connection.begin(head, body, call.due, self.connector.outbox if self._used > 1 else None, call.on_event)

    def _start_next(self) -> None:
        while self._queue and self._used < self.limits.max_concurrent:
            call = self._queue.popleft()
            self.connector.deadlines.items.discard(call)
            self._start(call)

    def _end_unsent(self, call: Call, failure: Failure, detail: str = "") -> None:
        """End a call that never was active."""
        call.via = None
        self.connector.deadlines.items.discard(call)
        self._hand_over(call, UpstreamAnswer(0, {}, b"", failure, sent=False, detail=detail))

    def _hand_over(self, call: Call, answer: UpstreamAnswer) -> None:
        try:
            call.on_done(answer)
        except Exception as error:  # noqa: BLE001 - one call's fault must not reach the connection or other calls
            self.connector.deadlines.report("Taking the answer to a call failed.", error)
