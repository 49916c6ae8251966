"""All stores in memory, for tests and small trials: the promises of the database ones, gone with the process."""

from axhub.agent.adapters.memory.data import MemoryData
from axhub.agent.adapters.memory.events import MemoryOutbox
from axhub.agent.adapters.memory.once import MemoryOnce
from axhub.agent.adapters.memory.retention import MemoryRetention
from axhub.agent.adapters.memory.run_store import MemoryRunStore
from axhub.agent.adapters.memory.trail import MemoryAuditTrail

__all__ = ["MemoryAuditTrail", "MemoryData", "MemoryOnce", "MemoryOutbox", "MemoryRetention", "MemoryRunStore"]
