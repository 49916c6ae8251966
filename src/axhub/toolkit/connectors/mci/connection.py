"""One TCP connection to an MCI system: one telegram goes out, one comes back, no other is believed (toolkit/B3).

Whatever comes while nothing is asked, or after an answer, belongs to no call: such a connection is closed. So is one
whose answer was not awaited, was none, or did not come.
"""

import asyncio
import select
from enum import Enum
from typing import Final, cast

from axhub.toolkit.connectors.http_bodies import INVALID_ANSWER, TOO_LARGE
from axhub.toolkit.connectors.mci.framing import Framing, FramingError, OversizeError
from axhub.toolkit.connectors.retries import UNREACHABLE
from axhub.toolkit.errors import LegacyError

__all__ = ["Connection"]

_READABLE: Final = select.POLLIN | select.POLLHUP | select.POLLERR


class _State(Enum):
    IDLE = "idle"
    ASKED = "asked"
    ANSWERED = "answered"
    """The answer is there, and nobody has said yet that it is a good one."""
    SPOILT = "spoilt"


class Connection(asyncio.Protocol):
    """A connection with the bytes of the call that is going on."""

    def __init__(self, framing: Framing) -> None:
        """Take how telegrams are told apart; the event loop connects it."""
        self.idle_since = 0.0
        """On the event loop's clock: when it was last used."""
        self._framing = framing
        self._state = _State.IDLE
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._total = 0
        """Bytes of the answer on the wire; 0: not known yet."""
        self._answer: asyncio.Future[bytearray] | None = None
        self._was_told = False
        """Whether bytes came that belong to no call."""

    @property
    def is_usable(self) -> bool:
        """Whether a call may use it: nothing came unasked, also not what the event loop has not read yet."""
        return self._state is _State.IDLE and self._transport is not None and not self._is_readable(self._transport)

    async def exchange(self, wire: bytes) -> bytearray:
        """Send what goes over the wire for a telegram and return what came for its answer; both with their prefix.

        Raises:
            LegacyError: `unreachable`, `too_large` or `invalid_answer`.
        """
        if not self.is_usable:
            await asyncio.sleep(0)  # so that the event loop reads what there is
        if not self.is_usable or self._transport is None:
            said = "the system sent bytes" if self._was_told else "the system ended the connection"
            raise LegacyError(INVALID_ANSWER if self._was_told else UNREACHABLE, f"{said} before it was asked")
        self._answer = asyncio.get_running_loop().create_future()
        self._state = _State.ASKED
        self._transport.write(wire)
        if self._framing.is_none:
            self._transport.write_eof()
        return await self._answer

    def settle(self) -> None:
        """Say that the answer was a good one: the connection may be used again, unless more came with it."""
        if self._state is _State.ANSWERED:
            self._state = _State.IDLE
            self.idle_since = asyncio.get_running_loop().time()

    def abort(self) -> None:
        """Close it at once; a call that is going on fails."""
        self._spoil(LegacyError(UNREACHABLE, "the connection was closed"))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.BaseProtocol`."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one and does not say so

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if self._state is not _State.ASKED:
            self._was_told = True
            self._spoil(None)
            return
        self._received += data
        try:
            self._look()
        except OversizeError as error:
            self._spoil(LegacyError(TOO_LARGE, str(error)))
        except FramingError as error:
            self._spoil(LegacyError(INVALID_ANSWER, str(error)))

    def eof_received(self) -> None:
        """See `asyncio.Protocol`; the connection is closed in any case."""
        if self._state is _State.ASKED and self._framing.is_none and self._received:
            self._finish(len(self._received))
        self._spoil(LegacyError(UNREACHABLE, "the connection ended before the whole answer was there"))

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - the signature of a protocol
        """See `asyncio.BaseProtocol`."""
        self._spoil(LegacyError(UNREACHABLE, "the connection broke off before the whole answer was there"))

    def _look(self) -> None:
        """See whether the whole answer is there, or cannot be one."""
        if self._framing.is_none:
            if len(self._received) > self._framing.most:
                raise OversizeError(f"the answer has more than {self._framing.most} bytes")
            return
        if not self._total and len(self._received) >= self._framing.head:
            self._total = self._framing.total(self._received)
        if self._total and len(self._received) >= self._total:
            self._finish(self._total)

    def _finish(self, total: int) -> None:
        answer, surplus = self._received[:total], len(self._received) - total
        self._state, self._received, self._total = _State.ANSWERED, bytearray(), 0
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)
        if surplus:
            self._spoil(None)

    def _spoil(self, error: LegacyError | None) -> None:
        """Close the connection for good; whoever waits for an answer gets the error."""
        self._state, self._received = _State.SPOILT, bytearray()
        if error is not None and self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abort()

    @staticmethod
    def _is_readable(transport: asyncio.Transport) -> bool:
        """Say whether there is anything to read, be it the end."""
        if transport.is_closing():  # the event loop will say so in its next step
            return True
        waiting = select.poll()
        waiting.register(transport.get_extra_info("socket").fileno(), _READABLE)
        return bool(waiting.poll(0))
