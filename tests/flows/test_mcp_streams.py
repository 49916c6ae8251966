"""Event streams of MCP servers: progress for whom it is meant, and streams that do not end well (gateway/P11)."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from axhub.gateway.adapters.http1.limits import PoolUsage
from support.callers import calling, is_error, text_of, until
from support.events import EventStream, asking
from support.gateway import NEW, RunningGateway, running, settings
from support.mcp_hosts import Heard, McpHost, listed, mcp_bundle, notification, progress, timed
from support.mcp_hosts_wire import END, chunk, event, joined, response_to, stream, text
from support.tool_service import Answer, Close, Drip, Hang, Hold, Reset, Send, Wait, reply
from support.tries import kept

UNREADABLE = "The tool gave an answer that cannot be read."
ERAS = pytest.mark.parametrize("era", ["new", "old"])


def usage(gateway: RunningGateway) -> PoolUsage:
    return gateway.gateway.client.usage()["mcp"]


def done(seen: Heard, said: str = "done") -> bytes:
    return event(response_to(seen, text(said, new=seen.new)))


async def read_to_end(answer: EventStream) -> bool:
    """Read what there is; say whether it ended as it should."""
    try:
        while await answer.block():
            pass
    except (asyncio.IncompleteReadError, ConnectionError):
        return False
    return answer.whole


ODD: dict[str, Callable[[Heard], Answer]] = {
    "comments between": lambda seen: stream(b": a\n\n", b":\n", done(seen), b": b\n\n"),
    "ids, names and times to reconnect": lambda seen: stream(b"id: 1\nretry: 5\nevent: x\n" + done(seen)),
    "an empty event first": lambda seen: stream(b"id: 1\ndata: \n\n", done(seen)),
    "lines that end with CRLF": lambda seen: stream(done(seen).replace(b"\n", b"\r\n")),
    "lines that end with CR": lambda seen: stream(done(seen).replace(b"\n", b"\r")),
    "a byte order mark": lambda seen: stream(b"\xef\xbb\xbf" + done(seen)),
    "data in many lines": lambda seen: stream(done(seen).replace(b',"', b',\ndata: "')),
    "data without a blank": lambda seen: stream(done(seen).replace(b"data: ", b"data:")),
    "byte by byte": lambda seen: stream(*(done(seen)[at : at + 1] for at in range(len(done(seen))))),
    "no JSON before": lambda seen: stream(event(b"<html>"), event(b"[]"), event(b"null"), done(seen)),
    "the response to another before": lambda seen: stream(
        event(b'{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}'), done(seen)
    ),
    "an error of nobody before": lambda seen: stream(
        event(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}'), done(seen)
    ),
    "two responses": lambda seen: stream(done(seen), done(seen, "again")),
    "two responses in a packet": lambda seen: joined(stream(done(seen), done(seen, "again"))),
    "events after it": lambda seen: stream(done(seen), event(notification("notifications/message", {"data": 1}))),
    "an unknown notice before": lambda seen: stream(
        event(notification("notifications/message", {"data": 1})), done(seen)
    ),
    "notices of the wrong shape": lambda seen: stream(
        event(b'{"jsonrpc":"2.0","method":"notifications/progress","params":[]}'),
        event(b'{"jsonrpc":"2.0","method":"notifications/progress"}'),
        event(b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":7}'),
        done(seen),
    ),
    "until the connection ends": lambda seen: (
        Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n" + done(seen)),
        Close(),
    ),
    "with a length": lambda seen: reply(body=done(seen), content_type=b"Text/Event-Stream"),
    "reset after it": lambda seen: (*stream(done(seen), ends=False), Reset()),
}


@ERAS
@pytest.mark.req("gateway/P11", "gateway/X10", "gateway/X6")
async def test_however_the_one_response_is_put_into_a_stream_it_is_found_once(era: Any) -> None:
    async with McpHost(listed("t"), era=era) as host:
        async with running(settings(mcp_bundle(host))) as gateway, calling(gateway.port) as caller:
            for name, makes in ODD.items():
                host.says("tools/call", makes)
                for revision in ("2025-11-25", NEW):
                    answer = await caller.call("t", revision=revision)
                    assert (text_of(answer), is_error(answer)) == ("done", False), name
            await until(lambda: usage(gateway).active == 0)
        assert len(host.of("tools/call")) == 2 * len(ODD)


@ERAS
@pytest.mark.req("gateway/P11", "gateway/X9", "gateway/X10")
async def test_a_stream_that_never_ends_after_its_response_holds_the_place_for_a_second(era: Any) -> None:
    """The caller is answered at once; the place is free again within a second or so, and the connection is closed."""
    async with McpHost(timed("t", 20_000), era=era) as host:
        one = mcp_bundle(host, max_concurrent_calls=1, max_queued_calls=0)
        async with running(settings(one)) as gateway, calling(gateway.port) as caller:
            host.says("tools/call", lambda seen: stream(done(seen), Drip(b"5\r\n: a\n\n\r\n" * 1000, size=10)))

            async def answered() -> float:
                await until(lambda: usage(gateway).active == 0)
                began = time.monotonic()
                assert text_of(await caller.call("t")) == "done"
                return time.monotonic() - began

            await kept(0.5, answered, tries=5)
            assert usage(gateway).active == 1
            assert "busy" in text_of(await caller.call("t"))
            ended = host.connections - host.open_connections
            began = time.monotonic()
            await until(lambda: usage(gateway).active == 0)
            assert time.monotonic() - began < 5  # a second, and what a busy machine adds; the call had 20
            await host.ended(ended + 1)
            host.says("tools/call", host.usually)
            assert text_of(await caller.call("t", b'{"next":1}')) == '{"next":1}'


@ERAS
@pytest.mark.req("gateway/P11")
async def test_progress_of_callers_with_the_same_token_never_meets(era: Any) -> None:
    """Twelve at once, all with the token 1, old and new; each hears its own steps, in order, and its own result."""
    gate = asyncio.Event()

    def steps(seen: Heard) -> Answer:
        own = int(seen.json["params"]["arguments"]["n"])
        notices = [event(progress(seen, own * 100 + at, message=f"of {own}")) for at in range(3)]
        return stream(notices[0], Hold(gate), *notices[1:], done(seen, f"of {own}"))

    async with McpHost(timed("t", 20_000), era=era) as host, AsyncExitStack() as stack:
        host.says("tools/call", steps)
        gateway = await stack.enter_async_context(running(settings(mcp_bundle(host))))
        answers: list[EventStream] = []
        for number in range(12):
            params = {"name": "t", "arguments": {"n": number}, "_meta": {"progressToken": 1}}
            revision = NEW if number % 2 else "2025-11-25"
            answers.append(
                await stack.enter_async_context(asking(gateway.port, "tools/call", params, revision=revision))
            )
        gate.set()
        for number, answer in enumerate(answers):
            for at in range(3):
                params = (await answer.message())["params"]
                assert params == {"progressToken": 1, "progress": number * 100 + at, "message": f"of {number}"}
            assert (await answer.message())["result"]["content"][0]["text"] == f"of {number}"
        tokens = [seen.meta["progressToken"] for seen in host.of("tools/call")]
        assert len(set(tokens)) == 12


@pytest.mark.req("gateway/P11", "gateway/X10")
async def test_progress_that_names_another_call_is_told_to_nobody() -> None:
    async with McpHost(timed("t", 20_000), era="old") as host:

        def tells(seen: Heard) -> Answer:
            others = [b"1", b'"%b"' % seen.id, b"null", b"%b.0" % seen.id, b"[%b]" % seen.id]
            notice = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%b,"progress":5}}'
            return stream(*(event(notice % other) for other in others), event(progress(seen, 7)), done(seen))

        host.says("tools/call", tells)
        async with running(settings(mcp_bundle(host))) as gateway:
            params = {"name": "t", "_meta": {"progressToken": "mine"}}
            async with asking(gateway.port, "tools/call", params) as answer:
                assert (await answer.message())["params"] == {"progressToken": "mine", "progress": 7}
                assert "result" in await answer.message()


@pytest.mark.req("gateway/P11")
async def test_progress_that_says_nothing_readable_is_left_out() -> None:
    """What a client would refuse to read must not end its call."""
    async with McpHost(timed("t", 20_000)) as host:
        odd = [b'"half"', b"null", b"{}", b"[1]", b"true"]

        def tells(seen: Heard) -> Answer:
            start = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%b' % seen.id
            notices = [b'%b,"progress":%b}}' % (start, value) for value in odd]
            notices.append(start + b"}}")
            notices.append(start + b',"progress":1,"total":"many","message":5}}')
            return stream(*map(event, notices), done(seen))

        host.says("tools/call", tells)
        async with running(settings(mcp_bundle(host))) as gateway:
            params = {"name": "t", "_meta": {"progressToken": 1}}
            async with asking(gateway.port, "tools/call", params) as answer:
                assert (await answer.message())["params"] == {"progressToken": 1, "progress": 1}
                assert "result" in await answer.message()


def after_progress(end: Answer) -> Callable[[Heard], Answer]:
    return lambda seen: (*stream(event(progress(seen, 1)), ends=False), Wait(0.01), *end)


@pytest.mark.req("gateway/P11", "gateway/X4")
async def test_a_call_that_fails_after_progress_ends_its_callers_stream_with_the_error() -> None:
    async with McpHost(timed("t", 700), era="old") as host:
        ends: dict[str, Answer] = {
            "reset": (Reset(),),
            "silence": (Hang(),),
            "no response": (Send(END),),
            "no stream": (Send(b"zz\r\n"), Close()),
        }
        async with running(settings(mcp_bundle(host))) as gateway:
            for name, end in ends.items():
                host.says("tools/call", after_progress(end))
                for revision in ("2025-03-26", NEW):
                    params = {"name": "t", "_meta": {"progressToken": 1}}
                    async with asking(gateway.port, "tools/call", params, revision=revision) as answer:
                        assert (await answer.message())["method"] == "notifications/progress", name
                        result = (await answer.message())["result"]
                        assert result["isError"] is True
                        assert result.get("resultType") == ("complete" if revision == NEW else None)
                        assert await answer.block() == b""


@pytest.mark.req("gateway/P11", "threat/T19", "fault/F14")
async def test_a_flood_of_progress_reaches_a_caller_that_reads_and_costs_one_that_does_not_its_connection() -> None:
    async with McpHost(timed("t", 20_000)) as host:

        def tells(seen: Heard) -> Answer:
            size = seen.json["params"]["arguments"]["size"]
            notices = chunk(b"".join(event(progress(seen, at, message="x" * size)) for at in range(5000)))
            return (*stream(ends=False), Drip(notices, every=0, size=32_768), Send(chunk(done(seen)) + END))

        host.says("tools/call", tells)
        async with running(settings(mcp_bundle(host))) as gateway:
            meta = {"progressToken": 1}
            much, some = ({"name": "t", "arguments": {"size": size}, "_meta": meta} for size in (3000, 10))
            async with asking(gateway.port, "tools/call", much) as idle:
                await until(lambda: usage(gateway).active == 0)
                async with asking(gateway.port, "tools/call", some) as reads:
                    heard: list[int] = []
                    while "result" not in (message := await reads.message()):
                        heard.append(message["params"]["progress"])
                    assert heard == sorted(set(heard))  # of those that come in one piece, not all are passed on
                    assert (heard[0], heard[-1]) == (0, 4999)
                assert not await read_to_end(idle)
            await until(lambda: gateway.gateway.call_tool.in_flight == 0)


@ERAS
@pytest.mark.req("gateway/P11")
async def test_a_server_that_asks_its_client_on_the_stream_of_a_call_is_answered_apart_from_it(era: Any) -> None:
    """Alive, and able to do nothing else; in the stateless era there is nobody to answer, and the call goes on."""
    asks = [(b"1", "ping"), (b'"s-1"', "sampling/createMessage"), (b"-3", "roots/list"), (b"2.5", "elicitation/create")]

    def questions(seen: Heard) -> Answer:
        sent = [
            event(b'{"jsonrpc":"2.0","id":%b,"method":"%b","params":{}}' % (own, name.encode())) for own, name in asks
        ]
        return stream(*sent, Wait(0.05), done(seen))

    async with McpHost(listed("t"), era=era) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", questions)
        assert text_of(await gateway.call("t")) == "done"
        if era == "old":
            await host.hears("", len(asks))
        found = {seen.id: seen for seen in host.of("")}
        assert found.keys() == ({own for own, _ in asks} if era == "old" else set())
        for own, name in asks if era == "old" else ():
            said = found[own].json
            assert found[own].session == b"s-1"
            if name == "ping":
                assert said["result"] == {}
            else:
                assert said["error"]["code"] == -32601


@pytest.mark.req("gateway/P11", "threat/T04")
async def test_a_flood_of_questions_opens_no_flood_of_connections() -> None:
    """A server that asks faster than it takes answers must not use up what all bundles share."""
    async with McpHost(timed("t", 20_000), era="old") as host:
        gate = asyncio.Event()
        pings = b"".join(event(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number) for number in range(2000))
        host.says("", lambda seen: (Hold(gate), *reply(202, b"", content_type=None)))
        host.says("tools/call", lambda seen: stream(pings, done(seen)))
        async with running(settings(mcp_bundle(host))) as gateway:
            assert text_of(await gateway.call("t")) == "done"
            await host.hears("", 16)
            gate.set()
            await until(lambda: host.open_connections <= 1)
            assert len(host.of("")) == 16
            assert text_of(await gateway.call("t")) == "done"  # and once they have been taken, there are more
            await host.hears("", 20)


@pytest.mark.req("gateway/P11")
async def test_a_list_that_comes_as_events_is_read_to_its_own_response() -> None:
    async with McpHost(listed("t"), era="old") as host:

        def with_others(seen: Heard) -> Answer:
            (message,) = [step for step in host.respond(seen, host._result(seen)) if isinstance(step, Send)]
            body = message.data.partition(b"\r\n\r\n")[2]
            other = b'{"jsonrpc":"2.0","id":99999,"result":{"tools":[]}}'
            ping = b'{"jsonrpc":"2.0","id":"p","method":"ping"}'
            return stream(b"id: 1\ndata: \n\n", event(other), event(ping), event(b"<html>"), event(body), event(body))

        host.says("tools/list", with_others)
        async with running(settings(mcp_bundle(host))) as gateway:
            assert text_of(await gateway.call("t")) == "{}"
            await host.hears("")


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_streams_of_the_gateways_own_requests_need_not_end_and_keep_their_session() -> None:
    """Opening and five pages, none of which ends; waiting a second for each would outlast the pull."""
    async with McpHost(era="old") as host:

        def opened(seen: Heard) -> Answer:
            host.known.add(b"s-7")
            result = {"protocolVersion": "2025-11-25", "capabilities": {}}
            return stream(event(response_to(seen, result)), Hang(), headers=[(b"mcp-session-id", b"s-7")])

        def page(seen: Heard) -> Answer:
            at = int(seen.json["params"].get("cursor", "0"))
            more = {"nextCursor": str(at + 1)} if at < 4 else {}
            return stream(event(response_to(seen, {"tools": [listed(f"t_{at}")], **more})), Hang())

        host.says("initialize", opened)
        host.says("tools/list", page)
        async with running(settings(mcp_bundle(host))) as gateway:
            assert text_of(await gateway.call("t_4")) == "{}"
        assert {seen.session for seen in host.of("tools/list", "tools/call")} == {b"s-7"}
