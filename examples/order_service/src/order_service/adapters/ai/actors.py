"""The actor as axhub stores it with a run, so that any replica can go on with it (agent/R1)."""

from collections.abc import Mapping
from typing import Any

from order_service.domain.actor import ActorContext

__all__ = ["dump_actor", "load_actor"]


def dump_actor(actor: ActorContext) -> Mapping[str, Any]:
    """Return an actor as JSON."""
    return {"user_id": actor.user_id, "tenant_id": actor.tenant_id, "roles": sorted(actor.roles)}


def load_actor(stored: Mapping[str, Any]) -> ActorContext:
    """Return the actor."""
    return ActorContext(stored["user_id"], stored["tenant_id"], frozenset(stored["roles"]))
