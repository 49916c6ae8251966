"""What people decide: approve, deny, withdraw (agent/R2 to R5), and what became of a lost call (agent/L6)."""

from dataclasses import replace
from typing import Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import APPROVER, Decider, Decision, DecisionFault
from axhub.agent.domain.outcomes import NotApproverError
from axhub.agent.domain.records import ApprovalView, RunView
from axhub.agent.domain.settlement import DoubtfulCall, Finding
from axhub.agent.domain.texts import whole
from axhub.agent.ports.effects import Noted, Observer
from axhub.agent.ports.runs import Decided, RunStore, Settlement

__all__ = ["Decide"]

A = TypeVar("A", bound=Actor)


class Decide(Generic[A]):
    """The use case; one an application."""

    def __init__(self, *, store: RunStore[A], observer: Observer, may_decide_own: bool = False) -> None:
        """Take the store.

        Args:
            store: of runs.
            observer: hears of decisions that are not taken.
            may_decide_own: whether a requester may approve the own request; off by default (agent/R2).
        """
        self._store = store
        self._observer = observer
        self._may_decide_own = may_decide_own

    async def decide(self, approval_id: str, decision: Decision, comment: str, decider: Decider) -> Decided:
        """Take a decision. It counts once: the same again returns the first outcome, another one is refused.

        Nothing runs here: the run is ready once the last of its calls is decided, and `Resume` goes on with it. An
        attempt at the own request, or without the role, stands in the audit.
        """
        who, said = _whole(decider), whole(comment)
        decided = await self._store.decide(approval_id, decision, said, who, may_decide_own=self._may_decide_own)
        self._noted(decided.fault)
        return decided

    async def withdraw(self, run_id: str, actor: A) -> RunView:
        """Take the own waiting run back.

        Raises:
            NotFoundError: it is not the actor's.
            NotWaitingError: it does not wait, so there is nothing to take back.
        """
        return await self._store.withdraw(run_id, actor)

    async def pending(self, decider: Decider, most: int = 100) -> tuple[ApprovalView, ...]:
        """Return what waits in the decider's tenant, oldest first.

        Raises:
            NotApproverError: it is nobody's business but an approver's.
        """
        self._check_approver(decider)
        return await self._store.approvals(decider.tenant_id, most)

    async def settle_unknown(self, call_id: str, finding: Finding, decider: Decider) -> Settlement:
        """Say what became of a call whose outcome nobody knows, having looked in the system that its tool calls.

        It counts once, stands in the audit, and frees the call's business key: what did not happen may be asked for
        again, what happened may too and is then the use case's to refuse.
        """
        settled = await self._store.settle_unknown(
            call_id, finding, _whole(decider), may_decide_own=self._may_decide_own
        )
        self._noted(settled.fault)
        return settled

    async def unknown(self, decider: Decider, most: int = 100) -> tuple[DoubtfulCall, ...]:
        """Return the calls of the decider's tenant whose outcome nobody knows, oldest first.

        Raises:
            NotApproverError: it is nobody's business but an approver's.
        """
        self._check_approver(decider)
        return await self._store.doubtful(decider.tenant_id, most)

    def _check_approver(self, decider: Decider) -> None:
        if APPROVER not in decider.roles:
            self._noted(DecisionFault.NOT_APPROVER)
            raise NotApproverError

    def _noted(self, fault: DecisionFault | None) -> None:
        if fault is not None:
            self._observer.note(Noted.DECISION_REFUSED, reason=fault.value)


def _whole(decider: Decider) -> Decider:
    return replace(decider, user_id=whole(decider.user_id))
