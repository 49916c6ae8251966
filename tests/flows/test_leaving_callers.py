"""Callers that go away: their calls are given up where the revision asks for it, and nothing stays (gateway/X8)."""

import time
from collections.abc import AsyncIterator, Callable

import pytest

from axhub.gateway.adapters.http1.limits import PoolUsage
from support.callers import Caller, calling, many_calling, text_of, until
from support.gateway import NEW, RunningGateway, bundle, manifest, running, settings, tool
from support.tool_service import Hang, ToolService, reply
from support.tries import kept

CALLERS, SOON = 200, 0.1


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        endless = tool("endless", _meta={"version": "1", "timeoutMillis": 30_000})
        started.on("/tool-manifest", reply(body=manifest("ins", [endless, tool("quick")])))
        started.on("/tools/endless", (Hang(),))
        started.on("/tools/quick", reply(body=b'{"quick":1}'))
        yield started


@pytest.fixture
async def gateway(service: ToolService) -> AsyncIterator[RunningGateway]:
    async with running(settings(bundle(service.url(), max_concurrent_calls=CALLERS))) as started:
        yield started


LEAVE: dict[str, Callable[[Caller], None]] = {
    "end of stream": Caller.close,
    "half close": Caller.half_close,
    "reset": Caller.reset,
}


@pytest.mark.parametrize("leave", LEAVE.values(), ids=LEAVE)
@pytest.mark.req("fault/F36", "gateway/X8", "threat/T20", "input/B59")
async def test_two_hundred_callers_that_leave_at_once_cancel_their_calls_and_leave_nothing(
    gateway: RunningGateway, service: ToolService, leave: Callable[[Caller], None]
) -> None:
    """One is given up in time by the clock; all at once, in which a busy machine has its share, by the processor's."""
    rounds = 0

    async def all_leave() -> float:
        nonlocal rounds
        rounds += 1
        received, ended = len(service.requests), service.connections - service.open_connections
        async with many_calling(gateway.port, CALLERS) as callers:
            for number, caller in enumerate(callers, 1):  # they leave at once, and need not come at once
                caller.start_call("endless", revision=NEW)
                await service.received(received + number)

            async def one_leaves() -> float:
                gone = service.connections - service.open_connections
                began = time.monotonic()
                leave(callers.pop())
                await service.ended(gone + 1)
                return time.monotonic() - began

            await kept(SOON, one_leaves)
            began = time.thread_time()
            for caller in callers:
                leave(caller)
            await service.ended(ended + CALLERS)
            took = time.thread_time() - began
            assert text_of(await gateway.call("quick")) == '{"quick":1}'
        return took

    await kept(SOON, all_leave, tries=5)
    await until(lambda: gateway.gateway.client.usage()["ins"].active == 0)
    assert gateway.gateway.client.usage()["ins"].queued == 0
    assert gateway.gateway.call_tool.in_flight == 0
    ends = [line["outcome"] for line in gateway.log if line["event"] == "tool_call"]
    assert ends == (["cancelled"] * CALLERS + ["ok"]) * rounds


@pytest.mark.req("gateway/X8", "gateway/X9")
async def test_a_queued_call_whose_caller_leaves_frees_its_place(service: ToolService) -> None:
    limited = bundle(service.url(), max_concurrent_calls=1, max_queued_calls=1)
    async with running(settings(limited)) as gateway, calling(gateway.port) as first:
        first.start_call("endless", revision=NEW)
        await service.received(2)
        async with calling(gateway.port) as second:
            second.start_call("quick", revision=NEW)
            await until(lambda: gateway.gateway.client.usage()["ins"] == PoolUsage(1, 1, 0))
        await until(lambda: gateway.gateway.client.usage()["ins"] == PoolUsage(1, 0, 0))
        first.close()
        assert text_of(await gateway.call("quick")) == '{"quick":1}'
    assert [seen.target for seen in service.requests].count(b"/tools/quick") == 1
