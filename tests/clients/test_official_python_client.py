"""The official Python SDK's client, in each of its modes, against the gateway (issue 1, point 6)."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client.subscriptions import ToolsListChanged
from mcp_types import TextContent

from axhub.gateway.config.settings import RegistrySettings
from support.gateway import RunningGateway, bundle, manifest, running, settings, tool
from support.tool_service import ToolService, reply

MODES = ("auto", "legacy", "2026-07-28")
HEADER_TOOL = {"type": "object", "properties": {"고객": {"type": "string", "x-mcp-header": "Customer"}}}


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
        tools = [
            tool("echo", title="그대로"),
            tool("fail"),
            tool("typed", outputSchema=schema),
            tool("mirrored", inputSchema=HEADER_TOOL),
        ]
        started.on("/tool-manifest", reply(body=manifest("ins", tools)))
        started.on("/tools/echo", lambda seen: reply(body=seen.body))
        started.on("/tools/mirrored", lambda seen: reply(body=seen.body))
        started.on("/tools/typed", reply(body=b'{"n": 7}'))
        started.on("/tools/fail", reply(422, '{"error":{"code":"BAD","message":"날짜가 틀렸습니다"}}'.encode()))
        yield started


@pytest.fixture
async def gateway(service: ToolService) -> AsyncIterator[RunningGateway]:
    async with running(settings(bundle(service.url()))) as started:
        yield started


def client(gateway: RunningGateway, mode: str) -> Client:
    return Client(f"http://127.0.0.1:{gateway.port}/mcp", mode=mode)


def text_of(result: Any) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


@pytest.mark.req("gateway/P1", "gateway/P7")
async def test_it_lists_the_tools(gateway: RunningGateway, mode: str) -> None:
    async with client(gateway, mode) as session:
        listed = await session.list_tools()
        assert [entry.name for entry in listed.tools] == ["echo", "fail", "mirrored", "typed"]
        assert listed.tools[0].title == "그대로"
        assert session.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")


@pytest.mark.req("gateway/P1", "gateway/X1", "gateway/X3")
async def test_it_calls_with_korean_texts_and_big_integers(gateway: RunningGateway, mode: str) -> None:
    arguments = {"이름": "홍길동 😀", "정수": 2**70, "음수": -(2**64), "목록": [1, None, True]}
    async with client(gateway, mode) as session:
        result = await session.call_tool("echo", arguments)
    assert json.loads(text_of(result)) == arguments
    assert result.is_error is not True


@pytest.mark.req("gateway/P4")
async def test_it_mirrors_an_argument_in_a_header_and_is_understood(gateway: RunningGateway, mode: str) -> None:
    async with client(gateway, mode) as session:
        await session.list_tools()
        result = await session.call_tool("mirrored", {"고객": "홍길동"})
    assert json.loads(text_of(result)) == {"고객": "홍길동"}


@pytest.mark.req("gateway/X4")
async def test_it_sees_a_tools_refusal_as_an_error_result(gateway: RunningGateway, mode: str) -> None:
    async with client(gateway, mode) as session:
        result = await session.call_tool("fail", {})
    assert result.is_error is True
    assert "날짜가 틀렸습니다" in text_of(result)


@pytest.mark.req("gateway/X12")
async def test_it_accepts_structured_content(gateway: RunningGateway, mode: str) -> None:
    async with client(gateway, mode) as session:
        await session.list_tools()
        result = await session.call_tool("typed", {})
    assert result.structured_content == {"n": 7}


@pytest.mark.req("decision/D5")
async def test_it_sees_an_unknown_tool_as_a_protocol_error(gateway: RunningGateway, mode: str) -> None:
    async with client(gateway, mode) as session:
        with pytest.raises(MCPError, match="Tool not found") as caught:
            await session.call_tool("unknown", {})
    assert caught.value.code == (-32001 if mode == "legacy" else -32602)


@pytest.mark.req("gateway/X10")
async def test_many_calls_at_once_get_their_own_answers(gateway: RunningGateway, mode: str) -> None:
    async with client(gateway, mode) as session:
        results = await asyncio.gather(*(session.call_tool("echo", {"n": number}) for number in range(40)))
    assert [json.loads(text_of(result))["n"] for result in results] == list(range(40))


@pytest.mark.req("gateway/P2")
async def test_the_same_session_goes_on_after_the_gateway_was_restarted(service: ToolService, mode: str) -> None:
    configured = settings(bundle(service.url()))
    async with running(configured) as first:
        port = first.port
        session = client(first, mode)
        await session.__aenter__()
        assert json.loads(text_of(await session.call_tool("echo", {"n": 1}))) == {"n": 1}
    async with running(configured, port=port):
        assert json.loads(text_of(await session.call_tool("echo", {"n": 2}))) == {"n": 2}
        await session.__aexit__(None, None, None)


@pytest.mark.req("gateway/P9")
async def test_it_hears_of_a_change_and_of_the_end(service: ToolService) -> None:
    often = RegistrySettings(recheck_min_interval_millis=1)
    async with running(settings(bundle(service.url()), registry=often)) as gateway, client(gateway, "auto") as session:
        assert session.server_capabilities.tools is not None
        assert session.server_capabilities.tools.list_changed is True
        async with session.listen(tools_list_changed=True, prompts_list_changed=True) as subscription:
            assert subscription.honored.tools_list_changed is True
            assert subscription.honored.prompts_list_changed is None
            service.on("/tool-manifest", reply(body=manifest("ins", [tool("newer")])))
            await asyncio.sleep(0.002)  # longer than the least interval
            with pytest.raises(MCPError, match="Tool not found"):
                await session.call_tool("unknown", {})
            assert await anext(subscription) == ToolsListChanged()
            assert [entry.name for entry in (await session.list_tools()).tools] == ["newer"]
            gateway.gateway.endpoint.subscriptions.close()
            assert [event async for event in subscription] == []


@pytest.mark.req("gateway/P9")
async def test_before_the_new_revision_no_notices_are_promised(gateway: RunningGateway) -> None:
    async with client(gateway, "legacy") as session:
        assert session.server_capabilities.tools is not None
        assert session.server_capabilities.tools.list_changed is False


@pytest.mark.req("gateway/P10")
async def test_it_walks_all_pages(service: ToolService, mode: str) -> None:
    async with running(settings(bundle(service.url()), page_size=1)) as gateway, client(gateway, mode) as session:
        listed, cursor = [], None
        while True:
            page = await session.list_tools(cursor=cursor)
            listed += [entry.name for entry in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
    assert listed == ["echo", "fail", "mirrored", "typed"]
