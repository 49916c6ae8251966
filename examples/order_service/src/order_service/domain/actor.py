"""Who acts: from a verified token, never from a request's body or a model (seed 000 §III.1)."""

from dataclasses import dataclass

__all__ = ["ActorContext"]


@dataclass(frozen=True, slots=True)
class ActorContext:
    """The authenticated caller."""

    user_id: str
    tenant_id: str
    roles: frozenset[str] = frozenset()
