"""Callers that are slow, silent, greedy or deceitful: refused in time, without a 500, and without harm to others."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import pytest

from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.ports import Cancel, HttpRequest, Reply, ReplyHead
from support.wire import Peer, drip, eventually, sleep
from support.wire_ends import OK, Core, caller, serving

GET = b"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /mcp HTTP/1.1\r\nHost: a\r\n"
NARROW = ServerLimits(max_body_bytes=1000)
HEADS = ServerLimits(head_seconds=1.0)
BODIES = ServerLimits(body_seconds=0.3)
STALLS = ServerLimits(write_stall_seconds=0.3)

CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
SMUGGLING = {
    "CL and TE": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "TE and CL": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "two CL": POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    "the same CL twice": POST + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
    "a list of CL": POST + b"Content-Length: 4, 4\r\n\r\nabcd",
    "CL +4": POST + b"Content-Length: +4\r\n\r\nabcd",
    "CL -4": POST + b"Content-Length: -4\r\n\r\nabcd",
    "CL 0x4": POST + b"Content-Length: 0x4\r\n\r\nabcd",
    "CL 4 4": POST + b"Content-Length: 4 4\r\n\r\nabcd",
    "CL empty": POST + b"Content-Length:\r\n\r\n",
    "CL with a full-width digit": POST + "Content-Length: \uff14\r\n\r\nabcd".encode(),
    "CL beyond 64 bits": POST + b"Content-Length: 99999999999999999999\r\n\r\n",
    "TE xchunked": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "TE chunked, gzip": POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "TE gzip, chunked": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "TE twice": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "TE identity": POST + b"Transfer-Encoding: identity\r\n\r\n",
    "TE behind a vertical tab": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "TE with a blank before the colon": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "TE on HTTP/1.0": b"POST /mcp HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "TE on a folded line": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "bare LF": b"POST /mcp HTTP/1.1\nHost: a\n\n",
    "bare LF in the head": b"POST /mcp HTTP/1.1\r\nHost: a\nX: y\r\n\r\n",
    "bare CR in the head": POST + b"X: a\rContent-Length: 4\r\n\r\n",
    "a folded line": POST + b"X: a\r\n b\r\n\r\n",
    "a line without a colon": POST + b"X\r\n\r\n",
    "a line without a name": POST + b": x\r\n\r\n",
    "a blank before the first name": b"POST /mcp HTTP/1.1\r\n Host: a\r\n\r\n",
    "NUL in a name": POST + b"X\x00: a\r\n\r\n",
    "NUL in a value": POST + b"X: \x00\r\n\r\n",
    "chunk size with 0x": CHUNKED + b"0x4\r\nabcd\r\n0\r\n\r\n",
    "chunk size with a sign": CHUNKED + b"+4\r\nabcd\r\n0\r\n\r\n",
    "chunk size with a blank": CHUNKED + b"4 \r\nabcd\r\n0\r\n\r\n",
    "chunk size beyond 64 bits": CHUNKED + b"fffffffffffffffff\r\n",
    "chunk without size": CHUNKED + b"\r\nabcd\r\n0\r\n\r\n",
    "chunk longer than its size": CHUNKED + b"4\r\nabcdX\r\n0\r\n\r\n",
    "chunk size line ends in LF": CHUNKED + b"4\nabcd\r\n0\r\n\r\n",
    "chunk ends in LF": CHUNKED + b"4\r\nabcd\n0\r\n\r\n",
    "last chunk ends in LF LF": CHUNKED + b"0\r\n\n",
    "LF in a chunk extension": CHUNKED + b"4;a\nb\r\nabcd\r\n0\r\n\r\n",
    "two Hosts": POST + b"Host: b\r\n\r\n",
    "no Host": b"POST /mcp HTTP/1.1\r\n\r\n",
    "Host with userinfo": b"POST /mcp HTTP/1.1\r\nHost: u@a\r\n\r\n",
    "Host of two words": b"POST /mcp HTTP/1.1\r\nHost: a b\r\n\r\n",
    "absolute form": b"POST http://a/mcp HTTP/1.1\r\nHost: a\r\n\r\n",
    "absolute form of another host": b"POST http://b/mcp HTTP/1.1\r\nHost: a\r\n\r\n",
    "authority form": b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
    "HTTP/0.9": b"GET /mcp\r\n\r\n",
    "HTTP/1.2": b"POST /mcp HTTP/1.2\r\nHost: a\r\n\r\n",
    "HTTP/2.0": b"POST /mcp HTTP/2.0\r\nHost: a\r\n\r\n",
    "unknown method": b"FROB /mcp HTTP/1.1\r\nHost: a\r\n\r\n",
    "a method in lower case": b"post /mcp HTTP/1.1\r\nHost: a\r\n\r\n",
    "control character in the target": b"POST /m\x01cp HTTP/1.1\r\nHost: a\r\n\r\n",
    "text beyond ASCII in the target": "POST /가 HTTP/1.1\r\nHost: a\r\n\r\n".encode(),
    "blank in the target": b"POST /m cp HTTP/1.1\r\nHost: a\r\n\r\n",
    "no target": b"POST HTTP/1.1\r\nHost: a\r\n\r\n",
}


@pytest.mark.req("input/B55", "input/B49", "gateway/P6", "threat/T15")
@pytest.mark.parametrize("name", SMUGGLING)
async def test_ambiguous_framing_is_answered_400_at_once_and_nothing_after_it_is_read(name: str) -> None:
    core = Core()
    async with serving(core) as server, caller(server) as peer:
        await peer.send(GET + SMUGGLING[name] + GET)
        text = await peer.until_end()
        assert text.startswith(b"HTTP/1.1 200 OK\r\n")
        assert text.count(b"HTTP/1.1 400 Bad Request\r\n") == 1
        assert text.count(b"HTTP/1.1 ") == 2
        assert b"\r\nConnection: close\r\n" in text
    assert len(core.requests) == 1


@pytest.mark.req("gateway/P6", "input/B55")
async def test_an_answer_to_a_bad_request_waits_for_the_answers_before_it() -> None:
    core = Core(answer=None)
    async with serving(core) as server, caller(server) as peer:
        await peer.send(GET + b"oops\r\n\r\n")
        await core.until(requests=1)
        await peer.send(b"more, and more" * 1000)
        core.pending[0](OK, b"{}")
        assert (await peer.message()).startswith(b"HTTP/1.1 200 OK\r\n")
        assert (await peer.until_end()).startswith(b"HTTP/1.1 400 Bad Request\r\n")


@pytest.mark.req("gateway/P6", "input/B42")
@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 1001\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n",
        b"Expect: 100-continue\r\nContent-Length: 9999\r\n\r\n",
    ],
)
async def test_a_caller_that_sends_too_much_still_gets_its_answer(head: bytes) -> None:
    """Without reading on, the bytes that are under way would turn the answer into a reset."""
    async with serving(Core(), limits=NARROW) as server, caller(server) as peer:
        await peer.send(POST + head)
        body = b"400\r\n" + b"x" * 1024 + b"\r\n"
        for _ in range(100):
            await peer.send(body)
            await asyncio.sleep(0)
        text = await peer.until_end()
        assert text.startswith(b"HTTP/1.1 413 ")
        assert b"Continue" not in text
        assert text.endswith(b"The request body is larger than 1000 bytes.")


@pytest.mark.req("gateway/P6", "input/B38")
async def test_a_head_over_its_limits_is_431() -> None:
    for flood in (b"X: " + b"x" * 40_000 + b"\r\n", b"X: 1\r\n" * 65, b"a:\r\n" * 20_000):
        async with serving(Core()) as server, caller(server) as peer:
            await peer.send(POST + flood + b"\r\n")
            text = await peer.until_end()
            assert text.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")


SLOW = {
    "silent": (b"", b"", None),
    "empty lines": (b"\r\n", b"\r\n", None),
    "slow head": (POST + b"X: ", b"y", b"head"),
    "slow request line": (b"POST /mc", b"p", b"head"),
}


@pytest.mark.req("input/B56", "gateway/P6", "threat/T17")
@pytest.mark.parametrize("name", SLOW)
async def test_a_slow_head_is_answered_408_at_its_deadline_and_a_silent_caller_just_closed(name: str) -> None:
    first, more, part = SLOW[name]
    before = asyncio.get_running_loop().time()
    async with serving(Core(), limits=HEADS) as server, caller(server) as peer:
        await peer.send(first)  # before the server has seen the connection: it is not silent
        dripping = asyncio.create_task(_drip_until_closed(peer, more))
        text = await peer.until_end()
        dripping.cancel()
        assert asyncio.get_running_loop().time() - before > 0.9
        if part is None:
            assert text == b""
        else:
            assert text.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
            assert b"The %b of the request" % part in text


async def _drip_until_closed(peer: Peer, data: bytes) -> None:
    """Send the same in small parts without end: what comes of it, comes of the deadline."""
    with contextlib.suppress(OSError):
        while True:
            await drip(data, 0.05)(peer)
            await asyncio.sleep(0.05)


@pytest.mark.req("input/B56", "gateway/P6")
async def test_a_slow_body_is_answered_408_at_its_own_deadline() -> None:
    async with serving(Core(), limits=BODIES) as server, caller(server) as peer:
        await sleep(0.1)(peer)
        before = asyncio.get_running_loop().time()
        await peer.send(POST + b"Content-Length: 1000000\r\n\r\n")
        dripping = asyncio.create_task(_drip_until_closed(peer, b"x"))
        text = await peer.until_end()
        dripping.cancel()
        assert asyncio.get_running_loop().time() - before > 0.25
        assert text.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert b"The body of the request" in text


@pytest.mark.req("input/B56")
async def test_time_that_the_core_takes_is_not_held_against_the_next_request() -> None:
    core = Core(answer=None)
    limits = ServerLimits(head_seconds=1.5, idle_seconds=0.2)
    async with serving(core, limits=limits) as server, caller(server) as peer:
        await peer.send(GET + b"GET /2 HTTP/1.1\r\nHos")
        await core.until(requests=1)
        await asyncio.sleep(limits.head_seconds + 0.3)
        core.pending[0](OK, b"{}")
        assert (await peer.message()).startswith(b"HTTP/1.1 200 OK\r\n")
        await peer.send(b"t: a\r\n\r\n")
        await core.until(requests=2)
        core.pending[1](OK, b"{}")
        assert (await peer.message()).startswith(b"HTTP/1.1 200 OK\r\n")
        before = asyncio.get_running_loop().time()
        assert await peer.until_end() == b""
        assert asyncio.get_running_loop().time() - before > 0.15


@pytest.mark.req("fault/F30", "input/B56", "threat/T17")
async def test_two_hundred_slow_callers_are_gone_in_time_and_good_ones_are_served_meanwhile() -> None:
    limits = ServerLimits(head_seconds=1.5)
    async with serving(Core(), limits=limits) as server:
        slow = [Peer(sock) for sock in _connect(server.port, 200)]
        for peer in slow:
            await peer.send(b"POST /mcp HTTP/1.1\r\nX: ")
        for _ in range(50):
            async with caller(server) as good:
                await good.send(GET)
                assert (await good.message()).startswith(b"HTTP/1.1 200 OK\r\n")
        ends = await asyncio.gather(*[peer.until_end() for peer in slow])
        assert all(text.startswith(b"HTTP/1.1 408 ") for text in ends)
        for peer in slow:
            peer.close()


def _connect(port: int, count: int) -> Iterator[socket.socket]:
    for _ in range(count):
        sock = socket.create_connection(("127.0.0.1", port))
        sock.setblocking(False)
        yield sock


@pytest.mark.req("input/B60", "gateway/P6")
async def test_a_caller_that_never_reads_four_megabytes_is_cut_off_at_the_write_deadline() -> None:
    body = b"x" * (4 << 20)
    core = Core(answer=body)
    async with serving(core, limits=STALLS) as server, caller(server) as peer:
        peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        before = asyncio.get_running_loop().time()
        await peer.send(GET * 10)
        await core.until(requests=1)
        await eventually(lambda: server.connections == 0)
        assert asyncio.get_running_loop().time() - before > 0.25
        assert len(core.requests) == 1, "nothing new is started for a caller that does not take its answer"


@pytest.mark.req("input/B60")
async def test_a_caller_that_reads_slowly_but_steadily_gets_everything() -> None:
    body = b"x" * (4 << 20)
    core = Core(answer=body)
    limits = ServerLimits(write_stall_seconds=2.0, idle_seconds=2.0)
    async with serving(core, limits=limits) as server, caller(server) as peer:
        await peer.send(GET + b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        before = asyncio.get_running_loop().time()
        size = 0
        while size < len(body):
            size += len(await peer.receive())
            await asyncio.sleep(0.04)
        assert asyncio.get_running_loop().time() - before > 2.2
        text = await peer.until_end()
        assert text.count(b"HTTP/1.1 200 OK\r\n") == 2
        assert len(text.partition(b"Connection: close")[2]) > len(body)


@pytest.mark.req("gateway/P6")
async def test_callers_over_the_limit_are_told_503_and_a_place_that_is_free_again_is_used() -> None:
    limits = ServerLimits(max_connections=2)
    async with serving(Core(), limits=limits) as server:
        async with caller(server) as first, caller(server) as second:
            for peer in (first, second):
                await peer.send(GET)
                assert (await peer.message()).startswith(b"HTTP/1.1 200 OK\r\n")
            async with caller(server) as third:
                await third.send(GET)
                assert (await third.until_end()).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            await second.send(GET)
            assert (await second.message()).startswith(b"HTTP/1.1 200 OK\r\n")
        await eventually(lambda: server.connections == 0)
        async with caller(server) as peer:
            await peer.send(GET)
            assert (await peer.message()).startswith(b"HTTP/1.1 200 OK\r\n")


async def test_far_too_many_callers_are_cut_off_without_a_word() -> None:
    limits = ServerLimits(max_connections=1, linger_seconds=2.0)
    async with serving(Core(), limits=limits) as server:
        peers = [Peer(sock) for sock in _connect(server.port, 260)]
        assert await peers[-1].until_end() == b""
        assert server.connections <= 257
        assert (await peers[1].receive()).startswith(b"HTTP/1.1 503 ")
        for peer in peers:
            peer.close()


async def test_a_handler_that_raises_leaves_a_report_and_an_answer() -> None:
    reports: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context["message"]))

    def handler(request: object, reply: object) -> None:
        raise RuntimeError

    try:
        async with serving(handler) as server, caller(server) as peer:
            await peer.send(GET + GET)
            text = await peer.until_end()
            assert text.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            assert text.count(b"HTTP/1.1 ") == 1
    finally:
        asyncio.get_running_loop().set_exception_handler(None)
    assert reports == ["The handler of a request failed."]


async def test_a_cancel_that_raises_leaves_a_report_and_the_connection() -> None:
    reports: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context["message"]))
    pending: list[Reply] = []

    def cancel() -> None:
        pending[0](ReplyHead(200), b"{}")
        raise RuntimeError

    def handler(request: HttpRequest, reply: Reply) -> Cancel:
        pending.append(reply)
        return cancel

    try:
        async with serving(handler) as server, caller(server) as peer:
            await peer.send(GET)
            await eventually(lambda: len(pending) == 1)
            peer.half_close()
            assert (await peer.until_end()).endswith(b"{}")
    finally:
        asyncio.get_running_loop().set_exception_handler(None)
    assert reports == ["Cancelling a request failed."]
