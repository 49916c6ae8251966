"""An MCP server as a source of tools (agent/A9).

Read `McpTools.tools`: what the last list has, as far as the application maps and the checks allow it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from axhub.agent.adapters.mcp_tools.catalogue import Catalogue
from axhub.agent.adapters.mcp_tools.judging import Judged, NotOffered
from axhub.agent.adapters.mcp_tools.mapping import CatalogueTool, name_of, named
from axhub.agent.adapters.mcp_tools.remote_tool import RemoteTool
from axhub.agent.adapters.mcp_tools.server import McpServer
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.ports.actor_cipher import ActorCipher
from axhub.agent.ports.effects import Clock, Observer
from axhub.agent.ports.tools import Tool, ToolsUnavailableError

__all__ = ["McpTools", "SourceStatus", "ToolStatus"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """One tool that the application wants."""

    tool: str
    """Its name in the catalogue."""
    name: str
    """What the model calls it."""
    reason: NotOffered | None
    """Why it is not offered; None: it is."""
    detail: str
    """For operators; it may quote the catalogue."""
    digest: str
    """Of the definition that the catalogue has now; empty if it has none."""


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """What a page for operators shows of one server; nothing of its address."""

    id: str
    is_read: bool
    """Whether a list has come since the process began."""
    failures: int
    """How often in a row it could not be read."""
    failure: str
    """Why the last time; empty if it could."""
    tools: tuple[ToolStatus, ...]


class McpTools(Generic[C, A]):
    """See `ports.tools.ToolSource`; `axhub.agent.mcp_tools` makes one."""

    def __init__(
        self,
        server: McpServer,
        mapping: Mapping[C, Sequence[CatalogueTool[A]]],
        *,
        cipher: ActorCipher[A] | None,
        observer: Observer,
        clock: Clock,
    ) -> None:
        """Take the server and the mapping; nothing is connected before `running`.

        Raises:
            RegistrationError: an entry of the mapping cannot be used, or two have one name.
        """
        self._wanted = named(server.id, mapping, trusts_hints=server.trusts_hints)
        self._mapping = {
            capability: tuple(name_of(server.id, one) for one in tools) for capability, tools in mapping.items()
        }
        self._catalogue = Catalogue(server, self._wanted, observer, clock)
        self._cipher = cipher
        self._observer = observer
        self._bound: dict[str, tuple[Judged, RemoteTool[A]]] = {}

    @property
    def capabilities(self) -> AbstractSet[C]:
        """The capabilities that it has tools for."""
        return self._mapping.keys()

    @property
    def names(self) -> AbstractSet[str]:
        """See `ToolSource`."""
        return self._wanted.keys()

    @property
    def is_ready(self) -> bool:
        """See `ToolSource`; a server that is not required keeps nothing waiting."""
        return self._catalogue.is_read.is_set() or not self._catalogue.server.is_required

    async def tools(self, capabilities: AbstractSet[C]) -> Mapping[str, Tool[A]]:
        """See `ToolSource`; in the order of the map, each tool once."""
        names = [name for capability, some in self._mapping.items() if capability in capabilities for name in some]
        if names and not self.is_ready:
            raise ToolsUnavailableError(f"{self._catalogue.server.id}: its list has not been read yet")
        found = {name: self._tool(name, self._catalogue.judged[name]) for name in names}
        return {name: tool for name, tool in found.items() if tool is not None}

    async def known(self, name: str) -> Tool[A] | None:
        """See `ToolSource`; also of a tool that the list lacks, by what was known of it last."""
        if name not in self._wanted:
            return None
        tool = self._tool(name, self._catalogue.judged[name])
        if tool is None and name in self._bound:
            tool = self._bound[name][1]
        return tool or self._made(name, _unlisted(name, self._wanted[name]), Judged())

    def status(self) -> SourceStatus:
        """Return what is known of the server and of each tool, for operators."""
        known = self._catalogue
        tools = (
            ToolStatus(self._wanted[name].tool, name, one.reason, one.detail, one.digest)
            for name, one in known.judged.items()
        )
        failure = "" if known.failure is None else known.failure.value
        return SourceStatus(known.server.id, known.is_read.is_set(), known.failures, failure, tuple(tools))

    @asynccontextmanager
    async def running(self, wait_seconds: float = 5.0) -> AsyncIterator[None]:
        """Keep the list fresh in this block; each process has it open from start to end.

        Args:
            wait_seconds: how long the start waits for the first list. That it does not come stops no start.

        Raises:
            OSError: the server's file of certificates cannot be read.
        """
        watching = asyncio.create_task(self._catalogue.watch())
        reading = asyncio.create_task(self._catalogue.is_read.wait())
        try:
            await asyncio.wait((watching, reading), timeout=wait_seconds, return_when=asyncio.FIRST_COMPLETED)
            if watching.done():
                await watching
            yield
        finally:
            for task in (watching, reading):
                task.cancel()
            await asyncio.gather(watching, reading, return_exceptions=True)

    def _tool(self, name: str, judged: Judged) -> RemoteTool[A] | None:
        if judged.definition is None:
            return None
        bound = self._bound.get(name)
        if bound is None or bound[0] is not judged:
            bound = self._bound[name] = (judged, self._made(name, judged.definition, judged))
        return bound[1]

    def _made(self, name: str, definition: ToolDefinition, judged: Judged) -> RemoteTool[A]:
        return RemoteTool(
            definition,
            self._wanted[name],
            judged,
            self._catalogue.call,
            cipher=self._cipher,
            observer=self._observer,
            connect_seconds=self._catalogue.server.connect_seconds,
        )


def _unlisted(name: str, wanted: CatalogueTool[A]) -> ToolDefinition:
    """Return what is known of a tool without a list: enough to ask what became of a call of it."""
    return ToolDefinition(
        name=name,
        description=wanted.tool,
        parameters={"type": "object"},
        effect=wanted.effect or Effect.READ,
        timeout_seconds=wanted.timeout_seconds,
        max_result_bytes=wanted.max_result_bytes,
        has_key=wanted.key is not None,
    )
