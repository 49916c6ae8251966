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
from axhub.gateway.adapters.http1.replies import CONTINUE, WITHOUT_BODY, Replies, chunk, of_unknown_length
from axhub.gateway.adapters.http1.request_head import Fault
from axhub.gateway.adapters.http1.request_reader import RequestReader
from axhub.gateway.ports import TOO_MANY_CONNECTIONS, Cancel, HttpHandler, HttpRequest, ReplyHead


@dataclass(slots=True, eq=False)
class Front:
    """What all connections of one server share; each is an item of `deadlines` as long as it is open."""

    handler: HttpHandler
    refuse: Callable[[int, str], tuple[ReplyHead, bytes]]
    limits: ServerLimits
    replies: Replies
    deadlines: Deadlines
    in_flight: int = 0
    """Requests that the handler has not begun to answer; those being answered hold no other answer back."""
    draining: bool = False
    emptied: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the last connection has gone."""
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
    _timed: bool | None = False  # the `head_done` for which a deadline has been set; a new connection owes a head
    _ended: bool = False  # the caller sends no more
    _pumping: bool = False
    _last: bool = False  # the request being answered is the last
    _held: bytes = b""  # written, but not handed to the transport before the end of this turn of the loop
    _without_body: bool = False  # its answer has no body (HEAD)
    _streaming: bool = False  # it is being answered piece by piece
    _chunked: bool = True
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
            if not self._streaming:
                front.in_flight -= 1
            self._tell_handler()
        if not front.deadlines.items:
            front.emptied.set()

    def data_received(self, data: bytes) -> None:
        """Answer one request if that is what came and its head is known; parse everything else first."""
        reader = self._reader
        begins = not (self.busy or self._stalled or reader.receiving or reader.deaf)
        if begins and (request := reader.memory.message_of(data)) is not None:
            self._answer(request, last=False)
        else:
            self._take(data)

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
            self._wait(NEVER if self.busy else self.front.limits.idle_seconds)
            self._pump()

    def expire(self, now: float) -> None:
        """Act on the passed deadline of whatever is being waited for."""
        transport = self._transport
        if transport is None:
            return
        if self._stalled or self._lingering or (self._streaming and not self._ended):
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
            self._wait(min(self.front.limits.drain_idle_seconds, self.deadline - self.front.deadlines.now()))

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()

    # Answering.

    def _take(self, data: bytes | memoryview) -> None:
        """Parse, then answer what is whole; read no more before all that has been read is parsed."""
        self._rest = self._reader.feed(data)
        if self._rest is not None and self._transport is not None:
            self._transport.pause_reading()
        if not self.busy:
            self._pump()

    def _feed_rest(self) -> None:
        if (rest := self._rest) is not None and self._transport is not None:
            self._transport.resume_reading()
            self._take(rest)

    def _pump(self) -> None:
        """Answer what waits, in order, one at a time; then settle what is waited for."""
        if self._pumping:
            return
        self._pumping = True
        queue = self._reader.queue
        while not (self.busy or self._stalled or self._lingering):
            if not queue:
                if self._rest is not None:  # others first: a burst of requests is no reason to keep them waiting
                    self.front.deadlines.loop.call_soon(self._feed_rest)
                break
            request, last = queue.popleft()
            self._answer(request, last)
        self._pumping = False
        if self._ended or not self.busy:
            self._settle()

    def _answer(self, request: HttpRequest | Fault, last: bool) -> None:
        front, handler = self.front, self.front.handler
        self._last = last
        self._timed = None
        self.deadline = NEVER
        if isinstance(request, Fault):
            self._without_body = False
            self._write(*front.refuse(request.status, request.message))
            return
        self._without_body = request.method == b"HEAD"
        self.busy = True
        front.in_flight += 1
        try:
            cancel = handler(request, self._reply)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave a caller without an answer
            front.deadlines.report("The handler of a request failed.", error)
            if self._streaming:
                self.abort()  # what has begun must not look whole
                return
            self._last = True
            self._reply(*front.refuse(503, "The server could not answer."))
            return
        if self.busy:
            self._cancel = cancel
            if self._ended:
                self._tell_handler()

    def _reply(self, head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        """Write the handler's answer; one that comes after the caller has gone is dropped."""
        if not self.busy:
            return
        self.busy = more
        if more or self._streaming:
            self._write_piece(head, body + tail, more)
            if more:
                return
            self._streaming = False
        else:
            self.front.in_flight -= 1
            self._write(head, body, tail)
        self._cancel = None
        reader = self._reader
        if (reader.receiving or reader.queue or self._rest is not None) and not self._pumping:
            self._pump()

    def _write(self, head: ReplyHead, body: bytes, tail: bytes = b"") -> None:
        front, transport = self.front, self._transport
        if transport is None:
            return
        deadlines, clock, limits = front.deadlines, front.deadlines.now, front.limits
        now, bare = clock(), head.status in WITHOUT_BODY
        last = head.close or self._last or ((self._ended or front.draining) and self._is_last())
        start = front.replies.start(head, last, now)
        self.deadline = deadline = now + limits.idle_seconds
        if deadline < deadlines.wake:
            deadlines.set(self, deadline)
        size = len(body) + len(tail)
        if not bare:
            start += b"%d\r\n\r\n" % size
        if self._without_body or bare:
            body = tail = b""
        if size >= JOINED_BYTES:
            self.flush()
            transport.writelines((start, body, tail))
        elif front.in_flight or self._held:
            self._hold(start + body + tail)
        else:
            transport.write(start + body + tail)
        if last:
            self._linger(transport)

    def _write_piece(self, head: ReplyHead, piece: bytes, more: bool) -> None:
        """Write a piece of the answer, the first behind the head; cut off a caller that lets too much wait before.

        After the last piece wait for the next request, or end the connection.
        """
        limits, transport = self.front.limits, self._transport
        if transport is None or transport.is_closing():
            return
        if transport.get_write_buffer_size() > limits.max_unsent_bytes:
            transport.abort()
            return
        data = b"" if self._streaming else self._begin_stream(head)
        if not self._without_body:
            data += chunk(piece, more) if self._chunked else piece
        self.flush()
        self._unsent += len(data)
        transport.write(data)
        if self.deadline == NEVER and transport.get_write_buffer_size():
            self._watch_writing(limits.write_stall_seconds / 4)
        if not more:
            if self._is_last():
                self._linger(transport)
            elif not self._stalled:
                self._wait(limits.idle_seconds)

    def _begin_stream(self, head: ReplyHead) -> bytes:
        self._streaming = True
        self.front.in_flight -= 1
        self._last = head.close or self._is_last()
        self._chunked = not (self._last and self._reader.before_1_1)
        start = self.front.replies.start(head, self._last, self.front.deadlines.now())
        return of_unknown_length(start, self._chunked)

    def _is_last(self) -> bool:
        """Say whether the connection ends with this answer."""
        return self._last or ((self._ended or self.front.draining) and not (self._reader.queue or self._rest))

    def _hold(self, data: bytes) -> None:
        """Write it at the end of the loop's turn, together with the answers to requests that are under way now."""
        if not self._held:
            if not self.front.outbox:
                self.front.outbox.empty_soon()
            self.front.outbox.append(self)
        self._held += data

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
        if self._streaming and not unsent:
            self.deadline = NEVER
        elif (self._lingering and not unsent) or now - self._moved_at >= limits.write_stall_seconds:
            transport.abort()
        else:
            self._wait(min(limits.linger_seconds, limits.write_stall_seconds / 4))

    def _settle(self) -> None:
        """Set the deadline of what is being waited for now, unless it has been set."""
        limits, reader, transport = self.front.limits, self._reader, self._transport
        if self._stalled or self._lingering or transport is None:
            return
        if self.busy:  # and the caller's stream has ended
            self._wait(limits.half_closed_seconds)
        elif reader.receiving:
            if self._timed != reader.head_done:
                self._timed = reader.head_done
                self._wait(limits.body_seconds if reader.head_done else limits.head_seconds)
            if reader.wants_continue:
                reader.wants_continue = False
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
