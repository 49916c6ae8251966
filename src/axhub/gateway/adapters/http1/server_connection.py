"""One caller's connection: requests to the handler one at a time, answers back in order, a deadline for every wait.

Two rules: callbacks only, never a task; and whatever a peer sends, nothing is raised out of a callback (gateway/P6).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from axhub.gateway.adapters.http1.limits import JOINED_BYTES, ServerLimits
from axhub.gateway.adapters.http1.outbox import Outbox
from axhub.gateway.adapters.http1.replies import CONTINUE, WITHOUT_BODY, Replies
from axhub.gateway.adapters.http1.request_head import Fault
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.ports import TOO_MANY_CONNECTIONS, Cancel, HttpHandler, HttpRequest, ReplyHead

_NOTHING, _HEAD, _BODY = 0, 1, 2


@dataclass(slots=True, eq=False)
class Front:
    """What all connections of one server share; each is an item of `deadlines` as long as it is open."""

    handler: HttpHandler
    refuse: Callable[[int, str], tuple[ReplyHead, bytes]]
    limits: ServerLimits
    replies: Replies
    deadlines: Deadlines
    in_flight: int = 0
    draining: bool = False
    on_empty: Callable[[], None] | None = None
    """Called when the last connection has gone."""
    outbox: Outbox = field(default_factory=Outbox)


@dataclass(slots=True, eq=False)
class ServerConnection(asyncio.Protocol):
    """Moves requests and answers; `deadline` always belongs to what is being waited for."""

    front: Front
    deadline: float = NEVER
    busy: bool = False
    """Whether the handler owes an answer."""
    _reader: RequestReader = field(init=False)
    _transport: asyncio.Transport | None = None
    _rest: memoryview | None = None  # read, but not parsed while enough requests wait
    _timed: int = _HEAD  # the part of a request whose deadline has been set; a new connection owes a head
    _ended: bool = False  # the caller sends no more
    _pumping: bool = False
    _last: bool = False  # the request being answered is the last
    _held: bytes = b""  # written, but not handed to the transport before the end of this turn of the loop
    _without_body: bool = False  # its answer has no body (HEAD)
    _cancel: Cancel | None = None
    _stalled: bool = False  # the caller does not take what is written
    _lingering: bool = False  # the last answer has been written
    _unsent: int = 0
    _moved_at: float = 0.0

    def __post_init__(self) -> None:
        self._reader = RequestReader(self.front.limits)

    # What the transport, the clock and the server tell.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for a head, or turn the caller away if there are too many connections."""
        front = self.front
        self._transport = cast("asyncio.Transport", transport)
        excess = len(front.deadlines.items) - front.limits.max_connections
        front.deadlines.add(self, front.deadlines.now() + front.limits.head_seconds)
        if excess >= front.limits.max_turned_away:
            self._transport.abort()
        elif excess >= 0:
            self._reader.refuse(Fault(503, TOO_MANY_CONNECTIONS))
            self._pump()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Drop what waits, and tell the handler if it is still at work."""
        front = self.front
        self._transport = self._rest = None
        self._reader.deaf = self._ended = True
        self._reader.queue.clear()
        front.deadlines.items.discard(self)
        if self.busy:
            self.busy = False
            front.in_flight -= 1
            self._tell_handler()
        if front.on_empty is not None and not front.deadlines.items:
            front.on_empty()

    def data_received(self, data: bytes) -> None:
        """Parse, then answer what is whole."""
        rest = self._reader.feed(data)
        if rest is not None:
            self._keep(rest)
        if not self.busy:
            self._pump()

    def eof_received(self) -> bool:
        """Tell the handler; keep the connection only as long as an answer may come (gateway/X8)."""
        self._ended = True
        if self._reader.receiving:
            self._reader.refuse(Fault(400, "The request ended before it was whole."))
        self._tell_handler()
        self._pump()
        return self.busy or bool(self._reader.queue)

    def pause_writing(self) -> None:
        """Start nothing new, and watch that what is written moves."""
        self._stalled = True
        self._watch_writing(self.front.limits.write_stall_seconds / 4)

    def resume_writing(self) -> None:
        """Go on."""
        self._stalled = False
        if not self._lingering:
            self._wait(self.front.limits.idle_seconds)
            self._pump()

    def expire(self, now: float) -> None:
        """Act on the passed deadline of whatever is being waited for."""
        transport = self._transport
        if transport is None:
            return
        if self._stalled or self._lingering:
            self._check_writing(transport, now)
        elif self.busy:
            transport.abort()
        elif self._reader.receiving:
            part = "body" if self._reader.head_done else "head"
            self._reader.refuse(Fault(408, f"The {part} of the request did not arrive in time."))
            self._pump()
        else:
            self._linger(transport)

    def drain(self) -> None:
        """Close soon if idle; otherwise the next answer closes."""
        if not (self.busy or self._stalled or self._lingering or self._reader.receiving):
            soon = self.front.deadlines.now() + self.front.limits.drain_idle_seconds
            self.front.deadlines.set(self, min(soon, self.deadline))

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()

    # Answering.

    def _keep(self, rest: memoryview) -> None:
        """Read no more before what has been read is parsed."""
        self._rest = rest
        if self._transport is not None:
            self._transport.pause_reading()

    def _feed_rest(self) -> None:
        if self._rest is not None and self._transport is not None:
            self._transport.resume_reading()
            rest, self._rest = self._reader.feed(self._rest), None
            if rest is not None:
                self._keep(rest)
            self._pump()

    def _pump(self) -> None:
        """Answer what waits, in order, one at a time; then settle what is waited for."""
        if self._pumping:
            return
        self._pumping = True
        queue = self._reader.queue
        while not (self.busy or self._stalled or self._lingering):
            if queue:
                self._answer(*queue.popleft())
            else:
                if self._rest is not None:  # others first: a burst of requests is no reason to keep them waiting
                    self.front.deadlines.loop.call_soon(self._feed_rest)
                break
        self._pumping = False
        if self._ended or not self.busy:
            self._settle()
        elif not (self._stalled or self._lingering):
            self.deadline = NEVER

    def _answer(self, request: HttpRequest | Fault, last: bool) -> None:
        front = self.front
        self._last = last
        self._timed = _NOTHING
        if isinstance(request, Fault):
            self._without_body = False
            self._write(*front.refuse(request.status, request.message))
            return
        self._without_body = request.method == b"HEAD"
        self.busy = True
        front.in_flight += 1
        try:
            cancel = front.handler(request, self._reply)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave a caller without an answer
            front.deadlines.report("The handler of a request failed.", error)
            self._last = True
            self._reply(*front.refuse(503, "The server could not answer."))
            return
        if self.busy:
            self._cancel = cancel
            if self._ended:
                self._tell_handler()

    def _reply(self, head: ReplyHead, body: bytes, tail: bytes = b"", /) -> None:
        """Write the handler's answer; one that comes after the caller has gone is dropped."""
        if not self.busy:
            return
        self.busy = False
        self._cancel = None
        self.front.in_flight -= 1
        self._write(head, body, tail)
        reader = self._reader
        if not self._pumping and (reader.receiving or reader.queue or self._rest is not None):
            self._pump()

    def _write(self, head: ReplyHead, body: bytes, tail: bytes = b"") -> None:
        front, transport = self.front, self._transport
        if transport is None:
            return
        deadlines = front.deadlines
        now = deadlines.now()
        last = self._last or head.close or ((self._ended or front.draining) and not self._waits())
        start = front.replies.start(head, last, now)
        self.deadline = deadline = now + front.limits.idle_seconds
        if deadline < deadlines.wake:
            deadlines.set(self, deadline)
        size = len(body) + len(tail)
        if head.status in WITHOUT_BODY:
            self._put(transport, start)
        elif self._without_body:
            self._put(transport, b"%b%d\r\n\r\n" % (start, size))
        elif size < JOINED_BYTES:
            data = b"".join((start, b"%d\r\n\r\n" % size, body, tail))
            if front.in_flight or self._held:
                self._put(transport, data)
            else:
                transport.write(data)
        else:
            self.flush()
            transport.writelines((b"%b%d\r\n\r\n" % (start, size), body, tail))
        if last:
            self._linger(transport)

    def _waits(self) -> bool:
        """Say whether another request has come."""
        return bool(self._reader.queue) or self._rest is not None

    def _put(self, transport: asyncio.Transport, data: bytes) -> None:
        """Write at once if no other request is under way, else together with the answers to those."""
        if self._held:
            self._held += data
        elif self.front.in_flight:
            self._held = data
            self.front.outbox.add(self.flush)
        else:
            transport.write(data)

    def flush(self) -> None:
        """Write what was held back."""
        held, self._held = self._held, b""
        if held and self._transport is not None and not self._transport.is_closing():
            self._transport.write(held)

    def _linger(self, transport: asyncio.Transport) -> None:
        """Write no more, but read on for a while, lest a reset destroys the answer (RFC 9112 section 9.6)."""
        self.flush()
        self._lingering = self._reader.deaf = True
        self._reader.queue.clear()
        self._watch_writing(self.front.limits.linger_seconds)
        if self._rest is not None:
            self._rest = None
            transport.resume_reading()
        if self._ended:
            transport.close()
        else:
            transport.write_eof()

    def _watch_writing(self, seconds: float) -> None:
        self._unsent = 0 if self._transport is None else self._transport.get_write_buffer_size()
        self._moved_at = self.front.deadlines.now()
        self._wait(seconds)

    def _check_writing(self, transport: asyncio.Transport, now: float) -> None:
        """Close a lingering connection once all is written; cut off one whose caller takes nothing."""
        limits, unsent = self.front.limits, transport.get_write_buffer_size()
        if unsent < self._unsent:
            self._unsent, self._moved_at = unsent, now
        if (self._lingering and not unsent) or now - self._moved_at >= limits.write_stall_seconds:
            transport.abort()
        else:
            self._wait(min(limits.linger_seconds, limits.write_stall_seconds / 4))

    def _settle(self) -> None:
        """Set the deadline of what is being waited for now, unless it has been set."""
        if self._stalled or self._lingering or self._transport is None:
            return
        if self.busy:
            self.deadline = NEVER
            if self._ended:
                self._wait(self.front.limits.half_closed_seconds)
        elif self._reader.receiving:
            self._settle_receiving(self._transport)

    def _settle_receiving(self, transport: asyncio.Transport) -> None:
        part = _BODY if self._reader.head_done else _HEAD
        if self._timed != part:
            self._timed = part
            self._wait(self.front.limits.body_seconds if part == _BODY else self.front.limits.head_seconds)
        if self._reader.wants_continue:
            self._reader.wants_continue = False
            self.flush()
            transport.write(CONTINUE)

    def _wait(self, seconds: float) -> None:
        self.front.deadlines.set(self, self.front.deadlines.now() + seconds)

    def _tell_handler(self) -> None:
        cancel, self._cancel = self._cancel, None
        try:
            if cancel is not None:
                cancel()
        except Exception as error:  # noqa: BLE001 - whatever it does, the connection goes on
            self.front.deadlines.report("Cancelling a request failed.", error)
