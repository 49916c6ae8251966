"""The conversation with a server that lists its tools, and hears when they change (agent/A9).

Revision 2026-07-28 tells of changes on `subscriptions/listen`, older ones on the stream of the session, if the server
offers either. A notice only says that it is time to list again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from mcp import Client, MCPError
from mcp.client.session import IncomingMessage
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import SubscriptionLost
from mcp_types import (
    CONNECTION_CLOSED,
    PARSE_ERROR,
    REQUEST_TIMEOUT,
    DiscoverResult,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    ToolListChangedNotification,
)
from mcp_types import Tool as WireTool
from pydantic import ValidationError

from axhub.agent.adapters.mcp_tools.calling import CLIENT, Negotiated, leaves
from axhub.agent.adapters.mcp_tools.quiet import quiet
from axhub.agent.adapters.mcp_tools.server import McpServer
from axhub.agent.adapters.mcp_tools.wire import LostError, Pool, Seen, TooLargeError, UnsentError

__all__ = ["Failure", "Link", "Listing", "ListingError", "connected", "failure_of", "wire_tool"]

_MOST_PAGES: Final = 100
_MOST_TOOLS: Final = 2_000
_MILLIS: Final = 1_000


class Failure(StrEnum):
    """Why a list could not be had; counted by this name."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    """The server answered with an error."""
    INVALID = "invalid"
    """The answer is no list of tools, or one out of bounds."""
    FAULT = "fault"
    """Something that nobody has thought of."""


class ListingError(Exception):
    """The list is out of bounds."""


_FAILURES: Final = (
    (TooLargeError, Failure.INVALID),
    (UnsentError, Failure.UNREACHABLE),
    (LostError, Failure.UNREACHABLE),
    (MCPError, Failure.REFUSED),
    (ValidationError, Failure.INVALID),
    (ListingError, Failure.INVALID),
    (RuntimeError, Failure.INVALID),
    (TimeoutError, Failure.TIMEOUT),
)
"""Of several exceptions, the first of these explains the others."""
_CODES: Final = {REQUEST_TIMEOUT: Failure.TIMEOUT, PARSE_ERROR: Failure.INVALID, CONNECTION_CLOSED: Failure.UNREACHABLE}


@dataclass(frozen=True, slots=True)
class Listing:
    """All pages of `tools/list`."""

    tools: tuple[Mapping[str, Any], ...]
    """As they stand in the answer, known members only."""
    ttl_seconds: float | None
    """How long it may be kept, the shortest of all pages; None: the server does not say, or says not at all."""


class Link:
    """One open conversation."""

    def __init__(self, client: Client, seen: Seen) -> None:
        self._client = client
        session = client.session
        result = session.discover_result or session.initialize_result
        if result is None:
            raise ListingError("nothing was negotiated")
        self.negotiated = Negotiated(result, seen.session)

    async def list(self) -> Listing:
        """Read the whole list.

        Raises:
            ListingError: more pages or tools than anybody can mean.
        """
        tools: list[Mapping[str, Any]] = []
        ttls: list[float] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            params = None if cursor is None else PaginatedRequestParams(cursor=cursor)
            page = await self._client.session.send_request(ListToolsRequest(params=params), ListToolsResult)
            tools += map(wire_tool, page.tools)
            ttls += [page.ttl_ms / _MILLIS] if page.ttl_ms else []
            cursor = page.next_cursor
            if len(tools) > _MOST_TOOLS:
                raise ListingError(f"more than {_MOST_TOOLS} tools")
            if cursor is None:
                return Listing(tuple(tools), min(ttls, default=None))
        raise ListingError(f"more than {_MOST_PAGES} pages")

    async def listen(self, changed: Callable[[], None]) -> None:
        """Hear of changes until the stream ends; return at once where the server offers no stream."""
        tools = self._client.server_capabilities.tools
        if not isinstance(self.negotiated.result, DiscoverResult) or tools is None or not tools.list_changed:
            return
        try:
            async with self._client.listen(tools_list_changed=True) as subscription:
                changed()  # what changed before it was heard of
                async for _ in subscription:
                    changed()
        except (MCPError, SubscriptionLost, TimeoutError):
            return


@asynccontextmanager
async def connected(server: McpServer, pool: Pool, changed: Callable[[], None]) -> AsyncIterator[Link]:
    """Open a conversation: ask for the revision, or shake hands.

    Args:
        server: where.
        pool: its connections.
        changed: called when an older server says that its list changed.
    """

    async def heard(message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            changed()

    seen = Seen()
    with quiet():
        async with pool.client(seen, {}, None, server.connect_seconds) as http:
            transport = streamable_http_client(server.url, http_client=http, max_sse_event_size=server.max_answer_bytes)
            client = Client(
                transport,
                mode=server.protocol,
                cache=None,
                client_info=CLIENT,
                message_handler=heard,
                read_timeout_seconds=server.list_seconds,
            )
            async with asyncio.timeout(server.connect_seconds + server.list_seconds) as bound:
                async with client:
                    bound.reschedule(None)
                    yield Link(client, seen)


def wire_tool(tool: WireTool) -> Mapping[str, Any]:
    """Return a tool as it stands in `tools/list`, with the members that are known and not null."""
    return tool.model_dump(by_alias=True, mode="json", exclude_none=True)


def failure_of(group: BaseExceptionGroup[Any]) -> Failure:
    """Say in one word why a conversation broke."""
    found = list(leaves(group))
    for one in found:
        if isinstance(one, MCPError) and one.code in _CODES:  # those that the client library makes itself
            return _CODES[one.code]
    return next((word for kind, word in _FAILURES if any(isinstance(one, kind) for one in found)), Failure.FAULT)
