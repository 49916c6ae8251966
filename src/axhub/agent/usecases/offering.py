"""Which tools a run may use: those offered when it began, as far as the policy still allows them (agent/A6)."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.ports.tools import Tool, ToolSource
from axhub.agent.usecases.loop import Offer

__all__ = ["Offering", "Resolve"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")

Resolve = Callable[[str, A], AbstractSet[C]]
"""The application's capability policy: which capabilities an agent has for an actor, now (agent/A4)."""


class Offering(Generic[C, A]):
    """Tools from all sources, for the capabilities that the application resolves."""

    def __init__(self, sources: Sequence[ToolSource[C, A]], resolve: Resolve[A, C]) -> None:
        """Take the sources; of two tools with one name, the first source's counts."""
        self._sources = sources
        self._resolve = resolve

    async def tools(self, capabilities: AbstractSet[C]) -> Mapping[str, Tool[A]]:
        """Return the tools of some capabilities by name."""
        offered: dict[str, Tool[A]] = {}
        for source in self._sources:
            for name, tool in (await source.tools(capabilities)).items():
                offered.setdefault(name, tool)
        return offered

    async def now(self, agent: str, actor: A) -> Mapping[str, Tool[A]]:
        """Return what the policy allows now."""
        return await self.tools(self._resolve(agent, actor))

    async def known(self, name: str) -> Tool[A] | None:
        """Return a tool whatever the policy says: to ask what became of a call, never to run one (agent/L6)."""
        for source in self._sources:
            if (tool := await source.known(name)) is not None:
                return tool
        return None

    def frozen(self, tools: Mapping[str, Tool[A]], agent: str, actor: A) -> Offer[A]:
        """Return the executable set of a run that was offered these tools."""

        async def allowed() -> Mapping[str, str]:
            return {name: tool.definition.digest for name, tool in (await self.now(agent, actor)).items()}

        return Offer(tools, allowed)
