"""The calls of one bundle: at most so many at a time, a short queue, and connections that no other bundle uses.

A call is queued, connects, is active, and has ended: in that order, each at most once (gateway/X6, gateway/X9).
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.client_connection import ClientConnection
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from axhub.gateway.adapters.http1.limits import BundleLimits, PoolUsage
from axhub.gateway.ports import Cancel, Failure, UpstreamAnswer, UpstreamRequest

NO_REUSE_SECONDS: Final = 600.0
"""How long an origin that sent bytes where none belong gets a connection of its own for each call (gateway/X10)."""
_QUEUE_SHARE, _QUEUE_SECONDS = 0.1, 0.25
"""A call waits in the queue for at most this share of its time, and never longer than this (gateway/X9)."""
_TLS_SHUTDOWN_SECONDS: Final = 1.0

OnDone = Callable[[UpstreamAnswer], None]
OriginKey = tuple[str, str, int]


@dataclass(slots=True, eq=False)
class Call:
    """One request on its way; `deadline` is that of its phase, `due` that of the whole."""

    pool: "BundlePool"
    request: UpstreamRequest
    on_done: OnDone
    due: float
    deadline: float = NEVER
    via: ClientConnection | asyncio.Task[None] | None = None
    """What it is made over, or the making of that; None in the queue and after the end."""

    def cancel(self) -> None:
        """End the call now if it has not ended."""
        self.pool.give_up(self, Failure.CANCELLED)

    def expire(self, now: float) -> None:
        """End the call: it waited too long in the queue, or for the connection, or altogether."""
        if now >= self.due:
            self.pool.give_up(self, Failure.TIMEOUT)
        else:
            self.pool.give_up(self, Failure.BUSY if self.via is None else Failure.UNREACHABLE)


@dataclass(slots=True, eq=False)
class Connector:
    """How connections are made; the same for all pools of a client."""

    deadlines: Deadlines
    tls: ssl.SSLContext | None
    seconds: float
    max_bytes: int
    """Bound of an answer's body."""

    async def connect(self, pool: "BundlePool", origin: Origin, home: list[ClientConnection]) -> ClientConnection:
        """Return an open connection.

        Raise OSError for a refusal, an unknown name or an untrusted certificate, ValueError for an impossible name,
        RuntimeError (uvloop's) for a peer that is gone before the handshake begins.
        """
        reader = AnswerReader(self.max_bytes, encoded=pool.once)
        connection = ClientConnection(pool, origin, self.deadlines, reader, home)
        options: dict[str, Any] = {}
        if origin.scheme == "https":
            self.tls = self.tls or ssl.create_default_context()
            options = {"ssl": self.tls, "ssl_shutdown_timeout": _TLS_SHUTDOWN_SECONDS}
        try:
            await self.deadlines.loop.create_connection(lambda: connection, origin.host, origin.port, **options)
        except BaseException:  # cancelled between the connection and the task's next step, among others
            self.deadlines.items.discard(connection)
            raise
        return connection


