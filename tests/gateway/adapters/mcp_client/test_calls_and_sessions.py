"""Calls that have no session, or lose the one they have: who waits, who is sent again (gateway/P11)."""

import asyncio
import json
import time
from collections.abc import Callable

import msgspec
import pytest

from axhub.gateway.ports import Failure
from support.mcp_clients import (
    OVER,
    attached,
    call,
    calls_of,
    failure_of,
    found,
)
from support.mcp_hosts import Heard, listed
from support.mcp_hosts_wire import http_error, stream
from support.tool_service import Answer, Hang, Hold, reply
from support.wire import eventually

Says = Callable[[Heard], Answer]
NO_SESSION = http_error(400, b'{"code":-32000,"message":"Bad Request: No valid session ID provided"}')
ASKED = {"progressToken": msgspec.Raw(b'"theirs"')}


@pytest.mark.req("gateway/P11")
async def test_calls_that_find_no_session_share_the_opening_of_one() -> None:
    async with attached(era="old", max_concurrent=50) as client:
        sent = [b'{"n":%d}' % number for number in range(20)]
        answers = await asyncio.gather(*(client.answered(call(arguments=arguments)) for arguments in sent))
        texts = [json.loads(answer.result or b"")["content"][0]["text"] for answer in answers]
        assert [text.encode() for text in texts] == sent
        assert len(client.host.of("initialize")) == 1
        numbers = [int(seen.id) for seen in client.host.heard if seen.id]
        assert len(numbers) == len(set(numbers))


DEAD: dict[str, Answer] = {
    "404": http_error(404, b'{"code":-32001,"message":"Session not found"}'),
    "404 without a body": reply(404, b"", content_type=None),
    "400 that names no request": NO_SESSION,
    "400 that is no message": reply(400, b"Bad Request: No valid session ID provided", content_type=b"text/plain"),
    "400 without a body": reply(400, b"", content_type=None),
}


@pytest.mark.req("gateway/P11", "gateway/X6")
@pytest.mark.parametrize("name", DEAD)
async def test_a_call_whose_session_has_died_is_sent_once_more_in_a_new_one(name: str) -> None:
    async with attached(era="old") as client:
        client.host.unknown_session = DEAD[name]
        client.host.says("tools/call", found)
        assert await client.answered(call(arguments=b"{}")) == OVER
        client.host.lose_sessions()
        assert await client.answered(call(arguments=b'{ "a" : 1 }')) == OVER
        assert calls_of(client.host) == [(b"s-1", b"{}"), (b"s-1", b'{ "a" : 1 }'), (b"s-2", b'{ "a" : 1 }')]


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_many_calls_whose_session_has_died_share_one_new_one_and_each_is_sent_twice_at_most() -> None:
    async with attached(era="old", max_concurrent=50) as client:
        client.host.says("tools/call", found)
        assert await client.answered(call()) == OVER
        client.host.lose_sessions()
        answers = await asyncio.gather(*(client.answered(call(arguments=b"%d" % n)) for n in range(20)))
        assert answers == [OVER] * 20
        assert client.host.sessions == [b"s-1", b"s-2"]
        sent = [arguments for _, arguments in calls_of(client.host)[1:]]
        assert max(map(sent.count, sent)) <= 2


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_server_that_loses_each_session_at_once_is_not_asked_for_ever() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", NO_SESSION)
        answer = await client.answered(call())
        assert answer.http is not None
        assert answer.http.status == 400
        assert len(calls_of(client.host)) == 2


@pytest.mark.req("gateway/P11", "gateway/X6", "gateway/X9")
async def test_a_server_that_answers_so_in_a_fresh_session_too_does_not_lose_it_at_each_such_call() -> None:
    """Until a list finds the session gone: then the server has restarted, and 400 may mean that again."""
    async with attached(listed("find"), era="old") as client:
        client.host.unknown_session = NO_SESSION
        client.host.says("tools/call", NO_SESSION)
        for _ in range(3):
            answer = await client.answered(call())
            assert answer.http is not None
            assert answer.http.status == 400
        assert [session for session, _ in calls_of(client.host)] == [b"s-1", b"s-2", b"s-2", b"s-2"]
        client.host.says("tools/call", found)
        client.host.lose_sessions()
        assert (await client.answered(call())).http is not None
        assert (await client.source().pull("mcp", None)).failure is None
        client.host.lose_sessions()
        assert await client.answered(call()) == OVER
        assert client.host.sessions == [b"s-1", b"s-2", b"s-3", b"s-4"]


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_404_is_a_lost_session_whatever_a_server_says_by_400() -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", NO_SESSION)
        await client.answered(call())
        client.host.says("tools/call", found)
        client.host.lose_sessions()
        assert await client.answered(call()) == OVER
        assert client.host.sessions == [b"s-1", b"s-2", b"s-3"]


