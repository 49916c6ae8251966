"""The end of the gateway, as its client of MCP servers has it: nobody is left waiting (gateway/P11, gateway/C6)."""

import asyncio

import pytest

from axhub.gateway.adapters.mcp_client.answers import McpFaultError
from axhub.gateway.ports import Failure, PullFailure
from gateway.adapters.mcp_client.resumed import BROKEN, place, the_call, waits
from support.mcp_clients import attached, call, calls_of, failure_of
from support.mcp_hosts import listed
from support.mcp_hosts_wire import END, stream
from support.tool_service import Hang, Hold, Send
from support.wire import eventually

UNSENT = (Failure.UNREACHABLE, False)


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_calls_that_wait_between_two_streams_are_cancelled_and_their_server_hears_it() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(retry=5000)))
        await client.server.open(5.0)
        going = [client.start(call()) for _ in range(3)]
        await client.host.hears("tools/call", 3)
        await eventually(lambda: len(client.calls.waiting) == 3)
        client.calls.close()
        client.calls.close()
        assert [failure_of(one.answers[0]) for one in going] == [(Failure.CANCELLED, True)] * 3
        await client.host.hears("notifications/cancelled", 3)
        told = {bytes(seen.params["requestId"]) for seen in client.host.of("notifications/cancelled")}
        assert told == {seen.id for seen in client.host.of("tools/call")}
        await eventually(lambda: not client.calls.waiting)
        assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_calls_that_wait_for_a_session_are_told_that_nothing_was_sent() -> None:
    async with attached(era="old") as client:
        client.server.open_seconds = 60.0
        client.host.says("server/discover", (Hang(),))
        going = [client.start(call(seconds=60.0)) for _ in range(3)]
        await client.host.hears("server/discover")
        client.calls.close()
        assert [failure_of(one.answers[0]) for one in going] == [UNSENT] * 3
        await eventually(lambda: not client.calls.waiting)
        assert [seen.method for seen in client.host.heard] == ["server/discover"]


@pytest.mark.req("gateway/P11", "gateway/C6")
@pytest.mark.parametrize("opened", [True, False], ids=["in a session", "without one"])
async def test_no_call_begins_after_it(opened: bool) -> None:
    async with attached(era="old") as client:
        if opened:
            await client.server.open(5.0)
        client.calls.close()
        assert failure_of(await client.answered(call())) == UNSENT
        assert not client.calls.waiting
        assert calls_of(client.host) == []


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_a_call_in_the_pool_goes_on_and_does_not_wait_for_its_rest_after_it() -> None:
    gate = asyncio.Event()
    async with attached(era="old") as client:
        client.host.says("tools/call", (*stream(place(retry=0), ends=False), Hold(gate), Send(END)))
        going = client.start(call())
        await client.host.hears("tools/call")
        client.calls.close()
        assert going.answers == []
        gate.set()
        assert failure_of(await going.answer()) == BROKEN
        assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11", "gateway/C6", "gateway/X6")
async def test_a_call_whose_session_was_lost_is_not_sent_again_after_it() -> None:
    gate = asyncio.Event()
    async with attached(era="old") as client:
        client.host.says("tools/call", (Hold(gate), *client.host.unknown_session))
        going = client.start(call())
        await client.host.hears("tools/call")
        client.calls.close()
        gate.set()
        assert failure_of(await going.answer()) == UNSENT
        assert len(calls_of(client.host)) == len(client.host.of("initialize")) == 1


@pytest.mark.req("gateway/P11", "gateway/C6", "gateway/X7")
@pytest.mark.parametrize("hanging", ["server/discover", "initialize", "notifications/initialized"])
async def test_a_list_that_waits_for_a_session_ends_and_nothing_more_is_opened(hanging: str) -> None:
    async with attached(listed("find"), era="old") as client:
        client.server.open_seconds = 60.0
        client.host.says(hanging, (Hang(),))
        pull = asyncio.create_task(client.source(seconds=60.0).pull("mcp", None))
        await client.host.hears(hanging)
        heard = len(client.host.heard)
        client.calls.close()
        pulled = await pull
        assert (pulled.failure, "the gateway is stopping" in pulled.detail) == (PullFailure.CONNECT_FAILED, True)
        with pytest.raises(McpFaultError, match="the gateway is stopping"):
            await client.server.open(5.0)
        assert len(client.host.heard) == heard


@pytest.mark.req("gateway/P11", "gateway/C6", "gateway/X7")
@pytest.mark.parametrize("before", [0, 1], ids=["first", "again"])
async def test_an_opening_that_waits_between_two_streams_ends(before: int) -> None:
    """A session that is opened again is asked for otherwise if it fails: not so then."""
    async with attached(listed("find"), era="old") as client:
        client.server.open_seconds = 60.0
        for _ in range(before):
            client.server.forget(await client.server.open(5.0))
        broken_off = stream(place(retry=20_000), headers=[(b"Mcp-Session-Id", b"s-1")])
        client.host.says("initialize", broken_off)
        opening = asyncio.create_task(client.server.open(60.0))
        await client.host.hears("initialize", before + 1)
        heard = len(client.host.heard)
        await asyncio.wait({opening}, timeout=0.1)  # its stream has ended, or ends after the gateway
        client.calls.close()
        with pytest.raises(McpFaultError, match="the gateway is stopping"):
            await opening
        assert len(client.host.heard) == heard


@pytest.mark.req("gateway/P11", "gateway/C6", "gateway/X7")
async def test_a_list_that_waits_between_two_streams_ends() -> None:
    async with attached(listed("find"), era="old") as client:
        client.host.says("tools/list", stream(place(retry=20_000)))
        pull = asyncio.create_task(client.source(seconds=60.0).pull("mcp", None))
        await client.host.hears("tools/list")
        await asyncio.wait({pull}, timeout=0.1)  # its stream has ended, or ends after the gateway
        client.calls.close()
        assert (await pull).failure is PullFailure.CONNECT_FAILED
        assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_the_call_of_a_caller_that_leaves_while_it_ends_is_ended_once() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(retry=5000)))
        going = client.start(call())
        await waits(client)
        client.calls.close()
        going.cancel()
        assert failure_of(await going.answer()) == (Failure.CANCELLED, True)
        told = await client.host.hears("notifications/cancelled")
        assert bytes(told.params["requestId"]) == the_call(client).id
