"""Event streams that end before the response and go on by GET: asked for as offered, and never a second call (P11)."""

import asyncio
import time
from collections.abc import Callable

import msgspec
import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.mcp_client.calls import McpCalls
from axhub.gateway.ports import Cancel, Failure, UpstreamAnswer, UpstreamRequest
from gateway.adapters.mcp_client.resumed import BROKEN, Says, place, rest, the_call, waits
from support.mcp_clients import FOUND, OVER, Going, attached, call, calls_of, failure_of, found
from support.mcp_hosts import Heard, progress
from support.mcp_hosts_wire import END, event, response_to, stream
from support.tool_service import Answer, Close, Hang, Hold, Reset, Send, reply
from support.wire import eventually

ASKED = {"progressToken": msgspec.Raw(b'"theirs"')}


ENDS: dict[str, Answer] = {"ended": (Send(END),), "closed": (Close(),), "reset": (Reset(),)}


@pytest.mark.req("gateway/P11", "gateway/X6")
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
async def test_the_rest_of_an_answer_is_asked_for_after_the_last_event_and_the_call_is_not_sent_again(
    end: Answer,
) -> None:
    """By whatever the stream ended: on purpose, or since the connection broke."""
    gate = asyncio.Event()
    async with attached(era="old") as client:

        def says(seen: Heard) -> Answer:
            first = place(b"e-0") + b"id: e-1\n" + event(progress(seen, 1))
            return (*stream(first, ends=False), Hold(gate), *end)

        client.host.says("tools/call", says)
        client.host.says(
            "GET", lambda _: stream(event(progress(the_call(client), 2)), event(response_to(the_call(client), FOUND)))
        )
        asked = msgspec.structs.replace(call(meta=ASKED), headers=b"Mcp-Name: find\r\nguid: G\r\n")
        going = client.start(asked)
        await eventually(lambda: going.progress == [b',"progress":1'])
        gate.set()
        assert await going.answer() == OVER
        assert going.progress == [b',"progress":1', b',"progress":2']
        (get,) = client.host.of("GET")
        headers = get.request.headers
        assert headers[b"last-event-id"] == b"e-1"
        assert (get.session, headers[b"accept"], headers[b"guid"]) == (b"s-1", b"text/event-stream", b"G")
        assert headers[b"mcp-protocol-version"] == b"2025-11-25"
        assert get.request.body == b""
        assert len(calls_of(client.host)) == 1
        assert client.host.of("notifications/cancelled") == []


@pytest.mark.req("gateway/P11")
async def test_a_server_that_lets_its_client_poll_is_asked_each_time_after_the_event_before() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(b"e-0")))
        polls = [stream(place(b"e-%d" % at)) for at in range(1, 5)]
        client.host.says("GET", *polls, stream(), rest(client))
        assert await client.answered(call()) == OVER
        asked = [get.request.headers[b"last-event-id"] for get in client.host.of("GET")]
        assert asked == [b"e-0", b"e-1", b"e-2", b"e-3", b"e-4", b"e-4"]
        assert len(calls_of(client.host)) == 1
        assert not client.calls.waiting


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(("said", "least"), [(400, 0.4), (0, 0.1), (None, 1.0)])
async def test_it_is_not_asked_before_the_time_that_it_said(said: int | None, least: float) -> None:
    async with attached(era="old") as client:
        ended: list[float] = []

        def says(_seen: Heard) -> Answer:
            ended.append(time.monotonic())
            return stream(place(retry=said))

        def asked(get: Heard) -> Answer:
            ended.append(time.monotonic())
            return rest(client)(get)

        client.host.says("tools/call", says)
        client.host.says("GET", asked)
        assert await client.answered(call()) == OVER
        assert ended[1] - ended[0] >= least - 0.01


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "event_id", [b"a", b"a b", "스트림/7".encode(), b"=" * 1024, b"~!@#$%^&*(){}[]<>;,:\"'"], ids=repr
)
async def test_an_id_comes_back_as_it_was_sent(event_id: bytes) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(event_id)))
        client.host.says("GET", rest(client))
        assert await client.answered(call()) == OVER
        assert client.host.of("GET")[0].request.headers[b"last-event-id"] == event_id


BARE: dict[str, bytes] = {
    "no id": b"retry: 100\ndata:\n\n",
    "an empty id": b"id\nretry: 100\ndata:\n\n",
    "an id that is taken back": place() + b"id:\ndata:\n\n",
    "a tab": place(b"e\t1"),
    "a control character": place(b"e\x011"),
    "a NUL": place(b"e\x001"),
    "DEL": place(b"e\x7f"),
    "blanks at its ends": place(b" e-1"),
    "too long an id": place(b"e" * 1025),
    "an id whose event did not end": b"id: e-1\n",
    "later than the call may last": place(retry=10_000),
    "never": place(retry=10**30),
}


@pytest.mark.req("gateway/P11", "gateway/X6")
@pytest.mark.parametrize("said", BARE.values(), ids=BARE)
async def test_without_a_place_that_can_be_named_in_time_a_stream_that_ends_is_broken(said: bytes) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(said))
        assert failure_of(await client.answered(call(seconds=9.0))) == BROKEN
        told = await client.host.hears("notifications/cancelled")
        assert bytes(told.params["requestId"]) == the_call(client).id
        assert (client.host.of("GET"), len(calls_of(client.host))) == ([], 1)


