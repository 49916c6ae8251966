"""What people decide about a waiting run: approve, deny, withdraw (agent/R2 to R5)."""

from typing import Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import APPROVER, Decider, Decision
from axhub.agent.domain.outcomes import NotApproverError
from axhub.agent.domain.records import ApprovalView, RunView
from axhub.agent.ports.runs import Decided, RunStore

__all__ = ["Decide"]

A = TypeVar("A", bound=Actor)


class Decide(Generic[A]):
    """The use case; one an application."""

    def __init__(self, *, store: RunStore[A], may_decide_own: bool = False) -> None:
        """Take the store.

        Args:
            store: of runs.
            may_decide_own: whether a requester may approve the own request; off by default (agent/R2).
        """
        self._store = store
        self._may_decide_own = may_decide_own

    async def decide(self, approval_id: str, decision: Decision, comment: str, decider: Decider) -> Decided:
        """Take a decision. It counts once: the same again returns the first outcome, another one is refused.

        Nothing runs here: the run is ready once the last of its calls is decided, and `Resume` goes on with it.
        """
        return await self._store.decide(approval_id, decision, comment, decider, may_decide_own=self._may_decide_own)

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
        if APPROVER not in decider.roles:
            raise NotApproverError
        return await self._store.approvals(decider.tenant_id, most)
