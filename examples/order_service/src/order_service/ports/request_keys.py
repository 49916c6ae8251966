"""Requests with a key of the sender's: the same again gets the first response (agent/I1, the first of three layers)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

__all__ = ["KnownKey", "RequestKeys", "SeenKey"]


class SeenKey(StrEnum):
    """What is known of a key."""

    FIRST = "first"
    """Nobody had it, or whoever had it died: it is this request's now."""
    SAME = "same"
    """The same request was done; its response is there."""
    OTHER = "other"
    """Another request has it."""
    IN_PROGRESS = "in_progress"
    """The same request is being done."""


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key as it is found."""

    seen: SeenKey
    response: str | None = None
    """Of `SAME`, as it was given to `finish`."""
    token: str = field(default="", compare=False)
    """Of `FIRST`: says at `finish` and `forget` that it is this attempt that has the key."""


class RequestKeys(Protocol):
    """Keys; each method is one transaction of its own."""

    async def begin(self, scope: str, key: str, fingerprint: str) -> KnownKey:
        """Take a key, or say what is known of it.

        Args:
            scope: whose key, and for what: at most 64 characters.
            key: the sender's, at most 255 characters of ASCII.
            fingerprint: hash of what is asked.

        Raises:
            UnavailableError: it was not taken.
        """
        ...

    async def finish(self, scope: str, key: str, token: str, response: str) -> None:
        """Keep the response of a request that was done; one that took so long that another has the key keeps none.

        Raises:
            UnavailableError: it may not have been kept; a repeated request is then done again.
        """
        ...

    async def forget(self, scope: str, key: str, token: str) -> None:
        """Give a key back, if it is still this attempt's: the request was refused before anything changed.

        Raises:
            UnavailableError: it stays taken until its lease is over.
        """
        ...