@pytest.mark.req("gateway/P11")
async def test_a_stateless_server_is_not_asked() -> None:
    async with attached(era="new") as client:
        client.host.says("tools/call", stream(place()))
        assert failure_of(await client.answered(call())) == BROKEN
        assert (client.host.of("GET"), len(calls_of(client.host))) == ([], 1)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    "refusal",
    [
        lambda _: reply(405, b"", content_type=None),
        lambda _: reply(404, b'{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'),
        lambda _: reply(400, b"Bad Request", content_type=b"text/plain"),
        lambda _: reply(503, b"", content_type=None),
        lambda _: reply(302, b"", headers=[(b"Location", b"/mcp")]),
        lambda _: reply(202, b"", content_type=None),
        lambda seen: reply(200, response_to(seen, FOUND)),
        lambda _: reply(200, b"<html>", content_type=b"text/html"),
        lambda _: stream(b"data: x", headers=[(b"Content-Encoding", b"gzip")]),
        lambda _: stream(event(b"<html>"), status=500),
        lambda _: (Send(b"SSH-2.0\r\n"), Close()),
        lambda _: (Close(),),
        lambda _: (Reset(),),
    ],
    ids=["405", "404", "400", "503", "302", "202", "JSON", "html", "packed", "500", "not HTTP", "closed", "reset"],
)
async def test_a_server_that_gives_no_stream_leaves_the_call_broken_and_its_session_as_it_was(refusal: Says) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place()), found)
        client.host.says("GET", lambda _: refusal(the_call(client)))
        assert failure_of(await client.answered(call())) == BROKEN
        await client.host.hears("notifications/cancelled")
        assert (len(client.host.of("GET")), len(calls_of(client.host))) == (1, 1)
        assert await client.answered(call()) == OVER
        assert client.host.sessions == [b"s-1"]


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_server_that_has_gone_is_not_asked_twice() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(retry=1000)))
        going = client.start(call())
        await waits(client)
        await client.host.stop()
        assert failure_of(await going.answer()) == BROKEN


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_session_that_is_renewed_in_between_does_not_bring_the_call_into_the_new_one() -> None:
    async with attached(era="old", max_concurrent=2) as client:
        client.host.says("tools/call", stream(place(retry=1500)), client.host.usually)
        going = client.start(call())
        await waits(client)
        client.host.lose_sessions()
        await client.answered(call(arguments=b'{"n":2}'))
        assert failure_of(await going.answer()) == BROKEN
        assert [get.session for get in client.host.of("GET")] == [b"s-1"]
        assert [arguments for _, arguments in calls_of(client.host)] == [b"{}", b'{"n":2}', b'{"n":2}']
        assert client.host.sessions == [b"s-1", b"s-2"]


@pytest.mark.req("gateway/P11")
async def test_an_id_with_a_nul_does_not_take_back_an_earlier_one() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(b"e-1") + b"id: a\0b\ndata:\n\n"))
        client.host.says("GET", rest(client))
        assert await client.answered(call()) == OVER
        assert [get.request.headers[b"last-event-id"] for get in client.host.of("GET")] == [b"e-1"]


@pytest.mark.req("gateway/P11")
async def test_a_server_without_sessions_is_not_asked() -> None:
    """It cannot know whose stream is asked for: its ids are those of somebody's stream."""
    async with attached(era="old", sessions=False) as client:
        client.host.says("tools/call", stream(place()))
        assert failure_of(await client.answered(call())) == BROKEN
        assert (client.host.of("GET"), len(calls_of(client.host))) == ([], 1)


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_cancelling_between_two_streams_tells_the_server_and_asks_for_nothing_more() -> None:
    async with attached(era="old", max_concurrent=1) as client:
        client.host.says("tools/call", stream(place(retry=3000)))
        going = client.start(call())
        await waits(client)
        assert client.client.usage()["mcp"].active == 0  # it takes no place of another call meanwhile
        going.cancel()
        going.cancel()
        assert failure_of(await going.answer()) == (Failure.CANCELLED, True)
        told = await client.host.hears("notifications/cancelled")
        assert bytes(told.params["requestId"]) == the_call(client).id
        await eventually(lambda: not client.calls.waiting)
        assert client.host.of("GET") == []


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_cancelling_while_the_rest_comes_closes_its_connection_and_tells_the_server() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place()))
        client.host.says("GET", stream(Hang()))
        going = client.start(call())
        await client.host.hears("GET")
        going.cancel()
        assert failure_of(await going.answer()) == (Failure.CANCELLED, True)
        await client.host.hears("notifications/cancelled")
        assert client.client.usage()["mcp"].active == 0


@pytest.mark.req("gateway/P11", "gateway/X11")
async def test_all_streams_of_a_call_are_within_its_time() -> None:
    async with attached(era="old") as client:
        await client.server.open(5.0)
        client.host.says("tools/call", stream(place()))
        client.host.says("GET", stream(place(b"e-2"), Hang()))
        assert failure_of(await client.answered(call(seconds=0.5))) == (Failure.TIMEOUT, True)
        await client.host.hears("notifications/cancelled")
        assert len(calls_of(client.host)) == 1


@pytest.mark.req("gateway/P11", "threat/T22")
async def test_a_fault_of_ours_while_the_rest_is_asked_for_ends_the_call_and_is_told() -> None:
    async with attached(era="old") as client:

        def send(
            request: UpstreamRequest,
            on_done: Callable[[UpstreamAnswer], None],
            on_event: Callable[[bytes], bool] | None = None,
        ) -> Cancel:
            if request.head.startswith(b"GET"):
                raise RuntimeError("ours")
            return client.client.send(request, on_done, on_event)

        client.host.says("tools/call", stream(place()))
        going = Going()
        calls = McpCalls({"mcp": client.server}, send, SystemClock())
        await client.server.open(5.0)
        calls.call(call(), going.ended, None)
        await eventually(lambda: bool(calls.waiting))
        (task,) = calls.waiting
        assert failure_of(await going.answer()) == BROKEN
        with pytest.raises(RuntimeError, match="ours"):
            await task
