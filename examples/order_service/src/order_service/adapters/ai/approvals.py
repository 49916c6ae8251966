"""Decisions of people, kept by axhub's agent (agent/R2 to R5)."""

from axhub.agent import Agent, Decider, Decision
from axhub.agent.domain.outcomes import NotApproverError
from axhub.agent.domain.records import ApprovalView
from axhub.agent.domain.settlement import DoubtfulCall
from axhub.agent.domain.settlement import Finding as AgentFinding
from order_service.adapters.ai.faults import reachable
from order_service.domain.actor import ActorContext
from order_service.ports.agent import AgentCapability
from order_service.ports.approvals import (
    Approval,
    ApprovalRefusal,
    ApprovalRefusedError,
    Finding,
    UnknownCall,
    Verdict,
)

__all__ = ["AgentApprovals"]


class AgentApprovals:
    """See `ports.approvals.Approvals`."""

    def __init__(self, agent: Agent[AgentCapability, ActorContext]) -> None:
        self._agent = agent

    async def pending(self, actor: ActorContext, most: int = 100) -> tuple[Approval, ...]:
        """See `Approvals`."""
        try:
            with reachable():
                return tuple(_approval(view) for view in await self._agent.decide.pending(_decider(actor), most))
        except NotApproverError as error:
            raise ApprovalRefusedError(ApprovalRefusal.NOT_APPROVER) from error

    async def decide(self, actor: ActorContext, approval_id: str, verdict: Verdict, comment: str) -> Approval:
        """See `Approvals`."""
        with reachable():
            decided = await self._agent.decide.decide(approval_id, Decision(verdict.value), comment, _decider(actor))
        if decided.fault is not None:
            raise ApprovalRefusedError(ApprovalRefusal(decided.fault.value))
        if decided.approval is None:
            raise ApprovalRefusedError(ApprovalRefusal.NOT_FOUND)
        return _approval(decided.approval)

    async def unknown_calls(self, actor: ActorContext, most: int = 100) -> tuple[UnknownCall, ...]:
        """See `Approvals`."""
        try:
            with reachable():
                return tuple(_unknown(one) for one in await self._agent.decide.unknown(_decider(actor), most))
        except NotApproverError as error:
            raise ApprovalRefusedError(ApprovalRefusal.NOT_APPROVER) from error

    async def settle(self, actor: ActorContext, call_id: str, finding: Finding) -> UnknownCall:
        """See `Approvals`."""
        with reachable():
            settled = await self._agent.decide.settle_unknown(call_id, AgentFinding(finding.value), _decider(actor))
        if settled.fault is not None:
            raise ApprovalRefusedError(ApprovalRefusal(settled.fault.value))
        if settled.call is None:
            raise ApprovalRefusedError(ApprovalRefusal.NOT_FOUND)
        return _unknown(settled.call)


def _unknown(one: DoubtfulCall) -> UnknownCall:
    return UnknownCall(
        id=one.id,
        run_id=one.run_id,
        tool=one.tool,
        requester=one.requester,
        state=one.state.value,
        arguments=dict(one.arguments),
    )


def _decider(actor: ActorContext) -> Decider:
    return Decider(actor.user_id, actor.tenant_id, actor.roles)


def _approval(view: ApprovalView) -> Approval:
    return Approval(
        id=view.id,
        run_id=view.run_id,
        tool=view.tool,
        requester=view.requester,
        expires_at=view.expires_at,
        state=view.state.value,
        arguments=dict(view.arguments),
        verdict=None if view.decision is None else Verdict(view.decision.value),
        approver=view.approver,
        comment=view.comment,
    )
