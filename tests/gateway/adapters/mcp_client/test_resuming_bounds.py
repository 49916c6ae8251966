"""How often, how much and for how many calls the rest of an answer is asked for from an MCP server (gateway/P11)."""

import asyncio
from collections.abc import Callable

import pytest

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.mcp_client.calls import McpCalls
from axhub.gateway.adapters.mcp_client.resuming import MOST_FRUITLESS, Resuming
from axhub.gateway.domain.event_stream import EventReader, Marked
from axhub.gateway.ports import Failure, UpstreamAnswer
from gateway.adapters.mcp_client.resumed import BROKEN, place, rest, the_call
from support.mcp_clients import FOUND, OVER, Attached, Going, attached, call, calls_of, failure_of, found
from support.mcp_hosts import Heard
from support.mcp_hosts_wire import event, response_to, stream
from support.tool_service import Answer, Close, Hang, Reset


async def answered_at_once(client: Attached) -> Going:
    """Return a call of an hour that is over; time is moved by hand, so each of its waits is over at once."""
    clock = ManualClock()
    going = Going()
    calls = McpCalls({"mcp": client.server}, client.client.send, clock)
    calls.call(call(seconds=3600.0), going.ended, None)
    async with asyncio.timeout(60):
        while not going.answers:
            clock.advance(1.0)
            await asyncio.sleep(0.001)
    return going


