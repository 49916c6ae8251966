"""Which abilities an agent has for whom: what a model may be shown, and never what an actor may do (agent/A4)."""

from typing import Final

from order_service.domain.actor import ActorContext
from order_service.domain.permissions import SUPPORT
from order_service.ports.agent import AgentCapability

__all__ = ["CUSTOMER_AGENT", "AgentCapabilityPolicy"]

CUSTOMER_AGENT: Final = "customer"
"""The assistant that customers talk to."""


class AgentCapabilityPolicy:
    """Plain Python, with a version that stands in each run and in the audit."""

    version: Final = "2026-11-30"

    def resolve(self, agent_type: str, actor: ActorContext) -> frozenset[AgentCapability]:
        """Return the abilities; of an agent that nobody knows, none."""
        if agent_type != CUSTOMER_AGENT:
            return frozenset()
        if SUPPORT in actor.roles:
            return frozenset({AgentCapability.SEARCH_ORDER})
        return frozenset(AgentCapability)
