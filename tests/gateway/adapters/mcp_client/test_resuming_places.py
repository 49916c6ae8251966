"""Calls that take up their stream again where the bundle has no place for them at the moment (gateway/P11, X9)."""

import asyncio
import itertools
from collections.abc import Callable

import pytest

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.mcp_client.calls import McpCalls
from axhub.gateway.adapters.mcp_client.resuming import MOST_FRUITLESS, Resuming
from axhub.gateway.ports import Cancel, Failure, UpstreamAnswer, UpstreamRequest
from gateway.adapters.mcp_client.resumed import BROKEN, place, rest, the_call, waits
from support.mcp_clients import FOUND, OVER, Attached, Going, attached, call, calls_of, failure_of
from support.mcp_hosts_wire import response_to, stream
from support.tool_service import Hold, reply
from support.wire import eventually


@pytest.mark.req("gateway/P11", "gateway/X9")
async def test_the_only_call_that_may_wait_tries_again_when_it_finds_no_place() -> None:
    """It does not stand in its own way: while it is sent, it does not wait."""
    gate = asyncio.Event()
    tried: list[bytes] = []
    async with attached(era="old", max_concurrent=1) as client:
        client.server.most_waiting = 1

        def send(
            request: UpstreamRequest,
            on_done: Callable[[UpstreamAnswer], None],
            on_event: Callable[[bytes], bool] | None = None,
        ) -> Cancel:
            if request.head.startswith(b"GET"):
                tried.append(request.head)
            return client.client.send(request, on_done, on_event)

        client.calls.send = send
        client.host.says(
            "tools/call", stream(place(retry=300)), lambda seen: (Hold(gate), *reply(200, response_to(seen, FOUND)))
        )
        client.host.says("GET", rest(client))
        await client.server.open(5.0)
        going = client.start(call())
        await waits(client)
        other = client.start(call(arguments=b'{"n":2}'))
        await eventually(lambda: len(tried) == 2)
        assert (going.answers, client.host.of("GET")) == ([], [])
        gate.set()
        assert await other.answer() == OVER
        assert await going.answer() == OVER
        assert not client.calls.waiting
        assert not client.calls.is_full(client.server)


@pytest.mark.req("gateway/P11", "gateway/X9")
async def test_a_call_that_finds_no_place_for_the_rest_tries_again_and_is_never_told_as_unsent() -> None:
    gate = asyncio.Event()
    async with attached(era="old", max_concurrent=1) as client:
        client.host.says(
            "tools/call", stream(place(retry=1000)), lambda seen: (Hold(gate), *reply(200, response_to(seen, FOUND)))
        )
        client.host.says("GET", rest(client))
        going = client.start(call())
        await waits(client)
        other = client.start(call(arguments=b'{"n":2}'))
        await client.host.hears("tools/call", 2)
        await asyncio.sleep(1.2)  # the time to reconnect is over; there is no place
        assert client.host.of("GET") == []
        gate.set()
        assert await other.answer() == OVER
        assert await going.answer() == OVER


def full_for(client: Attached, times: int, clock: ManualClock) -> tuple[McpCalls, list[float]]:
    """Return calls whose pool has no place for the first `times` requests for a rest, and when each was sent."""
    tried: list[float] = []

    def send(
        request: UpstreamRequest,
        on_done: Callable[[UpstreamAnswer], None],
        on_event: Callable[[bytes], bool] | None = None,
    ) -> Cancel:
        if request.head.startswith(b"GET"):
            tried.append(clock.monotonic())
            if len(tried) <= times:
                on_done(UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False))
                return lambda: None
        return client.client.send(request, on_done, on_event)

    return McpCalls({"mcp": client.server}, send, clock), tried


async def over(going: Going, clock: ManualClock, step: float) -> None:
    """Move the time by hand until a call is over."""
    async with asyncio.timeout(60):
        while not going.answers:
            clock.advance(step)
            await asyncio.sleep(0.001)


@pytest.mark.req("gateway/P11", "gateway/X9", "gateway/X11")
@pytest.mark.parametrize("times", [MOST_FRUITLESS - 1, MOST_FRUITLESS, 5 * MOST_FRUITLESS])
async def test_however_often_there_is_no_place_for_the_rest_of_a_call_it_comes_once_there_is_one(times: int) -> None:
    """Nor do these tries count as rounds that brought nothing: the server was not asked."""
    clock = ManualClock()
    async with attached(era="old") as client:
        calls, tried = full_for(client, times, clock)
        client.host.says("tools/call", stream(place(retry=0)))
        client.host.says("GET", *[stream()] * (MOST_FRUITLESS - 1), rest(client))
        going = Going()
        calls.call(call(seconds=3600.0), going.ended, None)
        await over(going, clock, 0.5)
        assert going.answers == [OVER]
        assert len(tried) == times + MOST_FRUITLESS
        assert len(calls_of(client.host)) == 1


