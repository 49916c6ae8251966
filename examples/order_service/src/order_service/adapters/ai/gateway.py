"""The application's port to the assistant, with axhub's agent behind it (agent/A3)."""

from collections.abc import Callable

from axhub.agent import Agent, Answered, AskRequest, Outcome, Waiting
from axhub.agent.domain.records import ApprovalView
from axhub.agent.ports.runs import LostLeaseError, NotFoundError, RunInProgressError
from axhub.agent.ports.runs import PendingApprovalError as AgentPendingApprovalError
from order_service.adapters.ai.faults import reachable
from order_service.domain.actor import ActorContext
from order_service.ports.agent import (
    AgentAnswer,
    AgentCapability,
    AgentOutcome,
    AgentRequest,
    ApprovalRequest,
    ConversationBusyError,
    ConversationNotFoundError,
    PendingApprovalError,
    StillRunning,
    Stopped,
    WaitingForApproval,
)

__all__ = ["AxhubGateway", "approval_request"]


class AxhubGateway:
    """See `ports.agent.AgentGateway`."""

    def __init__(self, agent: Agent[AgentCapability, ActorContext]) -> None:
        self._agent = agent

    async def ask(self, request: AgentRequest, on_text: Callable[[str], None] | None = None) -> AgentOutcome:
        """See `AgentGateway`."""
        asked = AskRequest(
            agent=request.agent_type,
            message=request.message,
            actor=request.actor,
            capabilities=request.allowed_capabilities,
            conversation_id=request.conversation_id,
            trace_id=request.trace_id,
        )
        try:
            with reachable():
                return _outcome(await self._agent.ask(asked, on_text))
        except LostLeaseError as error:
            with reachable():
                run = await self._agent.store.run(error.run_id, request.actor)
            return StillRunning(run.id, run.conversation_id)
        except NotFoundError as error:
            raise ConversationNotFoundError from error
        except RunInProgressError as error:
            raise ConversationBusyError from error
        except AgentPendingApprovalError as error:
            raise PendingApprovalError from error


def approval_request(view: ApprovalView) -> ApprovalRequest:
    """Return what the requester sees of an approval."""
    return ApprovalRequest(view.id, view.tool, dict(view.arguments), view.expires_at)


def _outcome(outcome: Outcome) -> AgentOutcome:
    run_id, conversation_id = outcome.run_id, outcome.conversation_id
    if isinstance(outcome, Answered):
        return AgentAnswer(run_id, conversation_id, outcome.text)
    if isinstance(outcome, Waiting):
        return WaitingForApproval(run_id, conversation_id, tuple(approval_request(one) for one in outcome.approvals))
    return Stopped(run_id, conversation_id, outcome.reason.value)
