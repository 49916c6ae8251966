"""Against a server made with the official SDK, in both eras, with sessions: not ours, and not a script (agent/A9)."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError as ServerToolError
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged
from mcp_types import CallToolResult, ImageContent, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from axhub.agent import McpServer, OutcomeUnknownError, ToolError, by_hint, reads, tool_digests, writes
from axhub.agent.adapters.mcp_tools.server import AUTO, HANDSHAKE
from axhub.agent.domain.errors import ArgumentsError
from support.mcp_sdk_server import Running, serving
from support.remote import Can, remote

ERAS = (AUTO, HANDSHAKE)

pytestmark = pytest.mark.req("agent/A9")


class Wish(BaseModel):
    size: int


def shop() -> Any:
    """Return a server whose tools change, ask, fail, and show pictures."""
    bus = InMemorySubscriptionBus()
    server = MCPServer("shop", log_level="CRITICAL", subscriptions=bus)

    @server.tool(name="orders.find", description="Finds.", annotations=ToolAnnotations(read_only_hint=True))
    def find(no: Annotated[str, Field(pattern="^[0-9]+$")], most: int = 5) -> dict[str, Any]:
        return {"no": no, "most": most}

    @server.tool(name="order_refund", description="Refunds.")
    def refund(no: str) -> str:
        if no == "0":
            raise ServerToolError("주문이 없습니다.")
        return f"refunded {no}"

    @server.tool(name="order_picture", description="Shows.", structured_output=False)
    def picture() -> CallToolResult:
        image = ImageContent(type="image", data="aGk=", mime_type="image/png")
        return CallToolResult(content=[TextContent(type="text", text="그림"), image])

    @server.tool(name="order_wrap", description="Wraps.")
    async def wrap(no: str, ctx: Context[Any, Any]) -> str:
        await ctx.report_progress(1, 2)
        chosen = await ctx.elicit("Which size?", Wish)
        return f"{no} {chosen}"

    @server.tool(name="grow", description="Adds a tool.")
    async def grow(ctx: Context[Any, Any]) -> str:
        def extra(no: str) -> str:
            return f"extra {no}"

        server.add_tool(extra, name="order_extra", description="More.")
        await bus.publish(ToolsListChanged())
        await ctx.session.send_tool_list_changed()
        return "grown"

    return server.streamable_http_app()


@pytest.fixture
def running() -> Iterator[Running]:
    with serving(shop()) as server:
        yield server


def calls_of(server: Running) -> list[dict[str, Any]]:
    said = (json.loads(body) for _, body in server.requests if body)
    return [one for one in said if one.get("method") == "tools/call"]


@pytest.mark.parametrize("era", ERAS)
async def test_reads_writes_errors_and_pictures(running: Running, era: str) -> None:
    digests = await tool_digests(McpServer(id="shop", url=running.url, protocol=era))
    mapping = {
        Can.READ: [by_hint("orders.find", name="find_orders"), reads("order_picture")],
        Can.WRITE: [writes("order_refund", digest=digests["order_refund"], key=["no"])],
    }
    async with remote(running.url, mapping, protocol=era, trusts_hints=True) as it:
        assert set(await it.offered()) == {"find_orders", "order_picture", "order_refund"}
        assert json.loads(await it.call("find_orders", no="7")) == {"no": "7", "most": 5}
        assert await it.call("order_picture") == "그림\n[left out: an image]"
        assert await it.call("order_refund", no="7") == "refunded 7"
        with pytest.raises(ToolError) as told:
            await it.call("order_refund", no="0")
        assert "주문이 없습니다." in told.value.public_message
        with pytest.raises(ArgumentsError):
            await it.call("find_orders", no="x")
        assert len(calls_of(running)) == 4


@pytest.mark.parametrize("era", ERAS)
async def test_of_a_tool_that_asks_in_the_middle_nobody_knows_what_it_did_before(running: Running, era: str) -> None:
    async with remote(running.url, {Can.READ: [reads("order_wrap")]}, protocol=era) as it:
        with pytest.raises(OutcomeUnknownError):
            await it.call("order_wrap", no="7")
        assert len(calls_of(running)) == 1
        assert it.source.status().failures == 0


@pytest.mark.parametrize("era", ERAS)
async def test_a_tool_that_is_added_is_offered_without_a_restart_because_the_server_says_so(
    running: Running, era: str
) -> None:
    async with remote(running.url, {Can.READ: [reads("grow"), reads("order_extra")]}, protocol=era) as it:
        assert it.reasons() == {"order_extra": "missing"}
        await it.call("grow")
        await it.until(lambda: not it.reasons())
        assert await it.call("order_extra", no="7") == "extra 7"


async def test_the_session_of_a_server_that_has_them_is_that_of_the_list_and_ends_with_the_source(
    running: Running,
) -> None:
    async with remote(running.url, {Can.READ: [reads("grow")]}, protocol=HANDSHAKE) as it:
        await it.call("grow")
        sessions = {headers.get("mcp-session-id") for headers, body in running.requests if b"tools/" in body}
        assert len(sessions) == 1
        assert None not in sessions
    opened = [body for _, body in running.requests if b'"initialize"' in body]
    assert len(opened) == 1
