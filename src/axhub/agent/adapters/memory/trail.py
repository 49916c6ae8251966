"""The audit in memory."""

from collections.abc import AsyncIterator
from typing import Any

from axhub.agent.adapters.memory.data import MemoryData
from axhub.agent.domain.audit import ChainedEntry, Head

__all__ = ["MemoryAuditTrail"]


class MemoryAuditTrail:
    """See `ports.audit.AuditTrail`."""

    def __init__(self, data: MemoryData[Any]) -> None:
        self._data = data

    async def entries(self) -> AsyncIterator[ChainedEntry]:
        """See `AuditTrail`."""
        for _, chain in sorted(self._data.chains.items()):
            for entry in tuple(chain):
                yield entry

    async def heads(self) -> tuple[Head, ...]:
        """See `AuditTrail`."""
        last = [chain[-1] for _, chain in sorted(self._data.chains.items())]
        return tuple(Head(one.tenant_id, one.seq, one.hash) for one in last)
