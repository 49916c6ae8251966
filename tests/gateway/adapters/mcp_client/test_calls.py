"""One call on the wire: sent once, ended once, whatever comes (gateway/P11)."""

import asyncio
import json
from collections.abc import Callable

import msgspec
import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.mcp_client.calls import McpCalls
from axhub.gateway.ports import Cancel, Failure, McpAnswer, UpstreamRequest
from support.mcp_clients import (
    FOUND,
    OVER,
    Going,
    attached,
    call,
    calls_of,
    failure_of,
    found,
    quiet,
)
from support.mcp_hosts import LIST_CHANGED, Heard, notification, progress
from support.mcp_hosts_wire import error_to, event, http_error, response_to, stream, text
from support.tool_service import Answer, Close, Hang, Hold, Reset, reply
from support.wire import eventually

Says = Callable[[Heard], Answer]
NO_SESSION = http_error(400, b'{"code":-32000,"message":"Bad Request: No valid session ID provided"}')
ASKED = {"progressToken": msgspec.Raw(b'"theirs"')}


@pytest.mark.req("gateway/P11", "gateway/X1")
@pytest.mark.parametrize("era", ["new", "old"])
async def test_a_call_names_its_tool_in_body_and_header_and_carries_what_the_use_case_gave_it(era: str) -> None:
    async with attached(era=era) as client:
        asked = msgspec.structs.replace(call(arguments=b'{ "a" : 1e400 }'), headers=b"Mcp-Name: find\r\nguid: G\r\n")
        client.host.says("tools/call", found)
        assert await client.answered(asked) == OVER
        (seen,) = client.host.of("tools/call")
        assert (seen.name, seen.arguments) == ("find", b'{ "a" : 1e400 }')
        headers = seen.request.headers
        assert (headers[b"mcp-name"], headers[b"guid"]) == (b"find", b"G")
        assert headers[b"mcp-protocol-version"] == (b"2026-07-28" if era == "new" else b"2025-11-25")
        assert headers.get(b"mcp-session-id") == (None if era == "new" else b"s-1")


@pytest.mark.req("gateway/P11", "gateway/X6")
@pytest.mark.parametrize(
    "says",
    [
        lambda seen: reply(400, error_to(seen, -32602, "m")),
        lambda _seen: reply(401, b"", content_type=None),
        lambda _seen: reply(500, b'{"jsonrpc":"2.0","error":{"code":1,"message":""},"id":null}'),
        lambda _seen: (Reset(),),
        lambda _seen: (Close(),),
    ],
)
async def test_whatever_else_goes_wrong_a_call_is_sent_once(says: Says) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", says)
        await client.answered(call())
        assert len(calls_of(client.host)) == 1


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize(
    ("says", "answer"),
    [
        (lambda seen: reply(200, error_to(seen, -32602, "m")), -32602),
        (lambda seen: reply(400, error_to(seen, -32602, "m")), -32602),
        (lambda seen: reply(500, error_to(seen, -32603, "m")), -32603),
        (lambda seen: stream(event(error_to(seen, -32000, "m"))), -32000),
        (lambda seen: reply(200, response_to(seen, b"[]")), b"[]"),
        (lambda seen: reply(200, response_to(seen, b" { } ")), b"{}"),
        (lambda seen: reply(200, response_to(seen, FOUND), content_type=b"application/json; charset=utf-8"), FOUND),
        (lambda seen: stream(b": a\n\n", event(b""), event(response_to(seen, FOUND), b"\r\n")), FOUND),
    ],
)
async def test_a_response_is_taken_before_its_status(says: Says, answer: int | bytes) -> None:
    async with attached(era="new") as client:
        client.host.says("tools/call", says)
        found_answer = await client.answered(call())
        if isinstance(answer, bytes):
            assert found_answer == McpAnswer(result=answer)
        else:
            assert json.loads(found_answer.error or b"{}")["code"] == answer


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.parametrize(
    "says",
    [
        lambda _seen: reply(200, b""),
        lambda _seen: reply(200, b"{"),
        lambda _seen: reply(200, b"{}"),
        lambda _seen: reply(200, b'{"jsonrpc":"2.0","id":99999,"result":{}}'),
        lambda _seen: reply(200, b'{"jsonrpc":"2.0","id":null,"result":{}}'),
        lambda _seen: reply(202, b"", content_type=None),
        lambda _seen: reply(200, b"text", content_type=b"text/plain"),
        lambda seen: reply(200, response_to(seen, FOUND), content_type=None),
        lambda seen: reply(200, b"[%b]" % response_to(seen, FOUND)),
        lambda seen: reply(200, response_to(seen, b'"\xff"')),
        lambda seen: reply(200, response_to(seen, b'"\\ud800"')),
        lambda _seen: stream(event(b"{"), event(b'{"jsonrpc":"2.0","id":99999,"result":{}}')),
        lambda seen: stream(event(b"[%b]" % response_to(seen, FOUND))),
    ],
)
async def test_a_success_that_holds_no_response_to_this_call_is_invalid(says: Says, era: str) -> None:
    async with attached(era=era) as client:
        client.host.says("tools/call", says)
        assert failure_of(await client.answered(call())) == (Failure.INVALID, True)


