"""Which tools a capability stands for: an explicit map, checked when it is made (agent/A5, seed 000 §IV.2)."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.definition import Effect, ToolDefinition, check_definition
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.ports.effects import Noted, Observer
from axhub.agent.ports.tools import Tool

__all__ = ["FixedTools", "ToolRegistry"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")


class ToolRegistry(Generic[C, A]):
    """Tools by capability; there is no default tool and no fallback."""

    def __init__(
        self,
        mapping: Mapping[C, Sequence[Tool[A]]],
        observer: Observer | None = None,
        *,
        elsewhere: AbstractSet[C] = frozenset(),
    ) -> None:
        """Take the map.

        Args:
            mapping: the tools of each capability; one tool may stand under several.
            observer: hears of capabilities that have no tools, once each.
            elsewhere: capabilities that another source has tools for, such as `McpTools.capabilities`.

        Raises:
            RegistrationError: a tool that cannot be offered, or two with one name.
        """
        self._mapping = {capability: _listed(capability, tools) for capability, tools in mapping.items()}
        self._observer = observer
        self._told: set[C] = set(elsewhere)
        self._tools = _named(tool for tools in self._mapping.values() for tool in tools)

    @property
    def names(self) -> AbstractSet[str]:
        """See `ToolSource`."""
        return self._tools.keys()

    @property
    def is_ready(self) -> bool:
        """See `ToolSource`."""
        return True

    async def tools(self, capabilities: AbstractSet[C]) -> Mapping[str, Tool[A]]:
        """See `ToolSource`; in the order of the map, each tool once."""
        for capability in capabilities - self._mapping.keys() - self._told:
            self._told.add(capability)
            if self._observer is not None:
                self._observer.note(Noted.UNMAPPED, capability=str(capability))
        offered = (tool for capability, tools in self._mapping.items() if capability in capabilities for tool in tools)
        return {tool.definition.name: tool for tool in offered}

    async def known(self, name: str) -> Tool[A] | None:
        """See `ToolSource`."""
        return self._tools.get(name)


class FixedTools(Generic[A]):
    """The small case: read-only tools for everybody, without capabilities (agent/A12, seed 000 §VII)."""

    def __init__(self, *tools: Tool[A]) -> None:
        """Take the tools.

        Raises:
            RegistrationError: a tool that writes, that cannot be offered, or two with one name.
        """
        for tool in map(_made, tools):
            if tool.definition.effect is not Effect.READ:
                name = tool.definition.name
                raise RegistrationError(f"tool {name!r}: it writes, so it needs a capability: use a ToolRegistry")
        self._tools = _named(tools)

    @property
    def names(self) -> AbstractSet[str]:
        """See `ToolSource`."""
        return self._tools.keys()

    @property
    def is_ready(self) -> bool:
        """See `ToolSource`."""
        return True

    async def tools(self, _capabilities: AbstractSet[object]) -> Mapping[str, Tool[A]]:
        """See `ToolSource`; whatever the capabilities are."""
        return self._tools

    async def known(self, name: str) -> Tool[A] | None:
        """See `ToolSource`."""
        return self._tools.get(name)


def _listed(capability: object, tools: object) -> tuple[Any, ...]:
    """Return the tools of a capability.

    Raises:
        RegistrationError: they stand in no list.
    """
    if isinstance(tools, str) or not isinstance(tools, Iterable):
        raise RegistrationError(f"capability {str(capability)!r}: put its tools into a list, even if it is one")
    return tuple(tools)


def _made(tool: Tool[A]) -> Tool[A]:
    """Return a tool that can be called.

    Raises:
        RegistrationError: it is a class, or something else.
    """
    given: object = tool
    if isinstance(given, type):
        raise RegistrationError(f"{given.__name__}: this is the class; register an object of it: {given.__name__}(...)")
    if not isinstance(getattr(given, "definition", None), ToolDefinition):
        name = type(given).__name__
        raise RegistrationError(f"{name}: it is no tool; derive it from Tool[Arguments, Result, Actor]")
    return tool


def _named(tools: Iterable[Tool[A]]) -> dict[str, Tool[A]]:
    """Return checked tools by name.

    Raises:
        RegistrationError: one cannot be offered, or two have one name.
    """
    known: dict[str, Tool[A]] = {}
    for tool in map(_made, tools):
        name = tool.definition.name
        check_definition(tool.definition)
        if known.setdefault(name, tool) is not tool:
            raise RegistrationError(
                f"tool {name!r}: two tools have this name; rename one, or put one object under both"
            )
    return known
