"""The gateway's client of MCP servers, by itself, in front of a server that does what a test says."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import msgspec

from axhub.contract.endpoints import parse_url
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import BundleLimits, Http1Client
from axhub.gateway.adapters.mcp_client.calls import McpCalls
from axhub.gateway.adapters.mcp_client.server import McpServer
from axhub.gateway.adapters.mcp_client.session import Client
from axhub.gateway.adapters.mcp_client.source import McpManifestSource
from axhub.gateway.ports import Cancel, Failure, McpAnswer, McpCall
from support.mcp_hosts import Heard, McpHost
from support.mcp_hosts_wire import response_to
from support.tool_service import PATIENCE_SECONDS, Answer, reply

BUNDLE = "mcp"
FOUND = b'{"content":[{"type":"text","text":"found"}]}'
OVER = McpAnswer(result=FOUND)


@dataclass
class Attached:
    """A client and its server."""

    host: McpHost
    server: McpServer
    client: Http1Client
    calls: McpCalls
    changed: list[str] = field(default_factory=list)
    """The bundles of which the server has said that they changed."""

    def source(self, *, seconds: float = 5.0, max_bytes: int = 100_000) -> McpManifestSource:
        """Return what lists its tools."""
        return McpManifestSource(
            {BUNDLE: self.server}, SystemClock(), connect_timeout=seconds, read_timeout=0.0, max_bytes=max_bytes
        )

    def start(self, asked: McpCall) -> "Going":
        """Start a call."""
        going = Going()
        going.cancel = self.calls.call(asked, going.ended, going.progress.append)
        return going

    async def answered(self, asked: McpCall) -> McpAnswer:
        """Call a tool and wait for its end."""
        return await self.start(asked).answer()


@dataclass
class Going:
    """A call under way."""

    answers: list[McpAnswer] = field(default_factory=list)
    progress: list[bytes] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    cancel: Cancel = lambda: None

    def ended(self, answer: McpAnswer) -> None:
        self.answers.append(answer)
        self.over.set()

    async def answer(self) -> McpAnswer:
        """Wait for its end."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.over.wait()
        (answer,) = self.answers
        return answer


def call(
    name: str = "find",
    arguments: bytes = b"{}",
    *,
    seconds: float = 10.0,
    meta: Mapping[str, msgspec.Raw] = MappingProxyType({}),
) -> McpCall:
    """Return a call as the use case makes it."""
    own_name = name.encode()
    return McpCall(BUNDLE, own_name, b"Mcp-Name: %b\r\n" % own_name, arguments, meta, b"{}", b"", seconds)


@asynccontextmanager
async def attached(
    *tools: Any, max_concurrent: int = 8, max_response_bytes: int = 100_000, **about: Any
) -> AsyncIterator[Attached]:
    """Serve tools as an MCP host, and attach a client to it."""
    changed: list[str] = []
    limits = BundleLimits(max_concurrent=max_concurrent, max_queued=0)
    async with McpHost(*tools, **about) as host:
        client = Http1Client({BUNDLE: limits}, PATIENCE_SECONDS, max_response_bytes, None, SystemClock())
        info = b'{"name":"gw","version":"1"}'
        server = McpServer(BUNDLE, Client(parse_url(host.url("/mcp")), info), client.fetch, changed.append)
        yield Attached(host, server, client, McpCalls({BUNDLE: server}, client.send, SystemClock()), changed)
        await server.end(1.0)
        await client.close()


def found(seen: Heard) -> Answer:
    """Answer a call with `FOUND`."""
    return reply(200, response_to(seen, FOUND))


def failure_of(answer: McpAnswer) -> tuple[Failure | None, bool]:
    """Return why there is no response, and whether anything was sent."""
    assert answer.http is not None
    return answer.http.failure, answer.http.sent


def calls_of(host: McpHost) -> list[tuple[bytes | None, bytes]]:
    """Return session and arguments of each call that a server got."""
    return [(seen.session, seen.arguments) for seen in host.of("tools/call")]


async def quiet(client: Attached) -> None:
    """Have the server take one request more, so that whatever was sent before it has come."""
    await client.source().pull(BUNDLE, None)
