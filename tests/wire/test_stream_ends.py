"""Answers in pieces to callers that leave, take nothing or too slowly, and their end with the server (gateway/P9)."""

import asyncio
import socket

import pytest

from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.ports import Cancel, HttpRequest, Reply
from support.wire import Peer, eventually
from support.wire_ends import Core, caller, serving
from support.wire_streams import EVENTS, GET, parsed, streaming

pytestmark = pytest.mark.req("gateway/P9")

QUICK = ServerLimits(write_stall_seconds=0.3, linger_seconds=0.2, half_closed_seconds=0.3, idle_seconds=30)


@pytest.mark.req("gateway/X8", "input/B59", "threat/T20")
@pytest.mark.parametrize("way", ["close", "reset", "half_close"])
async def test_the_core_is_told_of_a_caller_that_leaves_in_mid_stream(way: str) -> None:
    async with streaming(limits=QUICK) as (core, server, peer):
        core.pending[0](EVENTS, b"one", more=True)
        await peer.until_text(b"one\r\n")
        getattr(peer, way)()
        await core.until(cancelled=1)
        core.pending[0](EVENTS, b"two", more=True)
        core.pending[0](EVENTS, b"")
        assert server.in_flight == 0
        await eventually(lambda: server.connections == 0)
        assert core.cancelled == [0]


@pytest.mark.req("gateway/X8", "input/B59")
async def test_a_half_closed_caller_gets_what_is_still_written_and_the_end() -> None:
    async with streaming() as (core, _, peer):
        core.pending[0](EVENTS, b"one", more=True)
        peer.half_close()
        await core.until(cancelled=1)
        core.pending[0](EVENTS, b"two", more=True)
        core.pending[0](EVENTS, b"end")
        assert (await peer.until_end()).endswith(b"3\r\none\r\n3\r\ntwo\r\n3\r\nend\r\n0\r\n\r\n")


@pytest.mark.req("gateway/X8")
async def test_a_stream_that_never_ends_holds_a_half_closed_caller_for_a_bounded_time() -> None:
    async with streaming(limits=QUICK) as (core, server, peer):
        core.pending[0](EVENTS, b"one", more=True)
        peer.half_close()
        assert not (await peer.until_end()).endswith(b"0\r\n\r\n")
        assert server.in_flight == 0


@pytest.mark.req("input/B60", "threat/T17")
async def test_a_caller_that_leaves_too_much_waiting_is_cut_off_at_once() -> None:
    limits = ServerLimits(write_stall_seconds=3600)
    async with streaming(limits=limits) as (core, server, peer):
        peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sent = 0
        while not core.cancelled:
            core.pending[0](EVENTS, b"x" * 10_000, more=True)
            sent += 10_000
            assert sent < 20_000_000, "the system's own buffers come before our bound"
            await asyncio.sleep(0)
        assert sent > limits.max_unsent_bytes
        assert (server.connections, server.in_flight) == (0, 0)
        core.pending[0](EVENTS, b"late", more=True)
        core.pending[0](EVENTS, b"late")


@pytest.mark.req("input/B60", "threat/T17")
@pytest.mark.parametrize(
    "request_", [GET, GET + GET, GET[:-2] + b"Connection: close\r\n\r\n"], ids=["alone", "another waits", "the last"]
)
async def test_an_answer_that_ends_in_the_turn_in_which_its_caller_is_cut_off_does_no_harm(request_: bytes) -> None:
    limits = ServerLimits(write_stall_seconds=3600, max_unsent_bytes=100_000)
    async with streaming(request_, limits) as (core, server, peer):
        peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(2):
            core.pending[0](EVENTS, b"x" * 10_000_000, more=True)
        core.pending[0](EVENTS, b"end")
        await eventually(lambda: server.connections == 0)
        assert (server.in_flight, len(core.requests)) == (0, 1)


@pytest.mark.req("input/B60", "threat/T17")
@pytest.mark.parametrize("size", [500, 30_000], ids=["below the transport's mark", "above it"])
async def test_a_caller_that_takes_nothing_is_cut_off_at_the_write_deadline(size: int) -> None:
    async with streaming(limits=ServerLimits(write_stall_seconds=1.5)) as (core, server, peer):
        peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        loop = asyncio.get_running_loop()
        stalled_at = 0.0
        async with asyncio.timeout(20):
            while not core.cancelled:
                core.pending[0](EVENTS, b"x" * size, more=True)
                (transport,) = (connection._transport for connection in server._open())
                unsent = transport.get_write_buffer_size() if transport is not None else 0
                if unsent > (size if size > 1000 else 0):  # enough: from here on a comment now and then, as in life
                    stalled_at = stalled_at or loop.time()
                    size = 1
                    await asyncio.sleep(0.02)
                else:
                    await asyncio.sleep(0)
        assert loop.time() - stalled_at > 0.75  # what was taken last may have been taken a while before we looked
        assert server.in_flight == 0


