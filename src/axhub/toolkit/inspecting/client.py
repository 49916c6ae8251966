"""The clients of a trial: one sample is the answer, and the tool's other samples answer what it asks besides."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from pydantic import BaseModel

from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.http_bodies import INVALID_ANSWER, INVALID_REQUEST, json_bytes, request_of, validated
from axhub.toolkit.connectors.mci.samples import PREFIX, MciSample
from axhub.toolkit.connectors.samples import Sample, choose
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.mci import Envelope, Layout, MciCall, TelegramError, to_plain

__all__ = ["ApiSample", "InterfaceSample", "SampleClients", "TriedSample", "UnansweredError"]

MAX_CALLS: Final = 50
"""Of one API in one trial; a tool that reads page after page would never end on a sample that names a next one."""
_COUNT: Final = "count"
_SUCCESSES: Final = range(200, 300)
_DIGITS: Final = "0" * 31 + "1"
_NOON: Final = datetime(2026, 1, 2, 12, tzinfo=UTC)

_A = TypeVar("_A", bound=BaseModel)
_L = TypeVar("_L", bound=Layout)


class UnansweredError(Exception):
    """The tool asked for what no sample answers; the message says which API or interface."""


@dataclass(frozen=True, slots=True)
class ApiSample:
    """A sample and whose it is."""

    called: ClassVar[str] = "API"
    name: str
    """Of the API."""
    sample: Sample

    @property
    def is_success(self) -> bool:
        """Whether it is an answer, not a status that is none."""
        return self.sample.status in _SUCCESSES

    @staticmethod
    def first(name: str) -> str:
        """Return what the first sample of an API is called."""
        return f"http-{name}.json"


@dataclass(frozen=True, slots=True)
class InterfaceSample:
    """A sample of an MCI system and of which interface it is."""

    called: ClassVar[str] = "interface"
    name: str
    """Of the interface."""
    sample: MciSample

    @property
    def is_success(self) -> bool:
        """Whether it is an answer, not a refusal."""
        return self.sample.error is None

    @staticmethod
    def first(name: str) -> str:
        """Return what the first sample of an interface is called."""
        return f"{PREFIX}{name}.json"


TriedSample: TypeAlias = ApiSample | InterfaceSample
_T = TypeVar("_T", ApiSample, InterfaceSample)


class SampleClients:
    """Answers the first call for the sample on trial with it, and further ones with what fits."""

    def __init__(
        self, tried: TriedSample, samples: Iterable[TriedSample], entries: Mapping[str, HttpApiSettings]
    ) -> None:
        """Take what the tool may be answered.

        Args:
            tried: the sample on trial.
            samples: all that the tool has.
            entries: how the configuration says that each API is asked, as far as that is known.
        """
        self.is_used = False
        self.problem: str | None = None
        """Why the sample on trial is none of the model that the client asked for."""
        self.has_failed = False
        """Whether a call of it ended without an answer; what the tool makes of that is no fault of its own."""
        self.http = SampleHttp(self, entries)
        self.mci = SampleMci(self)
        self._tried = tried
        self._samples = list(samples)
        self._calls: dict[tuple[str, str], int] = {}

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Note that a call did not end well, if it does not."""
        self.has_failed, before = True, self.has_failed
        yield
        self.has_failed = before

    async def chosen(self, wanted: type[_T], name: str, given: Mapping[str, Any]) -> _T:
        """Return the sample that answers a request.

        Args:
            wanted: of which kind it has to be.
            name: of the API or the interface.
            given: the members of the request.

        Raises:
            UnansweredError: there is none, or it was asked too often.
        """
        await asyncio.sleep(0)  # others run meanwhile, and a trial that takes too long can be ended
        calls = self._calls[wanted.called, name] = self._calls.get((wanted.called, name), 0) + 1
        if calls > MAX_CALLS:
            raise UnansweredError(f'the tool asked the {wanted.called} "{name}" more than {MAX_CALLS} times')
        if isinstance(self._tried, wanted) and self._tried.name == name and not self.is_used:
            self.is_used = True
            return self._tried
        fitting = {id(one.sample): one for one in self._samples if isinstance(one, wanted) and one.name == name}
        found = choose([one.sample for one in fitting.values()], given)
        if found is not None:
            return fitting[id(found)]
        if fitting:
            raise UnansweredError(
                f'the tool asks the {wanted.called} "{name}" for what none of its samples is the answer to'
            )
        first = wanted.first(name)
        raise UnansweredError(f'the tool also asks the {wanted.called} "{name}", of which it has no sample ({first})')

    def blame(self, chosen: TriedSample, problem: str) -> None:
        """Note what is wrong with a sample, if it is the one on trial."""
        if chosen is self._tried:
            self.problem = problem


