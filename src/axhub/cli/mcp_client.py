"""The official MCP Python SDK as the client behind `axhub tools`: connect, list, call; failures become sentences.

Needs the extra `axhub[client]`, so it is imported only when a command needs it. What the SDK would change on the
way out is put back by the HTTP transport: the arguments of a call leave with the bytes they were written with.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar
from urllib.parse import urlsplit

import httpx2
import msgspec
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, Tool

from axhub import __version__
from axhub.cli.arguments import for_headers
from axhub.cli.mcp_failures import AnsweredError, Seen, UnreachableError, judged, refusal

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_NOTICES_DEAD_PEERS: Final = ((socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),)
__all__ = [
    "AnsweredError",
    "Listing",
    "Target",
    "UnreachableError",
    "call_tool",
    "list_all",
    "list_tools",
    "with_client",
]

_T = TypeVar("_T")
_decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


@dataclass(frozen=True, slots=True)
class Target:
    """The server to talk to, and how: `timeout` in seconds bounds the whole command."""

    url: str
    headers: tuple[tuple[str, str], ...] = ()
    protocol: str = "auto"
    timeout: float = 60.0


@dataclass(frozen=True, slots=True)
class Listing:
    """Every page of `tools/list`, with who answered at which revision."""

    tools: tuple[Tool, ...]
    protocol: str
    server: tuple[str, str] | None


async def list_tools(target: Target) -> Listing:
    """Fetch all tools.

    Raises:
        UnreachableError, AnsweredError: see there.
    """
    return await with_client(target, None, list_all)


async def list_all(client: Client) -> Listing:
    """Fetch all pages over an open connection; the caller bounds the time, since pages may never end."""
    tools: list[Tool] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    info = client.server_info
    return Listing(tuple(tools), client.protocol_version, (info.name, info.version) if info else None)


async def call_tool(target: Target, name: str, arguments: bytes | None) -> CallToolResult:
    """Call a tool once; `arguments` is one JSON object, sent as it is.

    Raises:
        UnreachableError, AnsweredError: see there. An error of the tool itself is a result, not an exception.
    """
    parsed = None if arguments is None else for_headers(arguments)
    return await with_client(target, arguments, lambda client: client.call_tool(name, parsed))


class _OwnBytes(httpx2.AsyncBaseTransport):
    """Sends each `tools/call` with the arguments' own bytes; remembers the last HTTP status and refusal.

    A refusal of the HTTP layer is a JSON-RPC error without an id, whose words the SDK drops.
    """

    def __init__(self, arguments: bytes | None, trust_env: bool) -> None:
        self._inner = httpx2.AsyncHTTPTransport(trust_env=trust_env, socket_options=_NOTICES_DEAD_PEERS)
        self._arguments = arguments
        self.status = 0
        self.refusal = ""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request."""
        if self._arguments is not None and request.method == "POST":
            request = self._with_own_bytes(request, self._arguments)
        response = await self._inner.handle_async_request(request)
        self.status = response.status_code
        self.refusal = refusal(await response.aread()) if response.is_error else ""
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()

    @staticmethod
    def _with_own_bytes(request: httpx2.Request, arguments: bytes) -> httpx2.Request:
        message = _decode_members(request.content)
        if bytes(message["method"]) != b'"tools/call"':
            return request
        params = _decode_members(message["params"])
        params["arguments"] = msgspec.Raw(arguments)
        message["params"] = msgspec.Raw(msgspec.json.encode(params))
        headers = [pair for pair in request.headers.raw if pair[0].lower() != b"content-length"]
        return httpx2.Request(
            request.method,
            request.url,
            headers=headers,
            content=msgspec.json.encode(message),
            extensions=request.extensions,
        )


async def with_client(
    target: Target,
    arguments: bytes | None,
    use: Callable[[Client], Awaitable[_T]],
    bound: asyncio.Timeout | None = None,
) -> _T:
    """Connect and `use` the client; whatever goes wrong inside becomes one of the two errors of this module.

    `bound` is a time limit that `use` can move; left out, `target.timeout` bounds everything.
    """
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # the SDK logs stack traces; people get a sentence
    transport = _OwnBytes(arguments, trust_env=urlsplit(target.url).hostname not in _LOOPBACK)
    http = httpx2.AsyncClient(
        transport=transport,
        headers=[(name.encode(), value.encode()) for name, value in target.headers],
        timeout=httpx2.Timeout(target.timeout, read=None),  # the bound holds for answers; streams may be silent
    )
    try:
        async with bound or asyncio.timeout(target.timeout), http:
            server = streamable_http_client(target.url, http_client=http)
            async with Client(server, mode=target.protocol, cache=None, client_info=_who_we_are()) as client:
                return await use(client)
    except* Exception as group:  # noqa: BLE001 - all are judged below, and what is not known is raised as it is
        failures = group
    raise judged(failures, Seen(target.url, target.timeout, transport.status, transport.refusal)) from None


def _who_we_are() -> Implementation:
    return Implementation(name="axhub", version=__version__)
