"""What is removed in memory when it is old."""

from typing import Any

from axhub.agent.adapters.memory.data import MemoryData
from axhub.agent.ports.retention import Spent

__all__ = ["MemoryRetention"]


class MemoryRetention:
    """See `ports.retention.RetentionStore`."""

    def __init__(self, data: MemoryData[Any]) -> None:
        self._data = data

    async def remove(self, what: Spent, older_than_seconds: float, most: int) -> int:
        """See `RetentionStore`."""
        before = self._data.now(-older_than_seconds)
        kinds: dict[Spent, dict[Any, Any]] = {
            Spent.PUBLISHED_EVENTS: self._data.events,
            Spent.REQUEST_KEYS: self._data.requests,
            Spent.FULL_RESULTS: self._data.full_results,
        }
        rows = kinds[what]
        since = ((row.spent_since(), key) for key, row in rows.items())
        old = sorted((moment, key) for moment, key in since if moment is not None and moment <= before)
        for _, key in old[:most]:
            del rows[key]
        return len(old[:most])