class SampleHttp:
    """See `HttpClient`."""

    def __init__(self, clients: SampleClients, entries: Mapping[str, HttpApiSettings]) -> None:
        self._clients = clients
        self._entries = entries

    async def call(self, api: str, request: BaseModel, response_type: type[_A]) -> _A:
        """See `HttpClient`; the request is written as it would be, and then not sent.

        Raises:
            LegacyError: as the adapter would.
            UnansweredError: no sample is for this request, or the API was asked too often.
        """
        with self._clients.failing():
            chosen = await self._clients.chosen(ApiSample, api, request.model_dump(mode="json", by_alias=True))
            try:
                if (entry := self._entries.get(api)) is not None:
                    request_of(entry, request)
            except LegacyError as error:
                self._clients.blame(chosen, f'the request to the API "{api}" cannot be sent: {error.message}')
                raise
            if not chosen.is_success:
                raise LegacyError(str(chosen.sample.status), f"the API answered with the status {chosen.sample.status}")
            try:
                return validated(response_type, json_bytes(chosen.sample.answer).decode())
            except LegacyError as error:
                self._clients.blame(chosen, error.message)
                raise


class SampleMci:
    """See `MciClient`."""

    def __init__(self, clients: SampleClients) -> None:
        self._clients = clients

    async def call(self, system: str, envelope: Envelope, request: Layout, response_type: type[_L]) -> _L:
        """See `MciClient`; the request is written as it would be, and then not sent.

        Raises:
            LegacyError: as the adapter would.
            UnansweredError: no sample is for this request, or the interface was asked too often.
        """
        del system  # an interface has the same samples wherever it is asked
        with self._clients.failing():
            interface = response_type.layout_id or request.layout_id
            chosen = await self._clients.chosen(InterfaceSample, interface, to_plain(request))
            try:
                envelope.request(_call(interface), request)
            except TelegramError as error:
                self._clients.blame(chosen, _telegram(error))
                raise LegacyError(INVALID_REQUEST, str(error)) from None
            if chosen.sample.error is not None:
                raise LegacyError(*chosen.sample.error)
            try:
                return response_type.decode(chosen.sample.data(response_type).encode())  # as it comes over the wire
            except TelegramError as error:
                self._clients.blame(chosen, _telegram(error))
                raise LegacyError(INVALID_ANSWER, str(error)) from None
            except ValueError as error:
                self._clients.blame(chosen, f"its members are none of {response_type.__name__}: {error}")
                raise LegacyError(INVALID_ANSWER, str(error)) from None


def _call(interface: str) -> MciCall:
    return MciCall(interface_id=interface, correlation_id=_DIGITS, trace_id=_DIGITS, request_id="sample", sent_at=_NOON)


def _telegram(error: TelegramError) -> str:
    """Return what is wrong with a telegram: its layout, the field with its place, and the kind of fault."""
    if not error.field:
        return f"the telegram {error.layout} has {error.length} bytes instead of {error.limit}"
    kind = error.kind
    if kind == _COUNT and error.limit is not None:
        kind = f"rows {error.length} {error.limit}"
    return f"the telegram {error.layout} cannot be made at {error.field}, byte {error.offset}: telegram-{kind}"
