"""Calls to MCP servers that are given up, per era, and servers that hang beside others (gateway/P11, X8, X9, X11)."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from axhub.gateway.adapters.http1.limits import PoolUsage
from axhub.gateway.config.settings import DiscoverySettings
from support.callers import Caller, calling, is_error, many_calling, text_of, until
from support.events import asking
from support.gateway import HANDSHAKE, NEW, RunningGateway, bundle, manifest, running, settings, tool
from support.mcp_hosts import ASKED, Era, Heard, McpHost, Says, listed, mcp_bundle, progress, timed
from support.mcp_hosts_wire import event, response_to, stream, text
from support.tool_service import Answer, Close, Hang, Hold, Reset, Send, ToolService, Wait, reply, response
from support.tries import kept

SOON = 0.1
BUSY = "The tool is busy: too many calls are running. Nothing was sent; try again shortly."
LEAVE: dict[str, Callable[[Caller], None]] = {
    "end of stream": Caller.close,
    "half close": Caller.half_close,
    "reset": Caller.reset,
}
ERAS = pytest.mark.parametrize("era", ["new", "old"])


def usage(gateway: RunningGateway, bundle_id: str = "mcp") -> PoolUsage:
    return gateway.gateway.client.usage()[bundle_id]


def hanging(seen: Heard) -> Answer:
    return stream(b": working\n\n", Hang()) if seen.name == "streams" else (Hang(),)


@asynccontextmanager
async def endless(era: Era, **fields: Any) -> AsyncIterator[tuple[McpHost, RunningGateway]]:
    async with McpHost(timed("hangs", 20_000), timed("streams", 20_000), timed("late", 300), era=era) as host:
        host.says("tools/call", hanging)
        async with running(settings(mcp_bundle(host, **fields))) as gateway:
            yield host, gateway


async def cancellations(host: McpHost, number: int) -> list[Any]:
    if number:
        await host.hears("notifications/cancelled", number)
    return [seen.json["params"]["requestId"] for seen in host.of("notifications/cancelled")]


@ERAS
@pytest.mark.parametrize("name", ["hangs", "streams"])
@pytest.mark.parametrize("leave", LEAVE.values(), ids=LEAVE)
@pytest.mark.req("gateway/P11", "gateway/X8", "threat/T20", "input/B59")
async def test_a_new_caller_that_leaves_ends_its_call_and_an_old_server_is_told_which(
    era: Era, name: str, leave: Callable[[Caller], None]
) -> None:
    async with endless(era) as (host, gateway):
        numbers: list[int] = []

        async def left() -> float:
            async with calling(gateway.port) as caller:
                caller.start_call(name, revision=NEW)
                seen = await host.hears("tools/call", len(numbers) + 1)
                numbers.append(int(seen.id))
                ended = host.connections - host.open_connections
                began = time.monotonic()
                leave(caller)
                await host.ended(ended + 1)
                if era == "old":
                    await host.hears("notifications/cancelled", len(numbers))
                return time.monotonic() - began

        await kept(SOON, left)
        assert await cancellations(host, len(numbers) if era == "old" else 0) == (numbers if era == "old" else [])
        assert {seen.session for seen in host.of("notifications/cancelled")} <= {b"s-1"}
        await until(lambda: usage(gateway).active == 0)
        outcomes = {line["outcome"] for line in gateway.log if line["event"] == "tool_call"}
        assert outcomes == {"cancelled"}


@ERAS
@pytest.mark.parametrize("revision", HANDSHAKE)
@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_an_old_caller_that_leaves_cancels_nothing(era: Era, revision: str) -> None:
    gate = asyncio.Event()
    async with endless(era) as (host, gateway):
        host.says("tools/call", lambda seen: (Hold(gate), *host.usually(seen)))
        async with calling(gateway.port) as caller:
            caller.start_call("hangs", revision=revision)
            await host.hears("tools/call")
            caller.reset()
        await until(lambda: host.open_connections == 1)  # the call's, and no other
        gate.set()
        await until(lambda: gateway.gateway.call_tool.in_flight == 0)
        assert host.of("notifications/cancelled") == []
        assert [line["outcome"] for line in gateway.log if line["event"] == "tool_call"] == ["ok"]


@ERAS
@pytest.mark.req("gateway/P11", "gateway/X11", "gateway/X8")
async def test_a_call_whose_time_is_over_is_closed_and_an_old_server_is_told_which(era: Era) -> None:
    async with endless(era) as (host, gateway):
        answer = await gateway.call("late")
        assert text_of(answer).startswith("The tool did not answer within its time limit.")
        number = int(host.of("tools/call")[0].id)
        assert await cancellations(host, 1 if era == "old" else 0) == ([number] if era == "old" else [])
        await until(lambda: host.open_connections == 0)


@pytest.mark.parametrize(
    "given_up",
    [
        lambda seen: stream(b"x" * 70_000, Hang()),
        lambda seen: (Send(response(body=b"{")[:-1]), Reset()),
        lambda seen: stream(b": no more\n\n"),
        lambda seen: (Send(b"SSH-2.0\r\n"), Hang()),
    ],
    ids=["too large", "broken", "no response", "not HTTP"],
)
@pytest.mark.req("gateway/P11", "gateway/X4")
async def test_an_old_server_is_told_of_every_call_that_was_given_up(given_up: Callable[[Heard], Answer]) -> None:
    """It may run on, whatever became of its connection; so it hears that nobody waits any more."""
    async with McpHost(timed("t", 20_000), era="old") as host:
        host.says("tools/call", given_up)
        async with running(settings(mcp_bundle(host), max_response_bytes=65_536)) as gateway:
            assert is_error(await gateway.call("t"))
            assert await cancellations(host, 1) == [int(host.of("tools/call")[0].id)]


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_nothing_that_was_answered_or_never_sent_is_cancelled() -> None:
    async with McpHost(timed("t", 20_000), era="old") as host:
        one = mcp_bundle(host, max_concurrent_calls=1, max_queued_calls=0)
        async with running(settings(one)) as gateway, many_calling(gateway.port, 2) as (first, second):
            ends: list[Says] = [
                host.usually,
                reply(500, b"", content_type=None),
                lambda seen: stream(event(response_to(seen, text("done"))), Wait(0.05)),
                lambda seen: reply(body=b'{"jsonrpc":"2.0","id":%b,"error":{"code":1,"message":"x"}}' % seen.id),
            ]
            for end in ends:
                host.says("tools/call", end)
                await gateway.call("t", revision=NEW)
                await until(lambda: usage(gateway).active == 0)
            host.says("tools/call", (Hang(),))
            first.start_call("t", revision=NEW)
            await host.hears("tools/call", len(ends) + 1)
            assert text_of(await second.call("t", revision=NEW)) == BUSY
            first.close()
            assert await cancellations(host, 1) == [int(host.of("tools/call")[-1].id)]


@ERAS
@pytest.mark.req("gateway/P11", "gateway/X8", "gateway/X6")
async def test_a_caller_that_leaves_while_its_session_is_renewed_sends_nothing_more(era: Era) -> None:
    async with McpHost(timed("t", 20_000), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        gate = asyncio.Event()
        host.lose_sessions()
        host.says("initialize", lambda seen: (Hold(gate), *host.usually(seen)))
        async with calling(gateway.port) as caller:
            caller.start_call("t", revision=NEW)
            await host.hears("initialize", 2)
        await until(lambda: gateway.gateway.call_tool.in_flight == 0)
        gate.set()
        assert text_of(await gateway.call("t", b'{"n":2}')) == '{"n":2}'
        assert [seen.arguments for seen in host.of("tools/call")] == [b"{}", b'{"n":2}']


@ERAS
@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_a_caller_that_leaves_in_the_middle_of_progress_ends_its_call(era: Era) -> None:
    def tells(seen: Heard) -> Answer:
        steps = [step for at in range(1000) for step in (event(progress(seen, at)), Wait(0.01))]
        return stream(*steps)

    async with McpHost(timed("t", 20_000), era=era) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", tells)
        params = {"name": "t", "_meta": {"progressToken": 1}}
        async with asking(gateway.port, "tools/call", params) as answer:
            for _ in range(3):
                await answer.message()
        await until(lambda: usage(gateway).active == 0)
        assert len(await cancellations(host, 1 if era == "old" else 0)) == (1 if era == "old" else 0)
        async with asking(gateway.port, "tools/call", params, revision="2025-11-25") as answer:
            await answer.message()
        await until(lambda: len(host.of("tools/call")) == 2)
        await asyncio.sleep(0.1)  # nothing to wait for: this one goes on, to nobody
        assert usage(gateway).active == 1
        assert len(host.of("notifications/cancelled")) == (1 if era == "old" else 0)


@pytest.mark.req("gateway/P11", "gateway/X8", "fault/F36")
async def test_a_server_that_takes_no_cancellations_holds_no_more_connections_than_it_may() -> None:
    async with McpHost(timed("t", 20_000), era="old") as host:
        host.says("tools/call", (Hang(),))
        host.says("notifications/cancelled", (Hang(),))
        one, patient = mcp_bundle(host, max_concurrent_calls=300), DiscoverySettings(connect_timeout_millis=20_000)
        async with running(settings(one, discovery=patient)) as gateway:
            async with many_calling(gateway.port, 300) as callers:
                for number, caller in enumerate(callers, 1):
                    caller.start_call("t", revision=NEW)
                    if number % 20 == 0:  # one after the other: connecting has a bound, too
                        await host.hears("tools/call", number)
            await until(lambda: gateway.gateway.call_tool.in_flight == 0)
            await host.hears("notifications/cancelled", 256)
            await until(lambda: host.open_connections <= 256)
            assert len(host.of("notifications/cancelled")) == 256


@ERAS
@pytest.mark.req("gateway/P11", "gateway/X9", "fault/F08", "threat/T19")
async def test_a_hanging_server_is_busy_by_itself_and_slows_no_tool_service(era: Era) -> None:
    async with McpHost(timed("hangs", 20_000), era=era) as host, ToolService() as service:
        host.says("tools/call", (Hang(),))
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("fine")])))
        service.on("/tools/fine", reply(body=b'{"fine":1}'))
        bundles = mcp_bundle(host, max_concurrent_calls=4, max_queued_calls=2), bundle(service.url())
        async with running(settings(*bundles)) as gateway, many_calling(gateway.port, 7) as callers:
            for number in range(4):
                callers[number].start_call("hangs", revision=NEW)
            await host.hears("tools/call", 4)
            for number in (4, 5):
                callers[number].start_call("hangs", revision=NEW)
            await until(lambda: usage(gateway) == PoolUsage(active=4, queued=2, idle=0))

            async def refused() -> float:
                began = time.monotonic()
                assert text_of(await callers[6].call("hangs", revision=NEW)) == BUSY
                return time.monotonic() - began

            await kept(0.05, refused)
            for number in (4, 5):
                assert text_of(await callers[number].read()) == BUSY

            async def fine() -> float:
                began = time.monotonic()
                assert text_of(await callers[6].call("fine")) == '{"fine":1}'
                return time.monotonic() - began

            await kept(0.05, fine)
        assert len(host.of("tools/call")) == 4


@pytest.mark.req("gateway/P11", "gateway/X9", "gateway/G3")
async def test_a_server_that_takes_calls_but_does_not_open_holds_them_only_for_their_time() -> None:
    """Calls that wait for a session are in no pool yet; another bundle, and the next call, do not wait for them."""
    async with (
        McpHost(timed("t", 400), era="old") as host,
        McpHost(listed("fine")) as other,
        running(settings(mcp_bundle(host), mcp_bundle(other, "other"))) as gateway,
    ):
        host.lose_sessions()
        host.says("initialize", (Hang(),))
        calls = [asyncio.create_task(gateway.call("t")) for _ in range(30)]
        await host.hears("initialize", 2)
        assert text_of(await gateway.call("fine")) == "{}"
        for call in calls:
            assert "Nothing was sent" in text_of(await call)
        assert len(host.of("initialize")) == 2
        host.says("initialize", host.usually)
        assert text_of(await gateway.call("t")) == "{}"
        host.says("tools/call", (Close(),))
        assert is_error(await gateway.call("t"))


@pytest.mark.req("gateway/P11", "ops/O5")
async def test_no_session_is_opened_after_the_last_one_was_given_back() -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        pulls: list[asyncio.Task[None]] = []

        def farewell(seen: Heard) -> Answer:
            pulls.append(asyncio.create_task(gateway.gateway.refresh.recheck()))
            return (Wait(0.5), *host.usually(seen))

        host.says("DELETE", farewell)
        async with running(settings(mcp_bundle(host), registry=ASKED)) as gateway:
            await asyncio.sleep(0.002)  # longer than the least interval between two pulls
        await host.hears("DELETE")
        for pull in pulls:
            pull.cancel()
        await asyncio.gather(*pulls, return_exceptions=True)
        assert (len(pulls), len(host.of("initialize")), host.known) == (1, 1, set())
