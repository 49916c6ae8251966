"""What the stores in memory share: rows, the chains of the audit, and a clock that can be moved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.audit import GENESIS, AuditEntry, ChainedEntry, chained
from axhub.agent.domain.messages import Message
from axhub.agent.domain.moments import moment
from axhub.agent.domain.records import CallRecord, RunRecord
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.ports.events import Event

__all__ = ["Approval", "Call", "Conversation", "Due", "MemoryData", "Run"]

A = TypeVar("A", bound=Actor)


@dataclass(slots=True)
class Conversation:
    """A row; the messages are of its runs, in order."""

    tenant_id: str
    user_id: str
    active_run_id: str | None
    messages: list[Message] = field(default_factory=list)


@dataclass(slots=True)
class Approval:
    """A row."""

    expires_at: int
    decision: Decision | None = None
    approver: str = ""
    comment: str = ""
    is_open: bool = True


@dataclass(slots=True)
class Call:
    """A row, with the approval that is about it."""

    record: CallRecord
    approval: Approval | None = None
    looked_at: int = -1


@dataclass(slots=True)
class Run(Generic[A]):
    """A row; `record` has no calls, as they are rows of their own."""

    record: RunRecord[A]
    state: RunState
    lease_until: int | None
    calls: dict[str, Call] = field(default_factory=dict)
    answer: str = ""
    reason: StopReason | None = None
    attempts: int = 0

    def open_calls(self) -> tuple[CallRecord, ...]:
        """Return the calls of the response that has no results yet."""
        if self.record.turn is None or not self.calls:
            return ()
        last = max(call.record.turn for call in self.calls.values())
        found = [_with_comment(call) for call in self.calls.values() if call.record.turn == last]
        return tuple(sorted(found, key=lambda one: one.position))

    def taken(self) -> RunRecord[A]:
        """Return the run as the process that works on it holds it."""
        return replace(self.record, calls=self.open_calls())


@dataclass(slots=True)
class Due:
    """An event that has not left."""

    event: Event
    created_at: int
    next_at: int
    attempts: int = 0
    is_dead: bool = False


class MemoryData(Generic[A]):
    """Rows and a clock; given to each of the stores that are to see the same."""

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        """Take a clock; moments that people see are counted from 1970 on it."""
        self._seconds = seconds
        self._ahead = 0.0
        self.conversations: dict[str, Conversation] = {}
        self.runs: dict[str, Run[A]] = {}
        self.chains: dict[str, list[ChainedEntry]] = {}
        self.events: dict[str, Due] = {}

    def advance(self, seconds: float) -> None:
        """Let time pass: leases, approvals and pauses come closer to their end."""
        self._ahead += seconds

    def now(self, seconds: float = 0.0) -> int:
        """Return the moment that is so many seconds away, in milliseconds."""
        return int((self._seconds() + self._ahead + seconds) * 1000)

    def append(self, entries: Sequence[AuditEntry]) -> None:
        """Add entries to the chains of their tenants."""
        at = moment(self.now(), "milliseconds")
        for entry in entries:
            chain = self.chains.setdefault(entry.tenant_id, [])
            previous = chain[-1].hash if chain else GENESIS
            chain.append(chained(entry.tenant_id, len(chain) + 1, replace(entry, at=at).body(), previous))


def _with_comment(call: Call) -> CallRecord:
    return call.record if call.approval is None else replace(call.record, comment=call.approval.comment)
