"""Which tools a capability stands for (agent/A5, seed 000 §IV.2)."""

from axhub.agent import ToolRegistry
from axhub.agent.ports.effects import Observer
from order_service.adapters.ai.tools import CancelOrderTool, RefundOrderTool, SearchOrdersTool
from order_service.domain.actor import ActorContext
from order_service.ports.agent import AgentCapability
from order_service.ports.inbound import CancelOrderUseCase, RefundOrderUseCase, SearchOrderUseCase

__all__ = ["Registry", "registry_of"]

Registry = ToolRegistry[AgentCapability, ActorContext]


def registry_of(
    search: SearchOrderUseCase,
    refund: RefundOrderUseCase,
    cancel: CancelOrderUseCase,
    observer: Observer | None = None,
) -> Registry:
    """Return the tools of each capability; `observer` hears of capabilities without any."""
    return ToolRegistry(
        {
            AgentCapability.SEARCH_ORDER: [SearchOrdersTool(search)],
            AgentCapability.REFUND_ORDER: [RefundOrderTool(refund)],
            AgentCapability.CANCEL_ORDER: [CancelOrderTool(cancel)],
        },
        observer,
    )
