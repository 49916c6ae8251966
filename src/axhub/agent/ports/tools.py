"""Tools as the loop knows them, and where they come from (agent/A5, agent/A9)."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, TypeVar

from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.definition import ToolDefinition

__all__ = ["Tool", "ToolSource"]

A = TypeVar("A", bound=Actor)
C_contra = TypeVar("C_contra", contravariant=True)


class Tool(Protocol[A]):
    """One tool, bound to what it does; `axhub.agent.Tool` is the class that authors derive from."""

    @property
    def definition(self) -> ToolDefinition:
        """Its declaration."""
        ...

    def read(self, arguments: Mapping[str, Any]) -> Any:
        """Return typed arguments.

        Raises:
            ArgumentsError: they do not fit; unknown members are refused.
        """
        ...

    def key_of(self, arguments: Any, context: CallContext[A]) -> str:
        """Return what makes a write the same write; not asked of a tool that reads."""
        ...

    async def call(self, arguments: Any, context: CallContext[A]) -> str:
        """Do it, and return the result as JSON.

        Raises:
            ToolError: it cannot be done, and nothing took effect; the model reads the message.
            OutcomeUnknownError: it may have taken effect.
        """
        ...

    async def outcome(self, arguments: Any, context: CallContext[A]) -> str | None:
        """Return the result of an earlier call with this context's key; None: it never took effect, and will not.

        Raises:
            OutcomeUnknownError: that cannot be told yet.
        """
        ...


class ToolSource(Protocol[C_contra, A]):
    """Where tools come from: a registry of the application's own, or a catalogue elsewhere."""

    async def tools(self, capabilities: AbstractSet[C_contra]) -> Mapping[str, Tool[A]]:
        """Return the tools of some capabilities by name; of none of them, none (agent/A5)."""
        ...

    async def known(self, name: str) -> Tool[A] | None:
        """Return a tool whatever the capabilities: to ask what became of a call (agent/L6), never to run one."""
        ...
