"""One connection to a Tool Service: a request out, its answer in, and distrust of every other byte (gateway/X10).

What cannot be told from an answer is left over: bytes that arrive between the last look at the socket and the arrival
of the next request at the service. An origin caught once is given no second chance to do that for ten minutes.
"""

import asyncio
import select
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast

from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from axhub.gateway.adapters.http1.limits import JOINED_BYTES
from axhub.gateway.adapters.http1.outbox import Outbox
from axhub.gateway.ports import Failure, UpstreamAnswer

NO_REUSE_SECONDS: Final = 600.0
"""How long an origin that sent bytes where none belong gets a connection of its own for each call (gateway/X10)."""
STREAM_END_SECONDS: Final = 0.1
"""How long a stream may go on of which nothing more is wanted, before its connection is closed: time enough for an end
that is on its way, and little enough for a server that ends none of its streams."""

OnEvent = Callable[[bytes], bool]


class Home(list["ClientConnection"]):
    """The unused connections of a bundle to an origin.

    The first connection is on trial: while it stays silent after its first answer, others are used once only.
    """

    __slots__ = ("barred_until", "idle_seconds", "proven", "trial", "trial_seconds")

    def __init__(self, idle_seconds: float, trial_seconds: float, barred_until: float = 0.0) -> None:
        """`barred_until` is the time before which none is used twice."""
        self.idle_seconds, self.trial_seconds = idle_seconds, trial_seconds
        self.proven, self.barred_until = not trial_seconds, barred_until
        self.trial: ClientConnection | None = None

    def spoil(self, now: float) -> None:
        """Close them, and use none twice for a while: bytes came where none belong."""
        for unused in [*self, *([self.trial] if self.trial else [])]:
            unused.abort()
        self.proven = not self.trial_seconds
        self.barred_until = max(self.barred_until, now + NO_REUSE_SECONDS)


@dataclass(slots=True, eq=False)
class ClientConnection(asyncio.Protocol):
    """Carries one exchange at a time; `deadline` is the exchange's, or that of an unused connection."""

    answered: Callable[["ClientConnection", UpstreamAnswer, bool], None]
    """Takes the end of each exchange, and whether the connection can be used again."""
    deadlines: Deadlines
    reader: AnswerReader
    home: Home
    deadline: float = NEVER
    call: Any = None
    """The pool's note of the exchange under way."""
    _transport: asyncio.Transport | None = None
    _poll: select.poll = field(default_factory=select.poll)
    _busy: bool = False
    _held: bytes = b""  # of the request, until the end of this turn of the loop
    _silent: bool = True  # no byte of the answer yet
    _on_event: OnEvent | None = None

    # What the pool tells.

    def begin(self, head: bytes, body: bytes, deadline: float, outbox: Outbox | None, on_event: OnEvent | None) -> None:
        """Write a request, by way of `outbox` if there is one; `answered` is called exactly once for it.

        A large `body` is written at once without being copied. `on_event` gets the events of the answer as they come,
        if it is a stream of them.
        """
        self._busy = self._silent = True
        self._on_event, self.reader.streams = on_event, on_event is not None
        self.deadline = deadline
        if deadline < self.deadlines.wake:
            self.deadlines.set(self, deadline)
        transport = self._transport
        if transport is None:
            self._held = head
            self.connection_lost(None)
        elif len(body) >= JOINED_BYTES:
            transport.writelines((head, body))
        elif outbox is None:
            transport.write(head + body)
        else:
            self._held = head + body
            if not outbox:
                outbox.empty_soon()
            outbox.append(self)

    def flush(self) -> None:
        """Write what was held back."""
        if self._held and self._transport is not None and not self._transport.is_closing():
            held, self._held = self._held, b""
            self._transport.write(held)

    def rest(self) -> None:
        """Stay open unused, or on trial for all connections to its origin."""
        home, deadlines, clock = self.home, self.deadlines, self.deadlines.now
        if home.proven:
            home.append(self)
        else:
            home.trial = self
        deadlines.set(self, clock() + (home.idle_seconds if home.proven else home.trial_seconds))

    def is_quiet(self) -> bool:
        """Ask the system, not only the event loop, whether anything has come: a byte or the end of the stream.

        A connection that is being closed is not quiet either: its transport would drop what is written.
        """
        transport = self._transport
        return transport is not None and not transport.is_closing() and not self._poll.poll(0)

    def abort(self, failure: Failure | None = None) -> None:
        """Close at once; an exchange under way ends in `failure`."""
        if self in self.home:
            self.home.remove(self)
        elif self.home.trial is self:
            self.home.trial = None
        if self._transport is not None:
            self._transport.abort()
        if failure is not None and self._busy:
            self._busy = False
            self.answered(self, UpstreamAnswer(0, {}, b"", failure, sent=not self._held), False)

    # What the transport and the clock tell.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)
        self._poll.register(transport.get_extra_info("socket").fileno(), select.POLLIN)

    def data_received(self, data: bytes) -> None:
        """Read the answer; close on bytes of an earlier one, or before the request was wholly written."""
        if self._silent or not self._busy:
            transport = self._transport
            if not self._busy or self._held or (transport is not None and transport.get_write_buffer_size()):
                self.home.spoil(self.deadlines.now())
                self.abort(Failure.INVALID)
                return
            self._silent = False
            if (answer := self.reader.memory.message_of(data)) is not None:
                self._busy = False
                self.answered(self, answer, True)
                return
        whole = self.reader.feed(data)
        if self.reader.events:
            self._tell_events()
        if whole and self._busy:
            self._finish()

    def eof_received(self) -> None:
        """Close; the end of the stream may complete an answer."""
        if self._busy:
            self.reader.end()
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Leave the pool."""
        self._transport = None
        self.deadlines.items.discard(self)
        self.abort(Failure.UNREACHABLE)

    def expire(self, now: float) -> None:  # noqa: ARG002 - every item of `Deadlines` is told the time
        """End the exchange, or the trial of an unused connection, or close it."""
        if self.home.trial is self:
            self.home.trial, self.home.proven = None, True
            self.rest()
        elif self._busy and self.reader.streams and self._on_event is None:  # all that was wanted has come
            self.reader.keep = False
            self._finish()
        else:
            self.deadline = NEVER
            self.abort(Failure.TIMEOUT)

    def _tell_events(self) -> None:
        """Hand the events over as long as they are wanted; that may end the exchange."""
        events, self.reader.events = self.reader.events, []
        for data in events:
            if self._busy and self._on_event and self._on_event(data):  # the rest only serves to keep the connection
                self._on_event = None
                self.deadlines.set(self, min(self.deadline, self.deadlines.now() + STREAM_END_SECONDS))

    def _finish(self) -> None:
        reader = self.reader
        if reader.surplus:
            self.home.spoil(self.deadlines.now())
        self._busy = False
        answer, reusable = reader.answer(), reader.keep and not reader.surplus and reader.failure is None
        reader.expect()
        self.answered(self, answer, reusable)
