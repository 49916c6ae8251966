"""Who acts, and what a tool may know beside its arguments (agent/A7). A model can neither see nor set any of it."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

__all__ = ["Actor", "CallContext"]


class Actor(Protocol):
    """The authenticated caller; applications bring their own type."""

    @property
    def user_id(self) -> str:
        """Who it is, within the tenant."""
        ...

    @property
    def tenant_id(self) -> str:
        """Whose data it may see."""
        ...

    @property
    def roles(self) -> AbstractSet[str]:
        """What the token says it may do."""
        ...


A = TypeVar("A", bound=Actor)


@dataclass(frozen=True, slots=True)
class CallContext(Generic[A]):
    """The hidden context of one tool call."""

    actor: A
    run_id: str
    call_id: str
    """Ours: unique over all runs, and the same when the call is dispatched after an approval."""
    key: str | None
    """The business key of a write, scoped by the tenant (agent/I1); None for a read."""
    trace_id: str
    deadline: float
    """When the call is cut off, on the clock of `ports.Clock.monotonic`, in seconds."""

    def __repr__(self) -> str:
        return f"CallContext(run_id={self.run_id!r}, call_id={self.call_id!r})"
