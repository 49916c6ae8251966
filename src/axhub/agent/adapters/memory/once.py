"""Requests that are done once, in memory (agent/I1)."""

from dataclasses import dataclass
from typing import Any

from axhub.agent.adapters.memory.data import MemoryData
from axhub.agent.domain.once import Known, Seen

__all__ = ["MemoryOnce"]


@dataclass(slots=True)
class _Record:
    fingerprint: str
    locked_until: int
    response: str | None = None


class MemoryOnce:
    """The functions of `adapters.sql.idempotency` as methods."""

    def __init__(self, data: MemoryData[Any]) -> None:
        self._data = data
        self._records: dict[tuple[str, str], _Record] = {}

    def begin(self, scope: str, key: str, fingerprint: str, *, lease_seconds: float) -> Known:
        """See `begin_once`."""
        lease = self._data.now(lease_seconds)
        record = self._records.get((scope, key))
        if record is None:
            self._records[scope, key] = _Record(fingerprint, lease)
            return Known(Seen.FIRST)
        if record.fingerprint != fingerprint:
            return Known(Seen.OTHER)
        if record.response is not None:
            return Known(Seen.SAME, record.response)
        if record.locked_until > self._data.now():
            return Known(Seen.IN_PROGRESS)
        record.locked_until = lease
        return Known(Seen.FIRST)

    def finish(self, scope: str, key: str, response: str) -> None:
        """See `finish_once`."""
        self._records[scope, key].response = response

    def forget(self, scope: str, key: str) -> None:
        """See `forget_once`."""
        record = self._records.get((scope, key))
        if record is not None and record.response is None:
            del self._records[scope, key]

    def look_up(self, scope: str, key: str) -> str | None:
        """See `look_up`."""
        record = self._records.get((scope, key))
        return None if record is None else record.response
