"""Progress that a server tells on the session's own stream instead of that of the call (gateway/P11)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.mcp_client.notices import listen
from axhub.gateway.ports import Failure
from support.mcp_clients import OVER, Attached, attached, call, failure_of, found
from support.mcp_hosts import LIST_CHANGED, Heard, OwnStream, notification, progress
from support.mcp_hosts_wire import event, response_to, stream, text
from support.tool_service import Answer, Close, Hang, Hold, Reset, reply
from support.wire import eventually

ANNOUNCES = pytest.mark.parametrize("announces", [True, False], ids=["announces", "announces nothing"])


@asynccontextmanager
async def listened(*, era: str = "old", **about: Any) -> AsyncIterator[tuple[Attached, OwnStream]]:
    """Serve a host with a stream of its session's own that is listened to."""
    async with attached(era=era, **about) as client:
        own = OwnStream()
        client.host.says("GET", own)
        task = asyncio.create_task(listen(client.server, SystemClock(), lambda: 1.0))
        try:
            yield client, own
            assert not task.done()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def holding(gate: asyncio.Event) -> Callable[[Heard], Answer]:
    """Return what answers a call in one piece once it may, as servers do that have no streams of calls."""
    return lambda seen: (Hold(gate), *found(seen))


def about(token: bytes, value: bytes = b"7") -> bytes:
    """Return a notice of progress with any token."""
    params = b'"progressToken":%b,"progress":%b' % (token, value)
    return b'{"jsonrpc":"2.0","method":"notifications/progress","params":{%b}}' % params


@ANNOUNCES
@pytest.mark.req("gateway/P11")
async def test_it_reaches_its_call_as_on_the_calls_own_stream(announces: bool) -> None:
    gate = asyncio.Event()
    async with listened(announces=announces) as (client, own):
        client.host.says("tools/call", holding(gate))
        going = client.start(call())
        seen = await client.host.hears("tools/call")
        own.say(progress(seen, 1.50, total=2, message="반", other=1), progress(seen, 2))
        await eventually(lambda: len(going.progress) == 2)
        gate.set()
        assert await going.answer() == OVER
        assert going.progress == [b',"progress":1.5,"total":2,"message":"' + "반".encode() + b'"', b',"progress":2']
        assert (await client.host.hears("GET")).session == b"s-1"
        assert client.changed == []


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_each_of_several_calls_hears_of_its_own() -> None:
    gate = asyncio.Event()
    async with listened() as (client, own):
        client.host.says("tools/call", holding(gate))
        going = [client.start(call(arguments=b"%d" % at)) for at in range(1, 6)]
        await client.host.hears("tools/call", 5)
        for seen in client.host.of("tools/call"):
            own.say(about(seen.id, b"%b0" % seen.arguments), about(seen.id, b"%b1" % seen.arguments))
        await eventually(lambda: all(len(one.progress) == 2 for one in going))
        gate.set()
        for at, one in enumerate(going, 1):
            assert await one.answer() == OVER
            assert one.progress == [b',"progress":%d0' % at, b',"progress":%d1' % at]


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_what_names_no_call_under_way_is_told_to_nobody() -> None:
    gates = [asyncio.Event(), asyncio.Event()]
    async with listened() as (client, own):
        client.host.says("tools/call", *map(holding, gates))
        first = client.start(call())
        gates[0].set()
        assert await first.answer() == OVER
        second = client.start(call())
        await client.host.hears("tools/call", 2)
        ended, mine = (seen.id for seen in client.host.of("tools/call"))
        others = [ended, b"99999", b'"%b"' % mine, b"%b.0" % mine, b"-%b" % mine, b"null", b"[%b]" % mine, b"9" * 5000]
        odd = [notification("notifications/progress", {"progress": 1}), notification("notifications/progress")]
        own.say(*map(about, others), *odd, about(mine, b'"x"'), about(mine, b"3"))
        await eventually(lambda: bool(second.progress))
        gates[1].set()
        assert await second.answer() == OVER
        assert (first.progress, second.progress) == ([], [b',"progress":3'])


