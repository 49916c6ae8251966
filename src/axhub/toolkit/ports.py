"""What a tool reaches the world through. Adapters: `connectors`; fakes: `testing`; both pass the port suites."""

from typing import Protocol, TypeVar

from pydantic import BaseModel

from axhub.toolkit.context import Encrypted
from axhub.toolkit.mci import Envelope, Layout

__all__ = ["EmployeeCipher", "HttpClient", "MciClient", "RepeatStore", "Stored"]

_A = TypeVar("_A", bound=BaseModel)
_L = TypeVar("_L", bound=Layout)


class EmployeeCipher(Protocol):
    """Port to the organisation's key management; the service supplies the adapter (seed 001 §10)."""

    async def decrypt(self, value: Encrypted) -> str:
        """Return the plain employee number.

        Raises:
            ValueError: the value was not encrypted with a key that is known.
        """
        ...


class HttpClient(Protocol):
    """Calls the HTTP APIs that the configuration names (seed 003 §10, toolkit/H1)."""

    async def call(self, api: str, request: BaseModel, response_type: type[_A]) -> _A:
        """Send `request` to the API's address and return its answer.

        A body is sent as JSON with the model's own names; a GET or DELETE puts them into the query.
        The current call's trace id, request id and encrypted employee number go along (toolkit/H2).

        Args:
            api: `name` of an entry of `glow.communication.http.api-list`.
            request: the body; converters make it.
            response_type: the model of the answer; members that it does not name are ignored.

        Raises:
            LegacyError: the API answered with a status that is no success (code: the status), with a body that is
                none of `response_type`, or not in time.
        """
        ...


class MciClient(Protocol):
    """Calls the MCI systems that the configuration names (seed 003 §9, toolkit/B3)."""

    async def call(self, system: str, envelope: Envelope, request: Layout, response_type: type[_L]) -> _L:
        """Send `request` as one telegram and return the data of its answer.

        The interface id is that of `response_type`, else of `request`. The current call's trace id, request id and
        encrypted employee number are what the envelope makes the header of (toolkit/H2). Nothing is sent twice.

        Args:
            system: `name` of an entry of `glow.communication.mci.system-list`.
            envelope: how the system puts its telegrams together.
            request: the data section; converters make it.
            response_type: the layout of the answer's data section.

        Raises:
            LegacyError: the system refused, with its own code and words; or `timeout`, `unreachable` (no connection,
                or it broke off), `too_large`, `invalid_answer` (no such telegram, or one to another question) or
                `invalid_request` (a value has no place in its field). The words of the last two name layout, field and
                offset, never a value.
        """
        ...


class Stored(Protocol):
    """What is known about a business key: see `RepeatStore.begin`."""

    @property
    def answer(self) -> bytes | None:
        """The first answer; None while the first call is still running or has been lost."""
        ...

    @property
    def digest(self) -> str | None:
        """What `begin` was told of the first request; None if nothing."""
        ...


class RepeatStore(Protocol):
    """Remembers which write calls were made, so that a repeated one is answered and not run again (rule/TK804).

    `SqliteRepeatStore` keeps it in a file of one host; replicas on several hosts need one store for all of them.
    """

    async def begin(self, tool: str, key: str, digest: str | None = None) -> Stored | None:
        """Take the key for a call that is about to run, atomically; return what is stored if somebody had it before.

        Args:
            tool: the published name; keys belong to it.
            key: identifies the business request.
            digest: of everything that was asked and of who asked, noted with the key that is taken: a later call with
                the same key and another digest is another request.
        """
        ...

    async def finish(self, tool: str, key: str, answer: bytes) -> None:
        """Store the answer of a call that ran."""
        ...

    async def release(self, tool: str, key: str) -> None:
        """Give a key back: the call was refused before anything was written."""
        ...