@pytest.mark.req("gateway/P11", "gateway/X6")
@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.parametrize(
    "before",
    [
        (),
        (event(LIST_CHANGED),),
        (event(b'{"jsonrpc":"2.0","id":99999,"result":{}}'),),
        (b'data: {"jsonrpc":"2.0","id":1,"result":{}}',),
    ],
)
async def test_a_stream_that_ends_before_the_response_leaves_it_open_what_the_tool_did(
    before: Answer, era: str
) -> None:
    async with attached(era=era) as client:
        client.host.says("tools/call", stream(*before))
        assert failure_of(await client.answered(call())) == (Failure.UNREACHABLE, True)


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_after_the_response_a_stream_that_goes_on_is_not_waited_for_and_nothing_is_cancelled() -> None:
    async with attached(era="old", max_concurrent=1) as client:
        later = (event(response_to_other()), event(progress_of(1)), Hang())
        client.host.says("tools/call", lambda seen: stream(event(response_to(seen, FOUND)), *later), found)
        async with asyncio.timeout(5):
            assert await client.answered(call(seconds=30.0)) == OVER
        await eventually(lambda: client.client.usage()["mcp"].active == 0)  # the stream is given a second to end
        assert await client.answered(call()) == OVER
        assert client.host.of("notifications/cancelled") == []


def response_to_other() -> bytes:
    return b'{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}'


def progress_of(token: object) -> bytes:
    return notification("notifications/progress", {"progressToken": token, "progress": 1})


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_a_stream_that_ends_leaves_its_connection_to_the_next_call() -> None:
    async with attached(era="new") as client:
        client.host.says("tools/call", lambda seen: stream(event(response_to(seen, FOUND))))
        for _ in range(3):
            assert await client.answered(call()) == OVER
            await eventually(lambda: client.client.usage()["mcp"].idle == 1)
        assert len({seen.request.connection for seen in client.host.of("tools/call")}) == 1


@pytest.mark.req("gateway/P11")
async def test_progress_of_this_call_is_told_and_no_other() -> None:
    async with attached(era="new") as client:

        def says(seen: Heard) -> Answer:
            mine = json.loads(json.dumps(seen.meta["progressToken"]))
            notices = [
                progress_of(str(mine)),
                progress_of(mine + 1),
                progress_of("theirs"),
                notification("notifications/progress", {"progress": 1}),
                notification("notifications/progress", {"progressToken": mine, "total": 3}),
                notification("notifications/progress", {"progressToken": mine, "progress": "1"}),
                progress(seen, 1.5, total=2, message="반", other=1),
                progress(seen, 2, total="x", message=None),
            ]
            return stream(*map(event, notices), event(response_to(seen, FOUND)))

        client.host.says("tools/call", says)
        going = client.start(call(meta=ASKED))
        assert await going.answer() == OVER
        assert going.progress == [b',"progress":1.5,"total":2,"message":"' + "반".encode() + b'"', b',"progress":2']


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("era", ["new", "old"])
async def test_a_notice_that_tools_have_changed_is_for_the_gateway_and_not_for_the_caller(era: str) -> None:
    async with attached(era=era) as client:
        client.host.says("tools/call", lambda seen: stream(event(LIST_CHANGED), event(response_to(seen, FOUND))))
        going = client.start(call(meta=ASKED))
        assert await going.answer() == OVER
        assert (client.changed, going.progress) == (["mcp"], [])


