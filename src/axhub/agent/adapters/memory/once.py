"""Requests that are done once, in memory (agent/I1)."""

from typing import Any

from axhub.agent.adapters.memory.data import MemoryData, Request
from axhub.agent.domain.once import Known, Seen
from axhub.agent.ports.runs import LostLeaseError

__all__ = ["MemoryOnce"]


class MemoryOnce:
    """The functions of `adapters.sql.idempotency` as methods."""

    def __init__(self, data: MemoryData[Any]) -> None:
        self._data = data

    def begin(self, scope: str, key: str, fingerprint: str, *, owner: str, lease_seconds: float) -> Known:
        """See `begin_once`."""
        lease = self._data.now(lease_seconds)
        record = self._data.requests.get((scope, key))
        if record is None:
            self._data.requests[scope, key] = Request(fingerprint, owner, self._data.now(), lease)
            return Known(Seen.FIRST)
        if record.fingerprint != fingerprint:
            return Known(Seen.OTHER)
        if record.response is not None:
            return Known(Seen.SAME, record.response)
        if record.locked_until > self._data.now():
            return Known(Seen.IN_PROGRESS)
        record.owner, record.locked_until = owner, lease
        return Known(Seen.FIRST)

    def finish(self, scope: str, key: str, response: str, *, owner: str) -> None:
        """See `finish_once`."""
        record = self._held(scope, key, owner)
        if record is None:
            raise LostLeaseError(key)
        record.response = response

    def forget(self, scope: str, key: str, *, owner: str) -> None:
        """See `forget_once`."""
        if self._held(scope, key, owner) is not None:
            del self._data.requests[scope, key]

    def _held(self, scope: str, key: str, owner: str) -> Request | None:
        record = self._data.requests.get((scope, key))
        return record if record is not None and record.owner == owner and record.response is None else None
