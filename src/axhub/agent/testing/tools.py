"""A source of tools that a test publishes, changes and takes away; it passes the suite of the real ones."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.ports.tools import Tool, ToolsUnavailableError
from axhub.agent.registry import ToolRegistry

__all__ = ["ScriptedTools"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")


class ScriptedTools(Generic[C, A]):
    """See `ports.tools.ToolSource`.

    ```python
    catalogue = ScriptedTools({Capability.READ: [search]}, is_ready=False)
    catalogue.publish({Capability.READ: [search_with_another_description]})
    ```
    """

    def __init__(self, mapping: Mapping[C, Sequence[Tool[A]]], *, is_ready: bool = True) -> None:
        """Take the tools that it may ever have, by capability.

        Raises:
            RegistrationError: a tool that cannot be offered, or two with one name.
        """
        self._registry = ToolRegistry(mapping)
        self._known = {tool.definition.name: tool for tools in mapping.values() for tool in tools}
        self.is_ready = is_ready

    @property
    def names(self) -> AbstractSet[str]:
        """See `ToolSource`."""
        return self._known.keys()

    def publish(self, mapping: Mapping[C, Sequence[Tool[A]]]) -> None:
        """Have these tools from now on.

        Raises:
            ValueError: a name that it did not begin with.
        """
        new = ToolRegistry(mapping)
        if not new.names <= self.names:
            raise ValueError(f"not among its names: {', '.join(sorted(new.names - self.names))}")
        self._known |= {tool.definition.name: tool for tools in mapping.values() for tool in tools}
        self._registry, self.is_ready = new, True

    async def tools(self, capabilities: AbstractSet[C]) -> Mapping[str, Tool[A]]:
        """See `ToolSource`."""
        found = await self._registry.tools(capabilities)
        if found and not self.is_ready:
            raise ToolsUnavailableError("nothing was published yet")
        return found

    async def known(self, name: str) -> Tool[A] | None:
        """See `ToolSource`; the last that was published under this name."""
        return self._known.get(name)
