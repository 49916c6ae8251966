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
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import StopReason
from axhub.agent.domain.settlement import DoubtfulCall, Finding

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
    "Settlement",
    "StoreUnavailableError",
    "TooManyPendingError",
    "Unreadable",
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


class TooManyPendingError(AgentError):
    """Too many calls of the requester wait for a person already; nothing of the response is stored (threat/T30)."""


class LostLeaseError(AgentError):
    """Another process has taken the run over, or a person withdrew it; this one must let go of it."""

    def __init__(self, run_id: str, late: tuple[str, ...] = ()) -> None:
        """Take what was lost.

        Args:
            run_id: of the run; a tool's transaction and the key of a request name what they have lost instead.
            late: calls of it that this process ran, and that ended otherwise than is stored by now: that stays.
        """
        super().__init__(run_id)
        self.run_id = run_id
        self.late = late


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
    full: FullResult | None = None
    """The whole of a result that was cut."""

    @property
    def is_known_write(self) -> bool:
        """Whether a write ran, and what became of it is known."""
        return self.call.key is not None and self.event in {CallEvent.SUCCEED, CallEvent.FAIL}


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a decision."""

    fault: DecisionFault | None
    approval: ApprovalView | None
    """As it stands now; None where nobody may see it."""
    is_run_ready: bool = False
    """Whether the run can go on: this was the last decision that it waited for."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of what a person says about a call of unknown outcome."""

    fault: DecisionFault | None
    call: DoubtfulCall | None
    """As it stands now; None where nothing was taken."""


@dataclass(frozen=True, slots=True)
class LostCall(Generic[A]):
    """A call whose outcome nobody knows."""

    run: RunRecord[A]
    call: CallRecord


@dataclass(frozen=True, slots=True)
class Lost(Generic[A]):
    """What a dead process left: a run, taken over, with calls that were running."""

    run: RunRecord[A]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A stored run that this process cannot read; it is passed over, so that it keeps no other waiting.

    It comes again when its new lease is over: another version may read it, or somebody has mended it. That it came does
    not count as an attempt, and nothing is said of its calls before.
    """

    run_id: str
    error: Exception
    """Why; nobody but those who look after the service is told."""


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
        most_pending: int,
    ) -> tuple[ApprovalView, ...]:
        """Store a response whose calls wait for a person, and let go of the run; `expires_in` is in seconds.

        Raises:
            LostLeaseError: the run is not this process's any more.
            TooManyPendingError: more than `most_pending` calls of its requester would wait, those of other runs
                counted; nothing is stored, and the run is still this process's. Exact, whoever else stores meanwhile.
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
            LostLeaseError: as above. Results of calls that ran are stored all the same where nobody has found out what
                became of them; the others are named, and stand in the audit as late.
        """
        ...

    async def renew(self, run: RunRecord[A], lease_seconds: float) -> bool:
        """Say that the process that works on a run is alive; say whether the run is still its own.

        Nothing changes where it is not worked on any more, or where another process has taken it over meanwhile.
        """
        ...

    async def end(
        self, run: RunRecord[A], answer: str | None, reason: StopReason | None, audit: Sequence[AuditEntry]
    ) -> None:
        """End a run with an answer, which joins the history, or with a reason; calls that have not run never will.

        With a reason, calls that run as far as is known are UNKNOWN from now on.

        Raises:
            LostLeaseError: as above.
        """
        ...

    async def decide(
        self, approval_id: str, decision: Decision, comment: str, decider: Decider, *, may_decide_own: bool
    ) -> Decided:
        """Take a decision, once (agent/R3): `domain.approval.check_decision` inside the transaction.

        An attempt of somebody of the tenant who may not (`domain.settlement.AUDITED`) stands in the audit.
        """
        ...

    async def withdraw(self, run_id: str, actor: A) -> RunView:
        """Take a waiting run back; its calls never run.

        Raises:
            NotFoundError: it is not the actor's.
            NotWaitingError: it does not wait.
        """
        ...

    async def claim_ready(self, lease_seconds: float) -> Begun[A] | Unreadable | None:
        """Take one run that can go on; None if there is none. No other process gets the same one.

        Calls that were approved, and whose time is over by now, are EXPIRED in it; those that would run say with which
        arguments they were proposed, by the audit (agent/R2).
        """
        ...

    async def expire(self) -> int:
        """Let calls expire that nobody decided on in time; return how many runs can go on now."""
        ...

    async def take_over(self, lease_seconds: float) -> Lost[A] | Unreadable | None:
        """Take one run whose process died; its running calls are UNKNOWN from now on."""
        ...

    async def give_back(self, run: RunRecord[A]) -> None:
        """Let a taken-over run go on: it is READY again."""
        ...

    async def newer(self, most: int) -> tuple[str, ...]:
        """Return the ids of runs that wait for a process, and that only a newer version than this one can read."""
        ...

    async def unknown(self, most: int) -> tuple[LostCall[A] | Unreadable, ...]:
        """Return calls of unknown outcome that are due, those that were looked at longest ago first.

        One that is returned is due again after a pause: 10 s at first, twice as long each time, at last 85 minutes.
        """
        ...

    async def resolve(
        self, call: CallRecord, event: CallEvent, audit: AuditEntry, full: FullResult | None = None
    ) -> None:
        """Store what became of a call of unknown outcome."""
        ...

    async def doubtful(self, tenant_id: str, most: int) -> tuple[DoubtfulCall, ...]:
        """Return calls of a tenant whose outcome nobody knows, oldest first."""
        ...

    async def settle_unknown(
        self, call_id: str, finding: Finding, decider: Decider, *, may_decide_own: bool
    ) -> Settlement:
        """Take what a person has found out, once: `domain.settlement.check_finding` inside the transaction."""
        ...

    async def run(self, run_id: str, actor: A) -> RunView:
        """Return a run of the actor's.

        Raises:
            NotFoundError: there is none of the actor's.
        """
        ...

    async def full_result(self, full_id: str, actor: A) -> FullResult:
        """Return the whole of a result that was cut (`CallResult.full_id`), of a run of the actor's.

        Raises:
            NotFoundError: there is none of the actor's, or it is not kept any more.
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
