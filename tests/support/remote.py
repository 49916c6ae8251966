"""Tools of an MCP server as an application has them, for tests: a source that runs, what it told, one call."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from axhub.agent import CallContext, McpServer, mcp_tools
from axhub.agent.adapters.mcp_tools.mapping import CatalogueTool
from axhub.agent.adapters.mcp_tools.source import McpTools
from axhub.agent.main import Effects
from axhub.agent.ports.actor_cipher import ActorCipher
from axhub.agent.ports.effects import Noted
from axhub.agent.ports.tools import Tool
from axhub.agent.testing import FakeActor, RecordingObserver
from support.desk import eventually

RUN: Final = "1" * 32
CALL: Final = "2" * 32


class Can(StrEnum):
    """What an agent may do."""

    READ = "read"
    WRITE = "write"


BOTH: Final = frozenset(Can)


def context(actor: FakeActor | None = None, key: str | None = None) -> CallContext[FakeActor]:
    """Return the hidden context of a call."""
    return CallContext(actor or FakeActor(), RUN, CALL, key, "", 0.0)


@dataclass
class Remote:
    """A source that runs, and what it told."""

    source: McpTools[Can, FakeActor]
    observer: RecordingObserver

    async def offered(self) -> Mapping[str, Tool[FakeActor]]:
        return await self.source.tools(BOTH)

    async def tool(self, name: str) -> Tool[FakeActor]:
        return (await self.offered())[name]

    async def call(self, name: str, actor: FakeActor | None = None, /, **arguments: Any) -> str:
        """Call a tool as the loop does once it has judged the batch."""
        tool = await self.tool(name)
        return await tool.call(tool.read(arguments), context(actor))

    def told(self, what: Noted) -> list[dict[str, Any]]:
        return [facts for noted, facts in self.observer.notes if noted is what]

    def reasons(self) -> dict[str, str]:
        """Return why each tool is not offered, by its name in the catalogue."""
        return {one.tool: one.reason.value for one in self.source.status().tools if one.reason is not None}

    async def until(self, true: Any) -> None:
        await eventually(true)


@asynccontextmanager
async def remote(
    url: str,
    mapping: Mapping[Can, Sequence[CatalogueTool[Any]]],
    *,
    cipher: ActorCipher[FakeActor] | None = None,
    wait_seconds: float = 20.0,
    **said: Any,
) -> AsyncIterator[Remote]:
    """Run a source; `said` are settings of its server."""
    observer = RecordingObserver()
    server = McpServer(**{"id": "peer", "url": url, "refresh_seconds": 600.0, **said})
    source = mcp_tools(server, mapping, cipher=cipher, effects=Effects(observer=observer))
    async with source.running(wait_seconds):
        yield Remote(source, observer)