@pytest.mark.req("input/B60")
async def test_a_caller_that_reads_slowly_but_steadily_gets_every_piece() -> None:
    limits = ServerLimits(write_stall_seconds=2.0, idle_seconds=2.0)
    async with streaming(limits=limits) as (core, _, peer):
        peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        loop = asyncio.get_running_loop()
        reply, start, total = core.pending[0], loop.time(), 0
        while loop.time() - start < 2.6:
            (connection,) = core_connections(core)
            if connection.get_write_buffer_size() < 500_000:
                reply(EVENTS, b"x" * 50_000, more=True)
                total += 50_000
            await peer.receive()
            await asyncio.sleep(0.01)
        reply(EVENTS, b"")
        assert parsed(await whole(peer)) == [(200, b"x" * total)]
        assert core.cancelled == []


def core_connections(core: Core) -> list[asyncio.Transport]:
    """Return the transports behind the core's replies (white box: how much waits in them)."""
    found = [reply.__self__._transport for reply in core.pending]  # type: ignore[attr-defined]  # a bound method
    return [transport for transport in found if transport is not None]


async def whole(peer: Peer) -> bytes:
    while not peer.received.endswith(b"\r\n0\r\n\r\n"):
        assert await peer.receive()
    return bytes(peer.received)


@pytest.mark.req("gateway/C6")
async def test_draining_waits_for_streams_and_closes_their_connections() -> None:
    async with streaming() as (core, server, peer), caller(server) as late:
        core.pending[0](EVENTS, b"one", more=True)
        await late.send(GET)
        await core.until(requests=2)
        assert server.in_flight == 2
        draining = asyncio.create_task(server.drain(10.0))
        await asyncio.sleep(0)
        core.pending[1](EVENTS, b"two", more=True)
        assert b"\r\nConnection: close\r\n" in await late.until_text(b"two\r\n")
        core.pending[0](EVENTS, b"more", more=True)
        for reply in core.pending:
            reply(EVENTS, b"end")
        for one in (peer, late):
            assert (await one.until_end()).endswith(b"3\r\nend\r\n0\r\n\r\n")
        assert await draining == 0
        assert server.in_flight == 0


@pytest.mark.req("gateway/C6")
async def test_streams_that_outlast_the_drain_are_cut_and_counted() -> None:
    async with streaming() as (core, server, peer):
        core.pending[0](EVENTS, b"one", more=True)
        assert await server.drain(0.1) == 1
        assert (await peer.until_end()).endswith(b"3\r\none\r\n")
        assert core.cancelled == [0]


async def test_a_stream_whose_handler_raises_is_broken_off_and_not_ended() -> None:
    reports: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context["message"]))

    def handler(request: HttpRequest, reply: Reply) -> Cancel:
        reply(EVENTS, b"one", more=True)
        raise RuntimeError

    try:
        async with serving(handler) as server, caller(server) as peer:
            await peer.send(GET + GET)
            text = await peer.until_end()
            assert text.count(b"HTTP/1.1 ") <= 1
            assert not text.endswith(b"0\r\n\r\n")
            await eventually(lambda: server.connections == 0)
            assert server.in_flight == 0
    finally:
        asyncio.get_running_loop().set_exception_handler(None)
    assert reports == ["The handler of a request failed."]


@pytest.mark.req("fault/F36")
async def test_five_hundred_streams_opened_and_left_leave_nothing_behind() -> None:
    core = Core(answer=None)
    async with serving(core) as server:
        peers = []
        for number in range(500):
            sock = socket.create_connection(("127.0.0.1", server.port))
            sock.setblocking(False)
            peers.append(Peer(sock))
            sock.send(GET)
            await core.until(requests=number + 1)
            core.pending[number](EVENTS, b"one", more=True)
        assert server.in_flight == server.connections == 500
        for number, peer in enumerate(peers):
            (peer.reset if number % 2 else peer.close)()
        await core.until(cancelled=500)
        for reply in core.pending:
            reply(EVENTS, b"")
        assert server.in_flight == 0
        await eventually(lambda: server.connections == 0)
