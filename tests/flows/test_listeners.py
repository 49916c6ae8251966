"""Callers that listen to a gateway process: told of changes, and ended before it drains (gateway/P9, gateway/C6)."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from support.callers import calling, text_of
from support.events import CHANGED, TOOLS, EventStream, listening
from support.gateway import NEW, manifest, request, tool
from support.process import declared, gateway_process, mcp, often
from support.tool_service import Hang, Hold, Send, ToolService, reply, response

pytestmark = pytest.mark.req("gateway/P9")

SLOW = {"version": "1", "timeoutMillis": 30_000}


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        started.on("/tool-manifest", reply(body=manifest("ins", [tool("held", _meta=SLOW)])))
        yield started


async def assert_ended(stream: EventStream) -> None:
    end = await stream.message()
    assert (end["id"], end["result"]["resultType"]) == (7, "complete")
    assert await stream.block() == b""
    assert stream.whole
    assert await stream.reader.read() == b""


@pytest.mark.req("gateway/G2")
async def test_a_scheduled_refresh_that_brings_other_tools_is_told(service: ToolService, tmp_path: Path) -> None:
    settings = mcp(declared("ins", service.url()), registry=often(0.05))
    async with gateway_process(tmp_path, settings) as gateway, listening(gateway.port) as stream:
        for number in range(3):
            service.on("/tool-manifest", reply(body=manifest("ins", [tool(f"claim_{number}")])))
            assert (await stream.message())["method"] == CHANGED
        assert (await gateway.metrics())["axhub_subscriptions"] == 1
        stream.leave()
        async with asyncio.timeout(20):
            while (await gateway.metrics())["axhub_subscriptions"]:  # noqa: ASYNC110 -- as a scraper does
                await asyncio.sleep(0.002)


@pytest.mark.req("gateway/C6", "ops/O5")
@pytest.mark.parametrize("seconds", [3600, 0.2])
async def test_the_signal_to_stop_ends_listeners_at_once_and_lets_calls_finish(
    service: ToolService, tmp_path: Path, seconds: float
) -> None:
    gate = asyncio.Event()
    service.on("/tools/held", (Hold(gate), Send(response())))
    settings = mcp(declared("ins", service.url()), drainSeconds=seconds)
    async with AsyncExitStack() as streams, gateway_process(tmp_path, settings) as gateway:
        opened = [await streams.enter_async_context(listening(gateway.port)) for _ in range(20)]
        async with calling(gateway.port) as one:
            if seconds > 1:
                one.start_call("held")
                await service.received(2)
            gateway.signal(signal.SIGTERM)
            for stream in opened:
                await assert_ended(stream)
            if seconds > 1:
                gate.set()
                assert text_of(await one.read()) == "{}"
        assert await gateway.exit_code() == 0
    assert gateway.log.named("stopped", callsCut=0)


@pytest.mark.req("gateway/C6")
async def test_a_second_signal_ends_a_listener_that_takes_nothing_too(service: ToolService, tmp_path: Path) -> None:
    service.on("/tools/held", (Hang(),))
    settings = mcp(declared("ins", service.url()), drainSeconds=3600)
    async with (
        gateway_process(tmp_path, settings) as gateway,
        listening(gateway.port) as deaf,
        calling(gateway.port) as one,
    ):
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a ReadTransport too
        one.start_call("held")
        await service.received(2)
        gateway.signal(signal.SIGTERM)
        await gateway.log.event("draining")
        gateway.signal(signal.SIGTERM)
        assert await gateway.exit_code() == 0
    assert gateway.log.named("stopped", callsCut=1)


@pytest.mark.req("gateway/C6")
async def test_who_begins_to_listen_while_the_gateway_drains_is_ended_at_once(
    service: ToolService, tmp_path: Path
) -> None:
    gate = asyncio.Event()
    service.on("/tools/held", (Hold(gate), Send(response())))
    async with (
        gateway_process(tmp_path, mcp(declared("ins", service.url()))) as gateway,
        calling(gateway.port) as one,
    ):
        one.start_call("held")
        await service.received(2)
        body, headers = request("subscriptions/listen", TOOLS, revision=NEW)
        one.write(body, headers)  # its turn comes when the call has been answered
        gateway.signal(signal.SIGTERM)
        await gateway.log.event("draining")
        gate.set()
        assert text_of(await one.read()) == "{}"
        answer = await one.read()
        assert [b"subscriptions/acknowledged" in answer.body, b'"result"' in answer.body] == [True, True]
        assert answer.headers[b"connection"] == b"close"
        one.close()
        assert await gateway.exit_code() == 0
    assert gateway.log.named("stopped", callsCut=0)
