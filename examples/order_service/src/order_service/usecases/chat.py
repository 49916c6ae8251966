"""One message to the assistant: ask the policy, ask the assistant, and nothing else (agent/A4, seed 000 §IV.1)."""

from collections.abc import Callable
from dataclasses import dataclass

from order_service.domain.actor import ActorContext
from order_service.ports.agent import AgentGateway, AgentOutcome, AgentRequest
from order_service.usecases.capability_policy import AgentCapabilityPolicy

__all__ = ["ChatAgent", "ChatCommand"]


@dataclass(frozen=True, slots=True)
class ChatCommand:
    """What a person wrote."""

    actor: ActorContext
    agent_type: str
    message: str
    conversation_id: str | None = None
    trace_id: str = ""


class ChatAgent:
    """The use case."""

    def __init__(self, policy: AgentCapabilityPolicy, gateway: AgentGateway) -> None:
        self._policy = policy
        self._gateway = gateway

    async def execute(self, command: ChatCommand, on_text: Callable[[str], None] | None = None) -> AgentOutcome:
        """Answer; see `AgentGateway.ask`."""
        allowed = self._policy.resolve(command.agent_type, command.actor)
        return await self._gateway.ask(
            AgentRequest(
                agent_type=command.agent_type,
                message=command.message,
                actor=command.actor,
                allowed_capabilities=allowed,
                conversation_id=command.conversation_id,
                trace_id=command.trace_id,
            ),
            on_text,
        )
