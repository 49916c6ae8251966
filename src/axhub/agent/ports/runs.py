"""What is stored of conversations, runs, calls and approvals.

Each method of `RunStore` is one transaction, and none is open between two calls: so none is open while a model or a
tool is being waited for (agent/L8).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decider, Decision, DecisionFault
from axhub.agent.domain.audit import AuditEntry
from axhub.agent.domain.calls import CallEvent
from axhub.agent.domain.errors import AgentError
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage
from axhub.agent.domain.records import ApprovalView, Begun, CallRecord, ConversationView, NewRun, RunRecord, RunView
from axhub.agent.domain.runs import StopReason

__all__ = [
    "Busy",
    "Decided",
    "Lost",
    "LostCall",
    "LostLeaseError",
    "NotFoundError",
    "NotWaitingError",
    "PendingApprovalError",
    "RunInProgressError",
    "RunStore",
    "Settled",
    "StoreUnavailableError",
]

A = TypeVar("A", bound=Actor)


class NotFoundError(AgentError):
    """There is no such run, conversation or approval, or it is somebody else's: nobody learns which."""


class PendingApprovalError(AgentError):
    """A call of the conversation waits for a person; a new message is no decision (agent/R4)."""


class RunInProgressError(AgentError):
    """The conversation is answering another message."""


class NotWaitingError(AgentError):
    """The run does not wait for a person, so it cannot be withdrawn."""


class LostLeaseError(AgentError):
    """Another process has taken the run over, or a person withdrew it; this one must let go of it."""


class StoreUnavailableError(AgentError):
    """The store is away, full, locked or too slow; raised within seconds, by every method of every store.

    What the method was to do has not happened, as far as this process knows; only a lost answer to a commit hides it.
    """


@dataclass(frozen=True, slots=True)
class Busy:
    """Why one call of a batch may not run now: another one with its business key has not ended (agent/L6)."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Settled:
    """How one call ended."""

    call: CallRecord
    """With result and reference."""
    event: CallEvent | None
    """None: nothing happened to it now, and its state stays as it is stored; only its result is new."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a decision."""

    fault: DecisionFault | None
    approval: ApprovalView | None
    """As it stands now; None where nobody may see it."""
    is_run_ready: bool = False
    """Whether the run can go on: this was the last decision that it waited for."""


@dataclass(frozen=True, slots=True)
class LostCall(Generic[A]):
    """A call whose outcome nobody knows."""

    run: RunRecord[A]
    call: CallRecord


@dataclass(frozen=True, slots=True)
class Lost(Generic[A]):
    """What a dead process left: a run, taken over, with calls that were running."""

    run: RunRecord[A]
    attempts: int
    """How often the run was taken over, this time included."""


class RunStore(Protocol[A]):
    """Conversations, runs, calls, approvals and their audit; one transaction a method, compare-and-set throughout."""

    async def begin(self, new: NewRun[A]) -> Begun[A]:
        """Begin a run in a conversation of the actor's, new or known.

        Raises:
            NotFoundError: the conversation is not the actor's.
            PendingApprovalError: it waits for a person.
            RunInProgressError: it is answering another message.
        """
        ...

    async def hold(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        calls: Sequence[CallRecord],
        counters: Counters,
        audit: Sequence[AuditEntry],
        expires_in: float,
    ) -> tuple[ApprovalView, ...]:
        """Store a response whose calls wait for a person, and let go of the run; `expires_in` is in seconds.

        Raises:
            LostLeaseError: the run is not this process's any more.
        """
        ...

    async def intend(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        calls: Sequence[CallRecord],
        counters: Counters,
        audit: Sequence[AuditEntry],
        lease_seconds: float,
    ) -> tuple[RunRecord[A], tuple[Busy, ...]]:
        """Record that calls are about to run, in the states that they are given in; one that is `Busy` stays as it was.

        Raises:
            LostLeaseError: as above. Then nothing may run.
        """
        ...

    async def settle(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        calls: Sequence[Settled],
        counters: Counters,
        audit: Sequence[AuditEntry],
        lease_seconds: float,
    ) -> RunRecord[A]:
        """Store how all calls of a response ended, and put the response with all its results into the history.

        Raises:
            LostLeaseError: as above. Results of calls that ran are stored all the same.
        """
        ...

    async def renew(self, run_id: str, lease_seconds: float) -> None:
        """Say that the process that works on a run is alive; of a run that is not worked on, nothing changes."""
        ...

    async def end(
        self, run: RunRecord[A], answer: str | None, reason: StopReason | None, audit: Sequence[AuditEntry]
    ) -> None:
        """End a run with an answer, which joins the history, or with a reason; calls that have not run never will.

        Raises:
            LostLeaseError: as above.
        """
        ...

    async def decide(
        self, approval_id: str, decision: Decision, comment: str, decider: Decider, *, may_decide_own: bool
    ) -> Decided:
        """Take a decision, once (agent/R3): `domain.approval.check_decision` inside the transaction."""
        ...

    async def withdraw(self, run_id: str, actor: A) -> RunView:
        """Take a waiting run back; its calls never run.

        Raises:
            NotFoundError: it is not the actor's.
            NotWaitingError: it does not wait.
        """
        ...

    async def claim_ready(self, lease_seconds: float) -> Begun[A] | None:
        """Take one run that can go on; None if there is none. No other process gets the same one.

        Calls that were approved, and whose time is over by now, are EXPIRED in it (agent/R2).
        """
        ...

    async def expire(self) -> int:
        """Let calls expire that nobody decided on in time; return how many runs can go on now."""
        ...

    async def take_over(self, lease_seconds: float) -> Lost[A] | None:
        """Take one run whose process died; its running calls are UNKNOWN from now on."""
        ...

    async def give_back(self, run: RunRecord[A]) -> None:
        """Let a taken-over run go on: it is READY again."""
        ...

    async def unknown(self, most: int) -> tuple[LostCall[A], ...]:
        """Return calls of unknown outcome, those that were looked at longest ago first."""
        ...

    async def resolve(self, call: CallRecord, event: CallEvent, audit: AuditEntry) -> None:
        """Store what became of a call of unknown outcome."""
        ...

    async def run(self, run_id: str, actor: A) -> RunView:
        """Return a run of the actor's.

        Raises:
            NotFoundError: there is none of the actor's.
        """
        ...

    async def conversation(self, conversation_id: str, actor: A) -> ConversationView:
        """Return a conversation of the actor's.

        Raises:
            NotFoundError: there is none of the actor's.
        """
        ...

    async def approvals(self, tenant_id: str, most: int) -> tuple[ApprovalView, ...]:
        """Return what waits for a decision in a tenant, oldest first."""
        ...
