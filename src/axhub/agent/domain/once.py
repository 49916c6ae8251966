"""What is known of a request that is to be done once (agent/I1)."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from axhub.agent.domain.texts import storable

__all__ = ["Known", "Seen", "stored_name"]

_LONGEST: Final = 256


class Seen(StrEnum):
    """What is known of a key."""

    FIRST = "first"
    """Nobody had it; it is this request's now."""
    SAME = "same"
    """The same request was done; its answer is `response`."""
    OTHER = "other"
    """Another request had the key: refuse this one (422)."""
    IN_PROGRESS = "in_progress"
    """The same request is being done (409)."""


@dataclass(frozen=True, slots=True)
class Known:
    """A key as it is found."""

    seen: Seen
    response: str | None = None


def stored_name(text: str) -> str:
    """Return a key, or a scope, as it is stored: itself, or its hash where no column takes it.

    Keys come from callers, so one may be of any length and hold NUL or half a character; each is still one key.
    """
    if len(text) <= _LONGEST and storable(text) == text:
        return text
    return f"sha256:{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()}"
