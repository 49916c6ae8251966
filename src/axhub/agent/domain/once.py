"""What is known of a request that is to be done once (agent/I1)."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Known", "Seen"]


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