@pytest.mark.req("gateway/P11", "threat/T19")
@pytest.mark.parametrize("brings", [b"", b"data:\n\n", b": x\n\n", b"retry: 0\n", b"id: e-1\n\n"], ids=repr)
async def test_a_server_that_brings_nothing_is_asked_a_bounded_number_of_times(brings: bytes) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(retry=0)))
        client.host.says("GET", stream(brings))
        going = await answered_at_once(client)
        assert failure_of(going.answers[0]) == BROKEN
        assert (len(client.host.of("GET")), len(calls_of(client.host))) == (MOST_FRUITLESS, 1)


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("every", [1, MOST_FRUITLESS - 1])
@pytest.mark.parametrize("brings", ["a new id", "data"])
async def test_a_server_that_brings_something_again_and_again_is_asked_until_it_answers(
    brings: str, every: int
) -> None:
    """Only rounds in a row that brought nothing are counted."""
    async with attached(era="old") as client:

        def says(_get: Heard) -> Answer:
            at = len(client.host.of("GET"))
            if at > 3 * MOST_FRUITLESS:
                return rest(client)(the_call(client))
            if at % every:
                return stream(place(b"e-%d" % (at // every)) if brings == "a new id" else place())
            return stream(place(b"e-%d" % (at // every)) if brings == "a new id" else event(b'{"jsonrpc":"2.0"}'))

        client.host.says("tools/call", stream(place(b"e-0", retry=0)))
        client.host.says("GET", says)
        going = await answered_at_once(client)
        assert going.answers == [OVER]
        assert len(calls_of(client.host)) == 1


ENDED = UpstreamAnswer(200, {b"content-type": b"text/event-stream"}, b"")


def noted(resuming: Resuming, said: bytes) -> None:
    """Have it take the events of a piece of a stream."""
    for data in EventReader(1000).feed(said):
        assert isinstance(data, Marked)
        resuming.note(data)


@pytest.mark.req("gateway/P11", "threat/T19")
@pytest.mark.parametrize(
    ("retry", "pauses"),
    [
        (0, [0.1, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]),
        (300, [0.3, 0.3, 0.3, 0.4, 0.8, 1.0, 1.0]),
        (2000, [2.0] * 7),
        (None, [1.0] * 7),
    ],
)
def test_the_least_pause_grows_to_a_second_while_nothing_comes_and_falls_back_once_something_does(
    retry: int | None, pauses: list[float]
) -> None:
    resuming = Resuming()
    noted(resuming, place(b"e-0", retry=retry))
    found = [resuming.next_pause(ENDED, 100.0)]
    noted(resuming, place(b"e-1", retry=retry))
    found += [resuming.next_pause(ENDED, 100.0) for _ in pauses[1:]]
    assert found == pauses
    resuming.take_data()
    assert resuming.next_pause(ENDED, 100.0) == pauses[0]
    assert resuming.next_pause(ENDED, 0.05) is None


@pytest.mark.req("gateway/P11", "threat/T19")
@pytest.mark.parametrize("brings", [b"retry: 0\n", b"retry: 0\n\n", b"data:\n\n", b": x\n\n"], ids=repr)
async def test_a_connection_that_breaks_before_an_id_or_data_came_is_not_asked_for_again(brings: bytes) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(retry=0)))
        client.host.says("GET", (*stream(brings, ends=False), Reset()))
        assert failure_of(await client.answered(call())) == BROKEN
        assert len(client.host.of("GET")) == 1


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("brings", [b"id: e-2\n\n", event(b'{"jsonrpc":"2.0"}')], ids=repr)
async def test_a_connection_that_breaks_after_an_id_or_data_is_asked_for_again(brings: bytes) -> None:
    async with attached(era="old") as client:
        client.host.says("tools/call", stream(place(retry=0)))
        client.host.says("GET", (*stream(brings, ends=False), Close()), rest(client))
        assert await client.answered(call()) == OVER
        assert len(client.host.of("GET")) == 2


@pytest.mark.req("gateway/P11", "gateway/X4")
async def test_too_large_a_rest_is_too_large() -> None:
    async with attached(era="old", max_response_bytes=5000) as client:
        client.host.says("tools/call", stream(place()))
        client.host.says("GET", stream(b"data: " + b"x" * 6000, Hang()))
        assert failure_of(await client.answered(call())) == (Failure.TOO_LARGE, True)


COMMENTS = (b": " + b"x" * 97 + b"\n") * 60
NOTHINGS = event(b'{"jsonrpc":"2.0"}') * 150
FILLS: dict[str, Callable[[bytes], bytes]] = {
    "comments before the place": lambda where: COMMENTS + where,
    "comments after it": lambda where: where + COMMENTS,
    "small events": lambda where: where + NOTHINGS,
    "events of its size": lambda where: where + event(b"x" * 4900) + where,
    "places": lambda where: where * 200,
}


@pytest.mark.req("gateway/P11", "gateway/X4", "threat/T19")
@pytest.mark.parametrize("fill", FILLS.values(), ids=FILLS)
async def test_all_streams_of_a_call_may_have_as_much_together_as_one(fill: Callable[[bytes], bytes]) -> None:
    async with attached(era="old", max_response_bytes=5000) as client:

        def says(_seen: Heard) -> Answer:
            return stream(fill(place(b"e-%d" % len(client.host.of("GET")), retry=0)))

        client.host.says("tools/call", says, found)
        client.host.says("GET", says)
        assert failure_of(await client.answered(call())) == (Failure.TOO_LARGE, True)
        told = await client.host.hears("notifications/cancelled")
        assert bytes(told.params["requestId"]) == the_call(client).id
        assert len(client.host.of("GET")) < 20_000 / len(fill(place(b"e-1", retry=0))) + 1
        assert client.client.usage()["mcp"].active == 0
        assert await client.answered(call()) == OVER


@pytest.mark.req("gateway/P11", "gateway/X4")
async def test_streams_that_are_together_within_the_bound_are_well_and_each_call_counts_for_itself() -> None:
    async with attached(era="old", max_response_bytes=5000) as client:

        def last(_get: Heard) -> Answer:
            return stream(COMMENTS + event(response_to(client.host.of("tools/call")[-1], FOUND)))

        for _ in range(3):
            client.host.says("tools/call", stream(COMMENTS + place(retry=0)))
            client.host.says("GET", stream(COMMENTS + place(b"e-2", retry=0)), last)
            assert await client.answered(call()) == OVER
