"""One connection to a Tool Service: a request out, its answer in, and distrust of every other byte (gateway/X10).

What cannot be told from an answer is left over: bytes that arrive between the last look at the socket and the arrival
of the next request at the service. An origin caught once is given no second chance to do that for ten minutes.
"""

import asyncio
import select
from dataclasses import dataclass, field
from typing import Protocol, cast

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from axhub.gateway.adapters.http1.limits import JOINED_BYTES
from axhub.gateway.ports import Failure, UpstreamAnswer


class Owner(Protocol):
    """The pool as its connections see it."""

    def answered(self, connection: "ClientConnection", answer: UpstreamAnswer, reusable: bool) -> None:
        """Take the end of the exchange that was begun on `connection`."""
        ...

    def spoiled(self, connection: "ClientConnection") -> None:
        """Hear that bytes came where none belong."""
        ...


@dataclass(slots=True, eq=False)
class ClientConnection(asyncio.Protocol):
    """Carries one exchange at a time; `deadline` is the exchange's, or that of an unused connection."""

    owner: Owner
    origin: Origin
    deadlines: Deadlines
    reader: AnswerReader
    home: "list[ClientConnection]"
    """The unused connections of its bundle to its origin."""
    deadline: float = NEVER
    _transport: asyncio.Transport | None = None
    _poll: select.poll = field(default_factory=select.poll)
    _busy: bool = False
    _silent: bool = True  # no byte of the answer yet

    # What the pool tells.

    def begin(self, head: bytes, body: bytes, deadline: float) -> None:
        """Write a request; `answered` is called exactly once for it. `head` is without the empty line."""
        self._busy = self._silent = True
        self.deadlines.set(self, deadline)
        transport = self._transport
        if transport is None:
            self._end(UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False))
        elif len(body) < JOINED_BYTES:
            transport.write(b"%b\r\n%b" % (head, body))
        else:
            transport.writelines((head, b"\r\n", body))

    def rest(self, deadline: float) -> None:
        """Stay open unused until `deadline`."""
        self.reader.expect()
        self.deadlines.set(self, deadline)

    def is_quiet(self) -> bool:
        """Ask the system, not only the event loop, whether anything has come: a byte or the end of the stream."""
        return self._transport is not None and not self._poll.poll(0)

    def abort(self, failure: Failure | None = None) -> None:
        """Close at once; an exchange under way ends in `failure`."""
        if self._transport is not None:
            self._transport.abort()
        if failure is not None and self._busy:
            self._end(UpstreamAnswer(0, {}, b"", failure))

    # What the transport and the clock tell.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)
        self._poll.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
        self.deadlines.add(self, self.deadline)

    def data_received(self, data: bytes) -> None:
        """Read the answer; close on bytes of an earlier one, or before the request was wholly written."""
        if not self._busy or (self._silent and self._is_writing()):
            self.owner.spoiled(self)
            self.abort(Failure.INVALID)
            return
        self._silent = False
        if self.reader.feed(data):
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
        if self in self.home:
            self.home.remove(self)
        if self._busy:
            self._end(UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE))

    def expire(self, now: float) -> None:  # noqa: ARG002 - every item of `Deadlines` is told the time
        """End the exchange, or close an unused connection."""
        self.deadline = NEVER
        self.abort(Failure.TIMEOUT)

    def _finish(self) -> None:
        reader = self.reader
        if reader.surplus:
            self.owner.spoiled(self)
        self._end(reader.answer(), reusable=reader.keep and not reader.surplus and reader.failure is None)

    def _end(self, answer: UpstreamAnswer, *, reusable: bool = False) -> None:
        self._busy = False
        self.owner.answered(self, answer, reusable)

    def _is_writing(self) -> bool:
        return self._transport is not None and self._transport.get_write_buffer_size() > 0
