"""The adapter of `MciClient`: each call is one telegram and its answer, in bounded time (toolkit/B3, toolkit/H2).

Nothing is ever sent twice: whether a telegram that was not answered has been booked, only its system knows.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from axhub.toolkit.config.settings import MciSystemSettings
from axhub.toolkit.connectors.call_log import Logged, told
from axhub.toolkit.connectors.deadlines import deadline_of
from axhub.toolkit.connectors.http_bodies import INVALID_ANSWER, INVALID_REQUEST
from axhub.toolkit.connectors.http_context import Carried, carried
from axhub.toolkit.connectors.mci.pool import TcpTransport
from axhub.toolkit.connectors.retries import TIMEOUT
from axhub.toolkit.context import current_context
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.mci import CorrelationError, Envelope, Layout, MciCall, SentTelegram, TelegramError

__all__ = ["LOGGER", "Now", "PooledMciClient", "asked", "read_answer", "wall_clock", "written"]

LOGGER: Final = "axhub.service.mci"
_EVENT: Final = "mci_call"
_ID_BYTES: Final = 16

Now = Callable[[], datetime]
"""Gives the time that telegrams say they were sent at."""

_L = TypeVar("_L", bound=Layout)
_T = TypeVar("_T")
_log: Final = logging.getLogger(LOGGER)


class Transport(Protocol):
    """Carries the telegrams of one system."""

    async def exchange(self, telegram: bytes, along: Carried, read: Callable[[bytes], _T]) -> _T:
        """Send a telegram and return what `read` makes of its answer."""
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...


@dataclass(frozen=True, slots=True)
class Answer(Generic[_L]):
    """What a system answered: a value, or the error that it refused with."""

    value: _L | None = None
    refusal: LegacyError | None = None


def wall_clock() -> datetime:
    """Return the time of day here, as telegrams say it."""
    return datetime.now().astimezone()  # noqa: TID251 - the one place where a telegram gets its time


def asked(interface_id: str, along: Carried, now: Now) -> MciCall:
    """Return what the header of a request is made of, with a correlation id that no other call has."""
    return MciCall(
        interface_id=interface_id,
        correlation_id=secrets.token_hex(_ID_BYTES),
        trace_id=along.trace_id,
        request_id=along.request_id,
        employee=along.employee,
        sent_at=now(),
    )


def written(envelope: Envelope, call: MciCall, request: Layout) -> SentTelegram:
    """Return a request as a telegram.

    Raises:
        LegacyError: `invalid_request`: a value has no place in its field; the message names layout, field and offset.
    """
    try:
        return envelope.request(call, request)
    except TelegramError as error:
        said = str(error)
    # Outside of the handler, since what it was raised from may quote a value.
    raise LegacyError(INVALID_REQUEST, f"the request is no telegram: {said}")


def read_answer(envelope: Envelope, raw: bytes, sent: SentTelegram, response_type: type[_L]) -> Answer[_L]:
    """Read an answer, section by section.

    Raises:
        LegacyError: `invalid_answer`: it is none, or one to another question; never with what stands there.
    """
    try:
        return Answer(envelope.answer(raw, sent.header, response_type))
    except LegacyError as refusal:
        return Answer(refusal=refusal)
    except TelegramError as error:
        said = f"the answer is no telegram: {error}"
    except CorrelationError as error:
        said = f"the answer is one to another question: {error}"
    raise LegacyError(INVALID_ANSWER, said)


@dataclass(slots=True)
class _Call:
    """One call while it is going on: what its line in the log says."""

    system: str
    interface: str
    along: Carried
    request_bytes: int | None = None
    answer_bytes: int | None = None
    refusal: LegacyError | None = field(default=None, repr=False)

    def fields(self) -> dict[str, Any]:
        """Return what may be logged."""
        return {
            "system": self.system,
            "interface": self.interface,
            "requestBytes": self.request_bytes,
            "answerBytes": self.answer_bytes,
            "traceId": self.along.trace_id,
            "xRequestId": self.along.request_id,
        }

    def failure(self, error: LegacyError) -> Mapping[str, Any]:
        """Return what may be logged of an error: the code alone where the system wrote the text."""
        return {"code": error.code} if error is self.refusal else told(error)


class PooledMciClient:
    """Calls the MCI systems of the configuration; opened and closed with the service (`async with`)."""

    def __init__(self, systems: Iterable[MciSystemSettings], *, now: Now = wall_clock) -> None:
        """Take the systems; nothing is connected before the first call.

        Args:
            systems: of the configuration.
            now: the time that telegrams say they were sent at.
        """
        self._systems = {system.name: system for system in systems}
        self._now = now
        self._transports: dict[str, Transport] = {}
        self._open = False

    async def __aenter__(self) -> Self:
        self._open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection; calls that are still going on fail."""
        self._open = False
        transports, self._transports = self._transports, {}
        for transport in transports.values():
            await transport.close()

    async def call(self, system: str, envelope: Envelope, request: Layout, response_type: type[_L]) -> _L:
        """See `MciClient`.

        Raises:
            LegacyError: see `MciClient.call`.
            LookupError: no entry of the configuration has this name.
            RuntimeError: the client is not open.
        """
        settings = self._systems.get(system)
        if settings is None:
            known = ", ".join(self._systems) or "none"
            raise LookupError(f'glow.communication.mci.system-list has no entry named "{system}"; there are: {known}')
        if not self._open:
            raise RuntimeError("the MCI client is not open: it is opened by the start of its service")
        context = current_context.get()
        deadline = deadline_of(settings.total_timeout_millis, context)
        call = _Call(system, response_type.layout_id or request.layout_id, carried(context, new_request_id=False))
        with Logged(_log, _EVENT, call.fields, call.failure):
            sent = written(envelope, asked(call.interface, call.along, self._now), request)
            call.request_bytes = len(sent.raw)

            def read(raw: bytes) -> Answer[_L]:
                call.answer_bytes = len(raw)
                return read_answer(envelope, raw, sent, response_type)

            return await self._answered(settings, call, sent.raw, read, deadline)

    async def _answered(
        self,
        settings: MciSystemSettings,
        call: _Call,
        telegram: bytes,
        read: Callable[[bytes], Answer[_L]],
        deadline: float,
    ) -> _L:
        try:
            async with asyncio.timeout_at(deadline):
                answer = await self._transport(settings).exchange(telegram, call.along, read)
        except TimeoutError:
            raise LegacyError(TIMEOUT, "no answer within the time of the whole call") from None
        if answer.value is None:
            call.refusal = answer.refusal
            raise answer.refusal or AssertionError
        return answer.value

    def _transport(self, system: MciSystemSettings) -> Transport:
        transport = self._transports.get(system.name)
        if transport is None:
            transport = self._transports[system.name] = _new_transport(system)
        return transport


def _new_transport(system: MciSystemSettings) -> Transport:
    if system.transport == "http":
        from axhub.toolkit.connectors.mci.http_transport import HttpTransport  # noqa: PLC0415 - loads aiohttp

        return HttpTransport(system)
    return TcpTransport(system)