@dataclass(slots=True, eq=False)
class BundlePool:
    """Implements `client_connection.Owner`."""

    connector: Connector
    limits: BundleLimits
    once: bool = False
    """Never use a connection twice, and send no length with an empty body (manifests)."""
    _used: int = 0
    _active: dict[ClientConnection, Call] = field(default_factory=dict)
    _queue: deque[Call] = field(default_factory=deque)
    _idle: dict[OriginKey, list[ClientConnection]] = field(default_factory=dict)
    _barred: dict[OriginKey, float] = field(default_factory=dict)

    def usage(self) -> PoolUsage:
        """Return what the bundle occupies."""
        return PoolUsage(self._used, len(self._queue), sum(map(len, self._idle.values())))

    def send(self, request: UpstreamRequest, on_done: OnDone) -> Cancel:
        """Start a call, queue it, or answer that the bundle is busy."""
        now = self.connector.deadlines.now()
        call = Call(self, request, on_done, now + request.timeout)
        if self._used < self.limits.max_concurrent:
            self._start(call)
        elif len(self._queue) < self.limits.max_queued:
            self._queue.append(call)
            self._watch(call, now + min(request.timeout * _QUEUE_SHARE, _QUEUE_SECONDS))
        else:
            on_done(_failed(Failure.BUSY))
        return call.cancel

    def give_up(self, call: Call, failure: Failure) -> None:
        """End a call that has not ended, whatever it is doing."""
        via = call.via
        if isinstance(via, ClientConnection):
            via.abort(failure)
        elif via is not None:
            via.cancel()
            self._free_slot()
            self._end(call, _failed(failure))
        elif call in self._queue:
            self._queue.remove(call)
            self._end(call, _failed(failure))

    # What a connection tells.

    def answered(self, connection: ClientConnection, answer: UpstreamAnswer, reusable: bool) -> None:
        """Keep or close the connection, let the next call start, then hand over the answer."""
        if reusable and not self.once and not (self._barred and self._is_barred(_key(connection.origin))):
            connection.home.append(connection)
            connection.rest(self.connector.deadlines.now() + self.limits.idle_seconds)
        else:
            connection.abort()
        call = self._active.pop(connection)
        self._free_slot()
        self._end(call, answer)

    def spoiled(self, connection: ClientConnection) -> None:
        """Use no connection to that origin twice for a while; close the unused ones."""
        self._barred[_key(connection.origin)] = self.connector.deadlines.now() + NO_REUSE_SECONDS
        for unused in connection.home:
            unused.abort()
        connection.home.clear()

    # A call's way.

    def _start(self, call: Call) -> None:
        self._used += 1
        key = _key(call.request.origin)
        unused = self._idle.get(key)
        if unused is None:
            unused = self._idle[key] = []
        while unused:  # the one used last first
            connection = unused.pop()
            if connection.is_quiet():
                self._begin(call, connection)
                return
        call.via = self.connector.deadlines.loop.create_task(self._connect(call, unused))
        self._watch(call, self.connector.deadlines.now() + self.connector.seconds)

    async def _connect(self, call: Call, home: list[ClientConnection]) -> None:
        try:
            connection = await self.connector.connect(self, call.request.origin, home)
        except (OSError, ValueError, RuntimeError):
            self._free_slot()
            self._end(call, _failed(Failure.UNREACHABLE))
        else:
            self.connector.deadlines.items.discard(call)
            self._begin(call, connection)

    def _begin(self, call: Call, connection: ClientConnection) -> None:
        call.via = connection
        self._active[connection] = call
        request = call.request
        head = request.head
        if request.body or not self.once:
            head = b"%bContent-Length: %d\r\n" % (head, len(request.body))
        if self.once or (self._barred and self._is_barred(_key(request.origin))):
            head += b"Connection: close\r\n"
        connection.begin(head, request.body, call.due)

    def _watch(self, call: Call, limit: float) -> None:
        self.connector.deadlines.add(call, min(limit, call.due))

    def _free_slot(self) -> None:
        self._used -= 1
        while self._queue and self._used < self.limits.max_concurrent:
            call = self._queue.popleft()
            self.connector.deadlines.items.discard(call)
            self._start(call)

    def _end(self, call: Call, answer: UpstreamAnswer) -> None:
        if answer.failure is not None:
            self.connector.deadlines.items.discard(call)
        call.via = None
        call.on_done(answer)

    def _is_barred(self, key: OriginKey) -> bool:
        until = self._barred.get(key)
        if until is not None and until <= self.connector.deadlines.now():
            del self._barred[key]
            return False
        return until is not None


def _key(origin: Origin) -> OriginKey:
    """Return what identifies an origin, cheaper to hash than the origin itself."""
    return origin.scheme, origin.host, origin.port


def _failed(failure: Failure) -> UpstreamAnswer:
    """Return the end of a call of which no byte was sent."""
    return UpstreamAnswer(0, {}, b"", failure, sent=False)
