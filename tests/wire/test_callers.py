"""Callers that are odd but honest: pipelines, old versions, half closes, disconnects, offers of other protocols."""

import asyncio
import contextlib
import socket

import pytest

from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.ports import ReplyHead
from support.tries import kept
from support.wire import Peer
from support.wire_ends import OK, Core, caller, serving

GET = b"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"


async def answer(peer: Peer) -> tuple[int, bytes]:
    """Take one answer: its status and body."""
    head, _, body = (await peer.message()).partition(b"\r\n\r\n")
    return int(head.split()[1]), body


@pytest.mark.req("input/B58", "gateway/P6")
async def test_a_thousand_pipelined_requests_are_answered_in_order_one_at_a_time() -> None:
    core = Core(answer=None)
    async with serving(core) as server, caller(server) as peer:
        sending = asyncio.create_task(
            peer.send(b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % number for number in range(1000)))
        )
        for number in range(1000):
            await core.until(requests=number + 1)
            assert len(core.requests) == number + 1
            assert server.in_flight == 1
            assert core.requests[number].path == b"/%d" % number
            core.pending[number](OK, b"%d" % number)
            assert await answer(peer) == (200, b"%d" % number)
        await sending


@pytest.mark.req("input/B58")
async def test_a_thousand_pipelined_requests_that_are_answered_at_once_are_answered_in_order() -> None:
    core = Core()
    async with serving(core) as server, caller(server) as peer:
        await peer.send(b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % number for number in range(1000)))
        for _ in range(1000):
            assert await answer(peer) == (200, b"{}")
        assert [request.path for request in core.requests] == [b"/%d" % number for number in range(1000)]


@pytest.mark.req("input/B58", "threat/T17")
async def test_a_hundred_pipelined_offers_of_another_protocol_are_answered_in_order() -> None:
    requests = [b"GET /%d HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n" % n for n in range(100)]
    core = Core()
    async with serving(core) as server, caller(server) as peer:
        await peer.send(b"".join(requests))
        peer.half_close()
        text = await peer.until_end()
    assert text.count(b"HTTP/1.1 200 OK") == 100
    assert [request.path for request in core.requests] == [b"/%d" % number for number in range(100)]


@pytest.mark.req("input/B58", "threat/T17")
async def test_a_burst_of_pipelined_requests_lets_other_callers_in_between() -> None:
    core = Core()
    async with serving(core) as server, caller(server) as greedy, caller(server) as modest:
        for peer in (greedy, modest):
            await peer.send(GET)
            assert await answer(peer) == (200, b"{}")
        greedy.sock.send(GET * 5000)
        modest.sock.send(b"GET /modest HTTP/1.1\r\nHost: a\r\n\r\n")
        assert await answer(modest) == (200, b"{}")
        assert [request.path for request in core.requests].index(b"/modest") < 1500


@pytest.mark.req("input/B58", "threat/T17")
async def test_a_caller_is_not_read_while_enough_of_its_requests_wait() -> None:
    core = Core(answer=None)
    padded = b"GET / HTTP/1.1\r\nHost: a\r\nX: %b\r\n\r\n" % (b"x" * 1000)
    async with serving(core) as server, caller(server) as peer:
        peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        sent = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                while sent < 20_000:
                    await peer.send(padded)
                    await asyncio.sleep(0)
                    sent += 1
        assert 16 < sent < 19_000
        assert len(core.requests) == 1
        core.answer = b"{}"
        core.pending[0](OK, b"{}")
        for _ in range(sent):
            assert await answer(peer) == (200, b"{}")


@pytest.mark.req("input/B57", "gateway/P6")
async def test_http_1_0_is_answered_and_closed() -> None:
    for extra in (b"", b"Connection: keep-alive\r\n"):
        async with serving(Core()) as server, caller(server) as peer:
            await peer.send(b"GET /mcp HTTP/1.0\r\n" + extra + b"\r\n" + GET)
            text = await peer.until_end()
            assert text.startswith(b"HTTP/1.1 200 OK\r\n")
            assert text.endswith(b"\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")


