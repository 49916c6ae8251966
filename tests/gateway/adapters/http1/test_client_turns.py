"""What happens to calls within one turn of the loop: faults in taking an answer, connections that are being closed."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

import pytest

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.http1.client_connection import ClientConnection
from axhub.gateway.adapters.http1.limits import BundleLimits, PoolUsage
from axhub.gateway.ports import Failure, UpstreamAnswer
from support.wire import Step, close, hang, read, send, upstream
from support.wire_ends import BUNDLE, Caller, Exchange, calling

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood"
GOOD: list[Step] = [read(), send(OK)]


class OddError(Exception):
    """Raised where an answer is taken."""


def fail() -> None:
    raise OddError


@asynccontextmanager
async def reported() -> AsyncIterator[list[BaseException]]:
    """Collect what reaches the loop's exception handler."""
    loop, found = asyncio.get_running_loop(), list[BaseException]()
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _, context: found.append(context["exception"]))
    try:
        yield found
    finally:
        loop.set_exception_handler(before)


def unused_port() -> Origin:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return Origin("http", "127.0.0.1", sock.getsockname()[1])


WAYS: dict[str, list[Step]] = {
    "an answer": GOOD,
    "no HTTP": [read(), send(b"?")],
    "a closed connection": [read(), close()],
    "a time-out": [read(), hang()],
}


@pytest.mark.req("gateway/X9", "fault/F36")
@pytest.mark.parametrize("way", WAYS)
async def test_a_fault_in_taking_an_answer_is_reported_and_costs_neither_the_place_nor_the_next_call(way: str) -> None:
    kept = "an answer" in way
    async with (
        upstream(WAYS[way] + GOOD * kept, GOOD) as service,
        calling(limits=BundleLimits(1, 5)) as caller,
        reported() as faults,
    ):
        bad = caller.start(service.origin, timeout=0.1 if "time" in way else 20.0)
        bad.then = fail
        waiting = caller.start(service.origin, timeout=20.0)
        await bad.answer()
        assert (await waiting.answer()).body == b"good"
        assert [type(fault) for fault in faults] == [OddError]
        assert caller.usage == PoolUsage(0, 0, 1)
        assert len(service.peers) == (1 if kept else 2)


@pytest.mark.req("gateway/X9", "fault/F36")
async def test_a_fault_in_taking_a_failure_to_connect_or_a_cancellation_is_reported_too() -> None:
    async with (
        upstream([hang()]) as service,
        upstream([hang()]) as other,
        calling(limits=BundleLimits(1, 5)) as caller,
        reported() as faults,
    ):
        refused, queued, connecting, active = (
            caller.start(origin) for origin in (unused_port(), other.origin, other.origin, service.origin)
        )
        for exchange in (refused, queued, connecting, active):
            exchange.then = fail
        queued.cancel()
        await refused.answer()
        connecting.cancel()
        await (await service.peer()).saw(b"POST")
        active.cancel()
        assert len(faults) == 4
        assert caller.usage == PoolUsage(0, 0, 0)


def unused_connection(caller: Caller) -> ClientConnection:
    (connection,) = next(iter(caller.client._pools[BUNDLE]._idle.values()))
    return connection


CLOSING: dict[str, Callable[[ClientConnection], object]] = {
    "unused for too long": lambda connection: connection.expire(0.0),
    "closed by us": lambda connection: connection.abort(),
    "closed by the client": lambda connection: connection.abort(Failure.CANCELLED),
    "closed gently": lambda connection: cast("asyncio.Transport", connection._transport).close(),
}


@pytest.mark.req("gateway/X6", "gateway/X10")
@pytest.mark.parametrize("why", CLOSING)
async def test_a_connection_that_is_being_closed_takes_no_call(why: str) -> None:
    async with upstream(GOOD, GOOD) as service, calling() as caller:
        await caller.call(service.origin)
        CLOSING[why](unused_connection(caller))
        assert caller.usage.idle == (1 if "gently" in why else 0)
        again = caller.start(service.origin)  # in the same turn of the loop
        assert (await again.answer()).body == b"good"
        assert [peer.received.count(b"POST") for peer in service.peers] == [1, 1]


@pytest.mark.req("gateway/X4", "gateway/X8")
async def test_a_request_that_was_still_held_back_when_its_call_ended_was_not_sent() -> None:
    endings: dict[str, Callable[[Exchange], object]] = {
        "cancelled": lambda exchange: exchange.cancel(),
        "out of time": lambda _: connection.expire(0.0),
        "broken": lambda _: cast("asyncio.Transport", connection._transport).abort(),
    }
    for why, failure in zip(endings, (Failure.CANCELLED, Failure.TIMEOUT, Failure.UNREACHABLE), strict=True):
        async with upstream(GOOD, [hang()]) as service, calling() as caller:
            await caller.call(service.origin)
            connection = unused_connection(caller)
            other = caller.start(unused_port())  # with a second call under way, writes wait for the end of the turn
            exchange = caller.start(service.origin)
            assert caller.usage.idle == 0
            endings[why](exchange)
            assert await exchange.answer() == UpstreamAnswer(0, {}, b"", failure, sent=False)
            await other.answer()
            await service.ended(0)
            assert service.peers[0].received.count(b"POST") == 1