@pytest.mark.req("gateway/P11")
async def test_a_server_that_pings_in_the_middle_of_a_call_is_answered() -> None:
    gate = asyncio.Event()
    ping = b'{"jsonrpc":"2.0","id":"p","method":"ping"}'
    async with attached(era="old") as client:
        client.host.says("tools/call", lambda seen: stream(event(ping), Hold(gate), event(response_to(seen, FOUND))))
        going = client.start(call())
        pong = await client.host.hears("")
        assert (pong.json, pong.session) == ({"jsonrpc": "2.0", "id": "p", "result": {}}, b"s-1")
        gate.set()
        assert await going.answer() == OVER


@pytest.mark.req("gateway/P11", "gateway/X8")
@pytest.mark.parametrize("streams", [False, True])
async def test_a_handshake_server_is_told_that_a_call_is_cancelled(streams: bool) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(Hang()) if streams else (Hang(),))
        going = client.start(call())
        seen = await client.host.hears("tools/call")
        going.cancel()
        assert failure_of(await going.answer()) == (Failure.CANCELLED, True)
        told = await client.host.hears("notifications/cancelled")
        assert bytes(told.params["requestId"]) == seen.id
        assert (told.session, told.id) == (b"s-1", b"")
        assert client.client.usage()["mcp"].active == 0


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_a_stateless_server_sees_the_connection_close_and_hears_nothing() -> None:
    async with attached(era="new") as client:
        client.host.says("tools/call", stream(Hang()))
        going = client.start(call())
        await client.host.hears("tools/call")
        ended = client.host.connections - client.host.open_connections
        going.cancel()
        assert failure_of(await going.answer()) == (Failure.CANCELLED, True)
        await client.host.ended(ended + 1)
        await quiet(client)
        assert client.host.of("notifications/cancelled") == []


@pytest.mark.req("gateway/P11", "gateway/X11")
async def test_a_call_that_takes_too_long_is_ended_and_cancelled() -> None:
    async with attached(era="old") as client:
        await client.server.open(5.0)
        client.host.says("tools/call", lambda seen: stream(event(progress(seen, 1)), Hang()))
        answer = await client.answered(call(seconds=1.5, meta=ASKED))
        assert failure_of(answer) == (Failure.TIMEOUT, True)
        assert (await client.host.hears("notifications/cancelled")).session == b"s-1"


@pytest.mark.req("gateway/P11", "gateway/X4")
@pytest.mark.parametrize("streams", [False, True])
async def test_an_answer_over_the_bound_is_too_large_and_the_server_may_stop(streams: bool) -> None:
    async with attached(era="old", max_response_bytes=5000) as client:

        def says(seen: Heard) -> Answer:
            huge = response_to(seen, text("x" * 6000))
            return stream(event(huge), Hang()) if streams else reply(200, huge)

        client.host.says("tools/call", says)
        assert failure_of(await client.answered(call()))[0] is Failure.TOO_LARGE
        assert (await client.host.hears("notifications/cancelled")).session == b"s-1"


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_a_response_before_an_event_that_is_too_large_counts() -> None:
    async with attached(era="new", max_response_bytes=5000) as client:
        client.host.says("tools/call", lambda seen: stream(event(response_to(seen, FOUND)) + b"data: " + b"x" * 6000))
        assert await client.answered(call()) == OVER


@pytest.mark.req("gateway/P11", "threat/T22")
async def test_a_fault_of_ours_after_a_session_was_opened_ends_the_call_and_is_told() -> None:
    def send(request: UpstreamRequest, on_done: object, on_event: object = None) -> Cancel:
        raise RuntimeError("ours")

    async with attached(era="new") as client:
        going = Going()
        calls = McpCalls({"mcp": client.server}, send, SystemClock())
        calls.call(call(), going.ended, None)
        (task,) = calls.waiting
        assert failure_of(await going.answer()) == (Failure.UNREACHABLE, False)
        with pytest.raises(RuntimeError, match="ours"):
            await task
        await eventually(lambda: not calls.waiting)