@pytest.mark.req("gateway/P11", "gateway/X6")
@pytest.mark.parametrize(("era", "sessions"), [("new", True), ("old", False)])
async def test_without_a_session_nothing_is_sent_again(era: str, sessions: bool) -> None:
    async with attached(era=era, sessions=sessions) as client:
        client.host.says("tools/call", reply(404, b"", content_type=None))
        answer = await client.answered(call())
        assert answer.http is not None
        assert (answer.http.status, len(calls_of(client.host))) == (404, 1)


@pytest.mark.req("gateway/P11", "gateway/X11")
@pytest.mark.parametrize("method", ["server/discover", "initialize", "notifications/initialized"])
async def test_opening_a_session_is_within_the_time_of_the_call(method: str) -> None:
    async with attached(era="old") as client:
        client.host.says(method, (Hang(),))
        async with asyncio.timeout(4):
            assert failure_of(await client.answered(call(seconds=0.2))) == (Failure.TIMEOUT, False)
        assert client.host.of("tools/call") == []


@pytest.mark.req("gateway/P11", "gateway/X4")
async def test_a_server_that_opens_no_session_was_not_reached() -> None:
    async with attached(era="old") as client:
        client.host.says("initialize", reply(403, b"secret"))
        assert failure_of(await client.answered(call())) == (Failure.UNREACHABLE, False)
        await client.host.stop()
        assert failure_of(await client.answered(call())) == (Failure.UNREACHABLE, False)


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_cancelling_while_a_session_is_opened_sends_nothing() -> None:
    gate = asyncio.Event()
    async with attached(era="new") as client:
        client.host.says("server/discover", lambda seen: (Hold(gate), *client.host.usually(seen)))
        gone, stays = client.start(call()), client.start(call(arguments=b'{"b":1}'))
        await client.host.hears("server/discover")
        gone.cancel()
        gone.cancel()
        assert failure_of(await gone.answer()) == (Failure.CANCELLED, False)
        gate.set()
        await stays.answer()
        assert calls_of(client.host) == [(None, b'{"b":1}')]


@pytest.mark.req("gateway/P11", "gateway/X9")
async def test_calls_stay_within_the_places_of_their_bundle() -> None:
    async with attached(era="new", max_concurrent=2) as client:
        client.host.says("tools/call", stream(Hang()))
        await client.server.open(5.0)
        first = [client.start(call()) for _ in range(2)]
        await client.host.hears("tools/call", 2)
        assert failure_of(await client.answered(call()))[0] is Failure.BUSY
        for going in first:
            going.cancel()
        client.host.says("tools/call", found)
        assert await client.answered(call()) == OVER


@pytest.mark.req("gateway/P11", "gateway/X9", "threat/T02")
async def test_as_many_calls_wait_for_a_session_as_may_and_for_as_long_as_opening_may_take() -> None:
    async with attached(era="old") as client:
        client.server.most_waiting, client.server.open_seconds = 3, 0.5
        client.host.says("server/discover", (Hang(),))
        client.host.says("initialize", (Hang(),))
        began = time.monotonic()
        going = [client.start(call(seconds=30.0)) for _ in range(20)]
        assert [failure_of(one.answers[0]) for one in going if one.answers] == [(Failure.BUSY, False)] * 17
        waited = [failure_of(await one.answer()) for one in going[:3]]
        assert waited == [(Failure.UNREACHABLE, False)] * 3
        assert time.monotonic() - began < 5
        await eventually(lambda: not client.calls.waiting)
        going = [client.start(call(seconds=30.0)) for _ in range(4)]
        assert [bool(one.answers) for one in going] == [False, False, False, True]
        for one in going:
            one.cancel()
        assert client.host.of("tools/call") == []


@pytest.mark.req("gateway/P11", "gateway/X9")
async def test_places_of_calls_that_wait_are_free_again_once_there_is_a_session() -> None:
    async with attached(era="old") as client:
        client.server.most_waiting = 3
        for _ in range(3):
            answers = await asyncio.gather(*(client.answered(call()) for _ in range(3)))
            assert all(answer.result for answer in answers)
            client.host.lose_sessions()