@pytest.mark.req("gateway/P11", "gateway/X9", "gateway/X11")
@pytest.mark.parametrize("retry", [0, 2000, 20_000])
async def test_only_its_deadline_ends_a_call_that_finds_no_place_for_its_rest(retry: int) -> None:
    """The time that the server asked for is waited for once, and not before each try."""
    clock = ManualClock()
    async with attached(era="old") as client:
        calls, tried = full_for(client, 1_000_000, clock)
        client.host.says("tools/call", stream(place(retry=retry)))
        await client.server.open(5.0)
        going = Going()
        due = clock.monotonic() + 30.0
        calls.call(call(seconds=30.0), going.ended, None)
        await eventually(lambda: bool(calls.waiting))
        await over(going, clock, 0.05)
        assert failure_of(going.answers[0]) == (Failure.TIMEOUT, True)
        assert due - 0.5 <= tried[-1] <= clock.monotonic() <= due + 1.0
        pauses = [after - before for before, after in itertools.pairwise(tried)]
        assert max(pauses) <= 1.5
        assert len(tried) <= 5 + 30 - retry / 1000
        told = await client.host.hears("notifications/cancelled")
        assert bytes(told.params["requestId"]) == the_call(client).id
        assert (client.host.of("GET"), calls.waiting) == ([], {})


@pytest.mark.req("gateway/P11", "gateway/X9")
async def test_a_call_that_comes_back_from_the_queue_waits_again_even_if_its_place_was_taken_meanwhile() -> None:
    clock = ManualClock()
    async with attached(era="old") as client:
        client.server.most_waiting = 1
        back: list[Callable[[UpstreamAnswer], None]] = []

        def send(
            request: UpstreamRequest,
            on_done: Callable[[UpstreamAnswer], None],
            on_event: Callable[[bytes], bool] | None = None,
        ) -> Cancel:
            if request.head.startswith(b"GET") and not back:
                back.append(on_done)  # it stands in the queue
                return lambda: None
            return client.client.send(request, on_done, on_event)

        calls = McpCalls({"mcp": client.server}, send, clock)
        await client.server.open(5.0)
        client.host.says("tools/call", stream(place(b"e-1", retry=1000)), stream(place(b"e-2", retry=900_000)))
        client.host.says("GET", rest(client))
        going, other = Going(), Going()
        calls.call(call(seconds=3600.0), going.ended, None)
        await eventually(lambda: bool(calls.waiting))
        clock.advance(1.0)
        await eventually(lambda: bool(back))
        cancel = calls.call(call(seconds=3600.0), other.ended, None)
        await eventually(lambda: calls.is_full(client.server))
        back[0](UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False))
        await over(going, clock, 0.5)
        assert going.answers == [OVER]
        cancel()


FULL = UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False)
ENDED = UpstreamAnswer(200, {b"content-type": b"text/event-stream"}, b"")


@pytest.mark.req("gateway/P11", "gateway/X9", "gateway/X11")
def test_pauses_between_tries_grow_to_a_second_end_with_the_time_of_the_call_and_begin_anew_after_a_round() -> None:
    resuming = Resuming(event_id=b"e-1", seconds=5.0)
    assert resuming.next_pause(FULL, 100.0) is None  # nothing has been asked for yet
    assert resuming.next_pause(ENDED, 100.0) == 5.0
    assert [resuming.next_pause(FULL, 100.0) for _ in range(6)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert [resuming.next_pause(FULL, left) for left in (0.25, 0.0, -1.0)] == [0.25, None, None]
    assert (resuming.times, resuming.fruitless) == (1, 0)
    assert resuming.next_pause(ENDED, 100.0) == 5.0
    assert resuming.next_pause(FULL, 100.0) == 0.1
    assert (resuming.times, resuming.fruitless) == (2, 1)


@pytest.mark.req("gateway/P11", "gateway/X9", "threat/T02")
async def test_no_more_calls_wait_for_their_rest_than_may_wait_beside_the_places() -> None:
    async with attached(era="old") as client:
        client.server.most_waiting = 2
        client.host.says("tools/call", stream(place(retry=20_000)))
        await client.server.open(5.0)
        going = [client.start(call(seconds=30.0)) for _ in range(5)]
        await eventually(lambda: sum(bool(one.answers) for one in going) == 3)
        assert [failure_of(one.answers[0]) for one in going if one.answers] == [BROKEN] * 3
        for one in going:
            one.cancel()
        await eventually(lambda: not client.calls.waiting)