@pytest.mark.req("input/B57", "gateway/P6")
@pytest.mark.parametrize(
    "preface", [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"]
)
async def test_other_protocols_are_answered_400_and_closed(preface: bytes) -> None:
    core = Core()
    async with serving(core) as server, caller(server) as peer:
        await peer.send(preface)
        assert (await peer.until_end()).startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert core.requests == []


async def test_a_head_request_gets_the_head_of_the_answer_only() -> None:
    async with serving(Core(answer=b"12345")) as server, caller(server) as peer:
        await peer.send(b"HEAD /mcp HTTP/1.1\r\nHost: a\r\n\r\n" + GET)
        assert (await peer.until_text(b"\r\n\r\n")).endswith(b"Content-Length: 5\r\n\r\n")
        assert await answer(peer) == (200, b"12345")


@pytest.mark.parametrize("status", [204, 304])
async def test_answers_without_a_body_have_no_length(status: int) -> None:
    async with (
        serving(lambda _, reply: reply(ReplyHead(status), b"ignored")) as server,
        caller(server) as peer,
    ):
        await peer.send(GET)
        assert b"ength" not in await peer.until_text(b"\r\n\r\n")
        await peer.send(GET)
        assert (await peer.until_text(b"\r\n\r\n")).startswith(b"HTTP/1.1 %d" % status)


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 300_000])
@pytest.mark.parametrize("tail", [0, 70_000])
async def test_bodies_of_every_size_arrive_whole(size: int, tail: int) -> None:
    body, end = bytes(range(256)) * (size // 256 + 1), b"\xea\xb0\x80" * (tail // 3)
    async with serving(lambda _, reply: reply(OK, body[:size], end)) as server, caller(server) as peer:
        for _ in range(2):
            await peer.send(GET)
            assert await answer(peer) == (200, body[:size] + end)


@pytest.mark.req("input/B54", "gateway/P6")
async def test_a_caller_that_waits_to_be_told_to_go_on_is_told_once_and_in_order() -> None:
    core = Core(answer=None)
    waiting = b"POST /2 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    async with serving(core) as server, caller(server) as peer:
        await peer.send(GET + waiting)
        await core.until(requests=1)
        core.pending[0](OK, b"first")
        assert await answer(peer) == (200, b"first")
        assert await peer.until_text(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        await peer.send(b"{")
        await peer.send(b"}" + waiting + b"{}")  # this one does not wait: nothing to tell it
        for number in (1, 2):
            await core.until(requests=number + 1)
            core.pending[number](OK, b"{}")
            assert await answer(peer) == (200, b"{}")


@pytest.mark.req("input/B54")
async def test_a_request_that_offers_another_protocol_is_answered_on_this_one() -> None:
    core = Core()
    upgrade = b"POST /mcp HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 5\r\n\r\nhello"
    async with serving(core) as server, caller(server) as peer:
        for number in range(3):
            await peer.send(upgrade)
            assert await answer(peer) == (200, b"{}")
            assert core.requests[number].body == b"hello"


@pytest.mark.req("input/B53", "gateway/X2")
async def test_header_values_keep_every_byte_but_outer_blanks() -> None:
    core = Core()
    values = [b"\xed\x99\x8d\xea\xb8\xb8", b"caf\xe9", b"a  b\tc", b'"quoted"', b"x" * 20_000, b""]
    async with serving(core) as server, caller(server) as peer:
        for value in values:
            await peer.send(b"GET / HTTP/1.1\r\nHost: a\r\nGUID: \t" + value + b" \t\r\nemployee_no: 1\r\n\r\n")
            assert (await answer(peer))[0] == 200
    assert [request.headers[b"guid"] for request in core.requests] == values
    assert b"employee-no" not in core.requests[0].headers


@pytest.mark.req("input/B53", "threat/T10")
@pytest.mark.parametrize("value", [b"a\rb", b"a\nb", b"a\x00b", b"a\r\n b", b"a\x0bb", b"a\x7fb"])
async def test_control_characters_in_header_values_are_answered_400_and_closed(value: bytes) -> None:
    core = Core()
    async with serving(core) as server, caller(server) as peer:
        await peer.send(b"GET / HTTP/1.1\r\nHost: a\r\nguid: " + value + b"\r\n\r\n")
        assert (await peer.until_end()).startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert core.requests == []


@pytest.mark.req("gateway/X8", "input/B59", "threat/T20")
@pytest.mark.parametrize("way", ["close", "reset", "half_close"])
async def test_the_core_is_told_at_once_that_its_caller_has_gone(way: str) -> None:
    core = Core(answer=None)
    async with serving(core) as server:

        async def leaves() -> float:
            gone = len(core.cancelled)
            async with caller(server) as peer:
                await peer.send(POST)
                await core.until(requests=gone + 1)
                before = asyncio.get_running_loop().time()
                getattr(peer, way)()
                await core.until(cancelled=gone + 1)
                took = asyncio.get_running_loop().time() - before
                core.pending[gone](OK, b"late")
            return took

        await kept(0.1, leaves)


@pytest.mark.req("gateway/X8", "input/B59")
async def test_after_a_half_close_every_request_is_still_answered_and_the_core_told_for_each() -> None:
    core = Core(answer=None)
    async with serving(core) as server, caller(server) as peer:
        await peer.send(POST + POST)
        peer.half_close()
        for number in range(2):
            await core.until(cancelled=number + 1)
            core.pending[number](OK, b"%d" % number)
        text = await peer.until_end()
        assert text.count(b"HTTP/1.1 200 OK") == 2
        assert text.count(b"Connection: close") == 1
        assert text.endswith(b"Connection: close\r\nContent-Length: 1\r\n\r\n1")


@pytest.mark.req("gateway/X8")
async def test_a_core_that_never_answers_a_half_closed_caller_holds_it_for_a_bounded_time() -> None:
    core = Core(answer=None)
    limits = ServerLimits(half_closed_seconds=0.1)
    async with serving(core, limits=limits) as server, caller(server) as peer:
        await peer.send(POST)
        peer.half_close()
        assert await peer.until_end() == b""
        assert server.in_flight == 0


@pytest.mark.req("input/B59")
@pytest.mark.parametrize("data", [b"P", b"POST /mcp HTTP/1.1\r\nHos", POST[:-1]])
async def test_a_caller_that_leaves_in_the_middle_of_a_request_leaves_nothing_behind(data: bytes) -> None:
    core = Core()
    async with serving(core) as server:
        for way in ("close", "reset"):
            async with caller(server) as peer:
                await peer.send(data)
                getattr(peer, way)()
        async with caller(server) as peer:
            await peer.send(data)
            peer.half_close()
            assert (await peer.until_end()).startswith(b"HTTP/1.1 400 Bad Request\r\n")
        async with caller(server) as peer:
            peer.half_close()
            assert await peer.until_end() == b""
    assert core.requests == []


@pytest.mark.req("input/B59", "fault/F36")
async def test_three_hundred_callers_that_leave_at_once_leave_no_request_in_flight() -> None:
    core = Core(answer=None)
    async with serving(core) as server:
        peers = []
        for _ in range(300):
            sock = socket.create_connection(("127.0.0.1", server.port))
            sock.setblocking(False)
            peers.append(Peer(sock))
            sock.send(POST)
        await core.until(requests=300)
        assert server.in_flight == server.connections == 300
        for peer in peers:
            peer.reset()
        await core.until(cancelled=300)
        assert server.in_flight == 0


async def test_a_second_answer_to_one_request_is_not_sent() -> None:
    core = Core(answer=None)
    async with serving(core) as server, caller(server) as peer:
        await peer.send(GET)
        await core.until(requests=1)
        core.pending[0](OK, b"1")
        core.pending[0](OK, b"2")
        assert await answer(peer) == (200, b"1")
        await peer.send(GET)
        await core.until(requests=2)
        core.pending[1](OK, b"3")
        assert await answer(peer) == (200, b"3")
