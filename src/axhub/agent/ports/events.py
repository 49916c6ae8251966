"""Events that leave the application (agent/I4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Event", "OutboxItem", "OutboxStore", "Publisher"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in the application, told to others."""

    id: str
    """Consumers drop what they have seen: it is delivered at least once."""
    aggregate: str
    """Events of one aggregate leave in order (agent/I4)."""
    type: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """An event that a relay has claimed."""

    event: Event
    attempts: int


class OutboxStore(Protocol):
    """Events that are stored in the transaction of what happened, until a relay has published them."""

    async def claim(self, most: int, lease_seconds: float) -> tuple[OutboxItem, ...]:
        """Take due events, of each aggregate the oldest only; no other relay gets them while the lease holds."""
        ...

    async def published(self, event_id: str) -> None:
        """Note that one has left."""
        ...

    async def failed(self, event_id: str, retry_in: float | None) -> None:
        """Note that one has not left; try again in so many seconds, or never (None: dead).

        One that another relay has published meanwhile stays as it is.
        """
        ...

    async def give_back(self, items: Sequence[OutboxItem]) -> None:
        """Let events be due again that were claimed and not tried; those that another relay has by now stay its own."""
        ...

    async def lag_seconds(self) -> float:
        """Return the age of the oldest event that has not left and is not dead."""
        ...


class Publisher(Protocol):
    """Sends events to others."""

    async def publish(self, event: Event) -> None:
        """Hand an event over; whatever it raises, the event stays and is tried again.

        It is cut off after the relay's `publish_seconds`, and the event is tried again then too.
        """
        ...
