"""The actor's own runs and conversations, kept by axhub's agent."""

from types import MappingProxyType
from typing import Final

from axhub.agent import Agent
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.records import RunView
from axhub.agent.domain.runs import RunState
from axhub.agent.ports.runs import NotFoundError, NotWaitingError
from order_service.adapters.ai.faults import reachable
from order_service.adapters.ai.gateway import approval_request
from order_service.domain.actor import ActorContext
from order_service.ports.agent import AgentCapability, ConversationNotFoundError
from order_service.ports.runs import (
    Conversation,
    CutResult,
    FullResult,
    ResultNotFoundError,
    RunNotFoundError,
    RunNotWaitingError,
    RunReport,
    RunStatus,
    Said,
)

__all__ = ["AgentRuns"]

_STATUSES: Final = MappingProxyType(
    {
        RunState.RUNNING: RunStatus.RUNNING,
        RunState.READY: RunStatus.RUNNING,
        RunState.WAITING: RunStatus.WAITING,
        RunState.ANSWERED: RunStatus.ANSWERED,
        RunState.STOPPED: RunStatus.STOPPED,
        RunState.WITHDRAWN: RunStatus.WITHDRAWN,
    }
)


class AgentRuns:
    """See `ports.runs.Runs`."""

    def __init__(self, agent: Agent[AgentCapability, ActorContext]) -> None:
        self._agent = agent

    async def run(self, actor: ActorContext, run_id: str) -> RunReport:
        """See `Runs`."""
        try:
            with reachable():
                return _report(await self._agent.store.run(run_id, actor))
        except NotFoundError as error:
            raise RunNotFoundError from error

    async def withdraw(self, actor: ActorContext, run_id: str) -> RunReport:
        """See `Runs`."""
        try:
            with reachable():
                return _report(await self._agent.decide.withdraw(run_id, actor))
        except NotFoundError as error:
            raise RunNotFoundError from error
        except NotWaitingError as error:
            raise RunNotWaitingError from error

    async def full_result(self, actor: ActorContext, result_id: str) -> FullResult:
        """See `Runs`."""
        try:
            with reachable():
                found = await self._agent.store.full_result(result_id, actor)
        except NotFoundError as error:
            raise ResultNotFoundError from error
        return FullResult(id=found.id, size=found.size, sha256=found.sha256, text=found.text)

    async def conversation(self, actor: ActorContext, conversation_id: str) -> Conversation:
        """See `Runs`."""
        try:
            with reachable():
                found = await self._agent.store.conversation(conversation_id, actor)
        except NotFoundError as error:
            raise ConversationNotFoundError from error
        return Conversation(found.id, tuple(Said(role, text) for role, text in found.messages))


def _report(view: RunView) -> RunReport:
    waiting = tuple(approval_request(one) for one in view.approvals if one.state is CallState.WAITING)
    return RunReport(
        run_id=view.id,
        conversation_id=view.conversation_id,
        status=_STATUSES[view.state],
        content=view.answer,
        reason="" if view.reason is None else view.reason.value,
        approvals=waiting,
        cut_results=tuple(CutResult(one.full_id, one.name) for one in view.results if one.full_id),
    )
