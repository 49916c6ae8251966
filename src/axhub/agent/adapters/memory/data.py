"""What the stores in memory share: rows, the chains of the audit, and a clock that can be moved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.audit import GENESIS, AuditEntry, ChainedEntry, chained
from axhub.agent.domain.messages import Message
from axhub.agent.domain.moments import moment
from axhub.agent.domain.records import CallRecord, RunRecord
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.ports.events import Event

__all__ = ["Approval", "Call", "Conversation", "Due", "KeptResult", "MemoryData", "Request", "Run"]

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
    looked_at: int | None = None
    looks: int = 0
    proposed: str = ""
    """The entry of the audit with which it was proposed."""


@dataclass(slots=True)
class Run(Generic[A]):
    """A row; `record` has no calls, as they are rows of their own."""

    record: RunRecord[A]
    state: RunState
    lease_until: int | None
    calls: dict[str, Call] = field(default_factory=dict)
    answer: str = ""
    reason: StopReason | None = None

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
    """An event."""

    event: Event
    created_at: int
    next_at: int
    attempts: int = 0
    is_dead: bool = False
    published_at: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is still to leave."""
        return self.published_at is None and not self.is_dead

    def spent_since(self) -> int | None:
        """Return when it left."""
        return self.published_at


@dataclass(slots=True)
class Request:
    """A request that is to be done once."""

    fingerprint: str
    owner: str
    created_at: int
    locked_until: int
    response: str | None = None

    def spent_since(self) -> int:
        """Return when it was over, or began: what came later."""
        return self.created_at if self.response is not None else max(self.created_at, self.locked_until)


@dataclass(frozen=True, slots=True)
class KeptResult:
    """The whole of a result that was cut, and whose it is."""

    full: FullResult
    tenant_id: str
    user_id: str
    created_at: int

    def spent_since(self) -> int:
        """Return when it was stored."""
        return self.created_at


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
        self.requests: dict[tuple[str, str], Request] = {}
        self.full_results: dict[str, KeptResult] = {}

    def advance(self, seconds: float) -> None:
        """Let time pass: leases, approvals and pauses come closer to their end."""
        self._ahead += seconds

    def now(self, seconds: float = 0.0) -> int:
        """Return the moment that is so many seconds away, in milliseconds."""
        return int((self._seconds() + self._ahead + seconds) * 1000)

    def append(self, entries: Sequence[AuditEntry]) -> Mapping[str, str]:
        """Add entries to the chains of their tenants; return them by the calls that they are about."""
        stored = {}
        at = moment(self.now(), "milliseconds")
        for entry in entries:
            chain = self.chains.setdefault(entry.tenant_id, [])
            previous = chain[-1].hash if chain else GENESIS
            chain.append(chained(entry.tenant_id, len(chain) + 1, replace(entry, at=at).body(), previous))
            stored[entry.call_id] = chain[-1].body
        return stored


def _with_comment(call: Call) -> CallRecord:
    return call.record if call.approval is None else replace(call.record, comment=call.approval.comment)
