"""The outbox in memory."""

from collections.abc import Sequence
from typing import Any

from axhub.agent.adapters.memory.data import Due, MemoryData
from axhub.agent.ports.events import Event, OutboxItem

__all__ = ["MemoryOutbox"]


class MemoryOutbox:
    """See `ports.events.OutboxStore`."""

    def __init__(self, data: MemoryData[Any]) -> None:
        self._data = data

    def add(self, event: Event) -> None:
        """Store an event."""
        self._data.events[event.id] = Due(event, self._data.now(), self._data.now())

    async def claim(self, most: int, lease_seconds: float) -> tuple[OutboxItem, ...]:
        """See `OutboxStore`."""
        first: dict[str, Due] = {}
        for due in self._data.events.values():
            if due.is_open:
                first.setdefault(due.event.aggregate, due)
        taken = [due for due in first.values() if due.next_at <= self._data.now()][:most]
        for due in taken:
            due.next_at = self._data.now(lease_seconds)
            due.attempts += 1
        return tuple(OutboxItem(due.event, due.attempts) for due in taken)

    async def published(self, event_id: str) -> None:
        """See `OutboxStore`."""
        due = self._data.events.get(event_id)
        if due is not None:
            due.published_at = self._data.now()

    async def failed(self, event_id: str, retry_in: float | None) -> None:
        """See `OutboxStore`."""
        due = self._data.events.get(event_id)
        if due is not None and due.published_at is None:
            due.is_dead = retry_in is None
            due.next_at = self._data.now(retry_in or 0.0)

    async def give_back(self, items: Sequence[OutboxItem]) -> None:
        """See `OutboxStore`."""
        for one in items:
            due = self._data.events.get(one.event.id)
            if due is not None and due.published_at is None and due.attempts == one.attempts:
                due.next_at = self._data.now()
                due.attempts -= 1

    async def lag_seconds(self) -> float:
        """See `OutboxStore`."""
        waiting = [due.created_at for due in self._data.events.values() if due.is_open]
        return (self._data.now() - min(waiting)) / 1000 if waiting else 0.0
