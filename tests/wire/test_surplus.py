"""Bytes where none belong: no caller ever gets another caller's answer (gateway/X10)."""

import asyncio

import pytest

from axhub.gateway.adapters.clock import ManualClock, SystemClock
from axhub.gateway.adapters.http1.client_connection import NO_REUSE_SECONDS
from axhub.gateway.adapters.http1.limits import BundleLimits
from axhub.gateway.ports import Failure
from support.wire import Step, read, read_some, send, sleep, upstream
from support.wire_ends import calling

GOOD = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood"
EVIL = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n"
ANSWERS = {"length": GOOD, "chunked": CHUNKED, "204": EMPTY}
SURPLUS = {
    "an answer": EVIL,
    "a byte": b"x",
    "half an answer": EVIL[:20],
    "a line end": b"\r\n",
    "a chunk": b"4\r\nEVIL\r\n",
}


@pytest.mark.req("gateway/X10", "input/B39", "threat/T18")
@pytest.mark.parametrize("surplus", SURPLUS)
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("pause", [0.0, 0.1])
async def test_surplus_in_the_same_packet_reaches_nobody(answer: str, surplus: str, pause: float) -> None:
    script: list[Step] = [read(), send(ANSWERS[answer] + SURPLUS[surplus])]
    async with upstream(script) as service, calling() as caller:
        for number in range(3):
            got = await caller.call(service.origin)
            assert got.failure is None
            assert got.body == (b"" if answer == "204" else b"good")
            await service.ended(number)
            if number == 0:
                await asyncio.sleep(pause)
        assert len(service.peers) == 3
        closing = [b"Connection: close" in peer.received for peer in service.peers]
        assert closing == [False, True, True]


@pytest.mark.req("gateway/X10", "input/B39", "threat/T18")
@pytest.mark.parametrize("surplus", SURPLUS)
@pytest.mark.parametrize("answer", ANSWERS)
async def test_surplus_that_comes_late_on_an_unused_connection_closes_it(answer: str, surplus: str) -> None:
    script: list[Step] = [read(), send(ANSWERS[answer]), sleep(0.05), send(SURPLUS[surplus])]
    async with upstream(script) as service, calling() as caller:
        for number in range(3):
            assert (await caller.call(service.origin)).body != b"EVIL"
            if number == 0:
                await asyncio.sleep(0.1)
            await service.ended(number)
        assert [b"Connection: close" in peer.received for peer in service.peers] == [False, True, True]


@pytest.mark.req("gateway/X10", "input/B39")
async def test_surplus_that_the_event_loop_has_not_seen_yet_is_seen_before_the_connection_is_used() -> None:
    async with upstream((read(), send(GOOD), read()), (read(), send(GOOD))) as service, calling() as caller:
        assert (await caller.call(service.origin)).body == b"good"
        service.peers[0].sock.send(EVIL)  # and in the same turn of the loop:
        exchange = caller.start(service.origin)
        assert (await exchange.answer()).body == b"good"
        assert service.peers[0].received.count(b"POST") == 1
        await service.ended(0)
        await caller.call(service.origin)
        assert b"Connection: close" in service.peers[-1].received


@pytest.mark.req("gateway/X10")
async def test_an_answer_before_the_request_is_wholly_written_is_not_believed() -> None:
    script: list[Step] = [read_some(), send(EVIL)]
    async with upstream(script, (read(), send(GOOD))) as service, calling() as caller:
        answer = await caller.call(service.origin, b"x" * (16 << 20))
        assert answer.failure is Failure.INVALID
        assert (await caller.call(service.origin)).body == b"good"
        assert b"Connection: close" in service.peers[1].received


@pytest.mark.req("gateway/X10")
async def test_after_ten_quiet_minutes_connections_are_used_again() -> None:
    clock = ManualClock()
    good: list[Step] = [read(), send(GOOD)]
    async with upstream((read(), send(GOOD + EVIL)), good, good * 2) as service, calling(clock=clock) as caller:
        for _ in range(2):
            await caller.call(service.origin)
        clock.advance(NO_REUSE_SECONDS - 1)
        await caller.call(service.origin)
        clock.advance(1)
        for _ in range(2):
            await caller.call(service.origin)
        assert [b"Connection: close" in peer.received for peer in service.peers] == [False, True, True, False]
        assert service.peers[3].received.count(b"POST") == 2


@pytest.mark.req("gateway/X10")
async def test_surplus_on_one_connection_closes_the_unused_ones_to_that_origin_and_no_others() -> None:
    held = asyncio.Event()

    async def wait(peer: object) -> None:
        await held.wait()

    good: list[Step] = [read(), wait, send(GOOD)]
    async with (
        upstream(good, (read(), wait, send(GOOD), sleep(0.05), send(b"x"))) as bad_service,
        upstream([read(), send(GOOD)]) as other_service,
        calling() as caller,
    ):
        exchanges = [caller.start(bad_service.origin) for _ in range(2)]
        await bad_service.peer(1)
        held.set()
        for exchange in exchanges:
            await exchange.answer()
        await caller.call(other_service.origin)
        assert caller.usage.idle == 3
        await bad_service.ended(0)
        await bad_service.ended(1)
        assert caller.usage.idle == 1


@pytest.mark.req("gateway/X10")
async def test_one_bundle_s_bad_origin_is_not_another_bundle_s_and_their_connections_are_apart() -> None:
    bundles = {"a": BundleLimits(), "b": BundleLimits()}
    good: list[Step] = [read(), send(GOOD)]
    scripts = ((read(), send(GOOD + EVIL)), good * 2, good * 2)
    async with upstream(*scripts) as service, calling(bundles=bundles, clock=SystemClock()) as caller:
        for bundle in ("a", "b", "b", "a"):
            assert (await caller.start(service.origin, bundle=bundle).answer()).body == b"good"
        assert [peer.received.count(b"POST") for peer in service.peers] == [1, 2, 1]
        assert [b"Connection: close" in peer.received for peer in service.peers] == [False, False, True]