@pytest.mark.req("gateway/P11", "threat/T19")
async def test_a_flood_reaches_the_call_in_order_to_its_last_and_leaves_the_rest_alone() -> None:
    gate = asyncio.Event()
    async with listened(announces=True) as (client, own):
        client.host.says("tools/call", holding(gate))
        going = client.start(call())
        seen = await client.host.hears("tools/call")
        notices = [part for at in range(3000) for part in (about(seen.id, b"%d" % at), about(b"99999"))]
        own.say(*notices, LIST_CHANGED)
        await eventually(lambda: bool(going.progress) and going.progress[-1] == b',"progress":2999')
        await eventually(lambda: client.changed == ["mcp"])
        values = [int(told.partition(b":")[2]) for told in going.progress]
        assert values == sorted(set(values))
        gate.set()
        assert await going.answer() == OVER


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_call_that_is_sent_again_in_a_new_session_hears_by_its_new_number() -> None:
    gate = asyncio.Event()
    async with listened() as (client, own):
        await client.answered(call())
        await client.host.hears("GET")
        client.host.lose_sessions()
        client.host.says("tools/call", holding(gate))
        going = client.start(call())
        new = await client.host.hears("tools/call", 3)
        stale = client.host.of("tools/call")[1]
        assert (stale.session, new.session) == (b"s-1", b"s-2")
        assert (await client.host.hears("GET", 2)).session == b"s-2"
        own.say(about(stale.id, b"1"), about(new.id, b"2"))
        await eventually(lambda: bool(going.progress))
        gate.set()
        assert await going.answer() == OVER
        assert going.progress == [b',"progress":2']


@pytest.mark.req("gateway/P11", "gateway/X8", "threat/T19")
async def test_however_a_call_ends_nothing_of_it_is_kept() -> None:
    async with listened(max_concurrent=1) as (client, own):
        server = client.server
        ends: list[Answer] = [
            reply(500, b"", content_type=None),
            (Close(),),
            (Reset(),),
            stream(b": no more\n\n"),
            stream(b"id: 1\nretry: 100\ndata:\n\n"),
            (Hang(),),
        ]
        for end in ends:
            client.host.says("tools/call", end)
            await client.answered(call(seconds=0.5))
            assert not server.heard_for.is_set()
        client.host.says("tools/call", (Hang(),))
        going = client.start(call())
        seen = await client.host.hears("tools/call", len(ends) + 1)
        assert failure_of(await client.answered(call())) == (Failure.BUSY, False)
        assert server.heard_for.is_set()
        going.cancel()
        assert not server.heard_for.is_set()
        own.say(progress(seen, 1), event(LIST_CHANGED))
        assert going.progress == []


@pytest.mark.req("gateway/P11")
async def test_a_server_that_announces_nothing_is_listened_to_from_the_first_call_on_that_may_need_it() -> None:
    """And not given up between calls; what it misses brings no pull, since there is nothing to miss."""
    gate, bye = asyncio.Event(), asyncio.Event()
    async with listened(announces=False) as (client, own):
        await client.server.open(5.0)
        await asyncio.sleep(0.05)  # nothing to wait for
        assert client.host.of("GET") == []
        client.host.says("GET", lambda _: stream(b": open\n\n", Hold(bye)), own)
        client.host.says("tools/call", found, found, holding(gate))
        assert [await client.answered(call()) for _ in range(2)] == [OVER, OVER]
        await client.host.hears("GET")
        bye.set()
        going = client.start(call())
        await client.host.hears("GET", 2)
        own.say(progress(await client.host.hears("tools/call", 3), 1))
        await eventually(lambda: bool(going.progress))
        gate.set()
        assert await going.answer() == OVER
        assert (len(client.host.of("GET")), client.changed) == (2, [])


@pytest.mark.req("gateway/P11")
async def test_a_server_without_such_a_stream_is_asked_once_a_session() -> None:
    async with listened(announces=False) as (client, _):
        client.host.says("GET", reply(405, b"", content_type=None))
        client.host.says("tools/call", found)
        assert await client.answered(call()) == OVER
        await client.host.hears("GET")
        for _ in range(3):
            assert await client.answered(call()) == OVER
        await asyncio.sleep(1.1)  # nothing to wait for: no second time, though the first wait is over
        assert len(client.host.of("GET")) == 1
        assert client.host.sessions == [b"s-1"]


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(("era", "sessions"), [("new", True), ("old", False)])
async def test_a_server_that_cannot_know_whose_stream_it_is_is_not_asked(era: str, sessions: bool) -> None:
    gate = asyncio.Event()
    async with listened(era=era, sessions=sessions, announces=False) as (client, _):
        client.host.says("tools/call", holding(gate))
        going = client.start(call())
        await client.host.hears("tools/call")
        await asyncio.sleep(0.05)  # nothing to wait for
        gate.set()
        assert await going.answer() == OVER
        assert client.host.of("GET", "subscriptions/listen") == []


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_response_on_the_sessions_stream_is_none() -> None:
    """A response comes where its request was sent, or where its stream was taken up again (MCP 2025-11-25)."""
    async with listened() as (client, own):
        client.host.says("tools/call", lambda seen: (Hold(gate), *found(seen)))
        gate = asyncio.Event()
        going = client.start(call())
        seen = await client.host.hears("tools/call")
        own.say(response_to(seen, text("of the stream")), progress(seen, 1))
        await eventually(lambda: bool(going.progress))
        assert going.answers == []
        gate.set()
        assert await going.answer() == OVER
