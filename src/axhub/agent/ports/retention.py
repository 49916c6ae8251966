"""What is removed once it has served its time; audit, conversations, and whatever is not done yet never are."""

from enum import StrEnum
from typing import Protocol

__all__ = ["RetentionStore", "Spent"]


class Spent(StrEnum):
    """What may be removed when it is old."""

    PUBLISHED_EVENTS = "published_events"
    """Events of the outbox that have left; neither those that wait nor dead ones."""
    REQUEST_KEYS = "request_keys"
    """Keys of requests that were to be done once; not those of requests that are being done."""
    FULL_RESULTS = "full_results"
    """The wholes of results that were cut for the model."""


class RetentionStore(Protocol):
    """Removes what is old, a bounded batch at a time, however many processes do so at once."""

    async def remove(self, what: Spent, older_than_seconds: float, most: int) -> int:
        """Remove the oldest of a kind, in one transaction; return how many were removed.

        Args:
            what: the kind.
            older_than_seconds: how long ago an event has left, a request with a key began, or a result was stored, by
                the clock of the store; a request that was never finished also ended its lease as long ago.
            most: rows.
        """
        ...
