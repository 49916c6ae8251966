"""Tools as the loop knows them, and where they come from (agent/A5, agent/A9)."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, TypeVar

from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.definition import ToolDefinition
from axhub.agent.domain.errors import AgentError

__all__ = ["Tool", "ToolSource", "ToolsUnavailableError"]

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
        """Do it, and return the result as text: JSON, as a rule.

        Raises:
            ToolError: it cannot be done, and nothing took effect; the model reads the message.
            OutcomeUnknownError: it may have taken effect.
        """
        ...

    async def outcome(self, arguments: Any, context: CallContext[A]) -> str | None:
        """Return the result of an earlier call with this context's key; None: it never took effect, and will not.

        Raises:
            OutcomeUnknownError: that cannot be told yet.
            NeverKnownError: it can never be told by this tool; nobody asks again, and a person settles the call.
        """
        ...


class ToolsUnavailableError(AgentError):
    """A catalogue has not been read since the process began, so nobody knows which tools there are."""


class ToolSource(Protocol[C_contra, A]):
    """Where tools come from: a registry of the application's own, or a catalogue elsewhere."""

    @property
    def names(self) -> AbstractSet[str]:
        """The names of all tools that it may ever offer; they stay the same, so that no two sources share one."""
        ...

    @property
    def is_ready(self) -> bool:
        """Whether it knows by now which tools there are; until then, runs that wait do not go on here (agent/A9)."""
        ...

    async def tools(self, capabilities: AbstractSet[C_contra]) -> Mapping[str, Tool[A]]:
        """Return the tools of some capabilities by name; of none of them, none (agent/A5).

        Nothing is waited for here: what a catalogue elsewhere has is known already.

        Raises:
            ToolsUnavailableError: it has tools for them, and does not know them yet.
        """
        ...

    async def known(self, name: str) -> Tool[A] | None:
        """Return a tool whatever the capabilities: to ask what became of a call (agent/L6), never to run one."""
        ...
