"""The stored audit, as it is verified (agent/I3)."""

from collections.abc import AsyncIterator
from typing import Protocol

from axhub.agent.domain.audit import ChainedEntry, Head

__all__ = ["AuditTrail"]


class AuditTrail(Protocol):
    """The stored audit, read whole (agent/I3)."""

    def entries(self) -> AsyncIterator[ChainedEntry]:
        """Iterate over all chains, each tenant's in ascending order."""
        ...

    async def heads(self) -> tuple[Head, ...]:
        """Return the newest entry of each tenant."""
        ...
