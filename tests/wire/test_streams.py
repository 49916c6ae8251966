"""Answers in pieces: how they are framed, and what comes behind them (gateway/P9, RFC 9112 section 7.1)."""

import asyncio

import pytest

from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.ports import ReplyHead
from support.wire_ends import OK
from support.wire_streams import CHUNKED, EVENTS, GET, parsed, streaming

pytestmark = pytest.mark.req("gateway/P9")


async def test_each_piece_is_sent_at_once_as_a_chunk_and_the_connection_goes_on_after_the_last() -> None:
    async with streaming() as (core, server, peer):
        reply = core.pending[0]
        reply(EVENTS, b"one", more=True)
        head = await peer.until_text(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\nDate: ")
        assert head.endswith(CHUNKED)
        assert b"Connection" not in head
        assert await peer.until(8) == b"3\r\none\r\n"
        reply(OK, b"0123456789", b"abcdef", more=True)
        assert await peer.until(22) == b"10\r\n0123456789abcdef\r\n"
        reply(OK, b"end")
        assert await peer.until(13) == b"3\r\nend\r\n0\r\n\r\n"
        await peer.send(GET)
        await core.until(requests=2)
        core.pending[1](OK, b"{}")
        assert (await peer.message()).endswith(b"Content-Length: 2\r\n\r\n{}")
        assert server.in_flight == 0
        assert core.cancelled == []


async def test_an_empty_piece_does_not_end_the_answer() -> None:
    async with streaming() as (core, _, peer):
        reply = core.pending[0]
        reply(EVENTS, b"", more=True)
        assert (await peer.until_text(b"\r\n\r\n")).endswith(CHUNKED)
        reply(EVENTS, b"", more=True)
        reply(EVENTS, b"x", more=True)
        assert await peer.until(6) == b"1\r\nx\r\n"
        reply(EVENTS, b"")
        assert await peer.until(5) == b"0\r\n\r\n"


async def test_a_thousand_pieces_arrive_in_order() -> None:
    async with streaming() as (core, _, peer):
        pieces = [b"data: %d %b\n\n" % (number, b"\xea\xb0\x80" * (number % 50)) for number in range(1000)]
        for piece in pieces[:-1]:
            core.pending[0](EVENTS, piece, more=True)
        core.pending[0](EVENTS, pieces[-1])
        text = await peer.until_text(b"\r\n0\r\n\r\n")
        assert parsed(text) == [(200, b"".join(pieces))]


@pytest.mark.parametrize("size", [65_535, 65_536, 900_000])
async def test_a_large_piece_arrives_whole(size: int) -> None:
    async with streaming() as (core, _, peer):
        for _ in range(3):
            core.pending[0](EVENTS, b"x" * size, more=True)
            while len(peer.received) < size:
                await peer.receive()
            peer.received.clear()
        core.pending[0](EVENTS, b"")


async def test_a_large_end_of_a_stream_is_no_reason_to_cut_its_caller() -> None:
    async with streaming() as (core, _, peer):
        core.pending[0](EVENTS, b"one", more=True)
        core.pending[0](EVENTS, b"x" * 4_000_000)
        assert parsed(await peer.until_text(b"\r\n0\r\n\r\n")) == [(200, b"one" + b"x" * 4_000_000)]


async def test_many_large_pieces_for_a_caller_that_takes_them_are_no_reason_to_cut_it() -> None:
    limits = ServerLimits(max_unsent_bytes=200_000)
    async with streaming(limits=limits) as (core, _, peer):
        taken = asyncio.create_task(peer.until_text(b"\r\n0\r\n\r\n"))
        for _ in range(40):
            core.pending[0](EVENTS, b"x" * 100_000, more=True)
            await asyncio.sleep(0.002)
        core.pending[0](EVENTS, b"")
        assert parsed(await taken) == [(200, b"x" * 4_000_000)]
        assert core.cancelled == []


@pytest.mark.req("input/B57")
@pytest.mark.parametrize("extra", [b"", b"Connection: keep-alive\r\n"])
async def test_a_caller_of_http_1_0_gets_the_pieces_as_they_are_and_the_end_of_the_connection(extra: bytes) -> None:
    async with streaming(b"GET /mcp HTTP/1.0\r\n" + extra + b"\r\n") as (core, server, peer):
        core.pending[0](EVENTS, b"one", more=True)
        head = await peer.until_text(b"\r\n\r\n")
        assert b"\r\nConnection: close\r\n" in head
        assert b"ransfer" not in head
        assert b"ength" not in head
        assert await peer.until(3) == b"one"
        core.pending[0](EVENTS, b"two")
        assert await peer.until_end() == b"two"
        assert server.in_flight == 0


async def test_a_caller_that_wants_the_connection_closed_gets_chunks_and_then_the_end() -> None:
    request = b"GET /mcp HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    async with streaming(request) as (core, _, peer):
        core.pending[0](EVENTS, b"one", more=True)
        core.pending[0](EVENTS, b"")
        text = await peer.until_end()
        assert b"\r\nConnection: close\r\n" in text
        assert text.endswith(b"\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n")


async def test_a_request_of_http_1_0_behind_it_does_not_change_how_a_stream_is_framed() -> None:
    async with streaming(GET + b"GET / HTTP/1.0\r\n\r\n") as (core, _, peer):
        core.pending[0](EVENTS, b"one", more=True)
        assert (await peer.until_text(b"\r\n\r\n")).endswith(CHUNKED)
        core.pending[0](EVENTS, b"")
        await core.until(requests=2)
        core.pending[1](EVENTS, b"two", more=True)
        core.pending[1](EVENTS, b"")
        text = await peer.until_end()
        assert text.startswith(b"3\r\none\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n")
        assert text.endswith(b"\r\n\r\ntwo")


async def test_a_head_that_asks_to_close_closes_after_the_last_piece() -> None:
    async with streaming(GET + GET) as (core, _, peer):
        core.pending[0](ReplyHead(200, close=True), b"one", more=True)
        core.pending[0](OK, b"")
        text = await peer.until_end()
        assert b"\r\nConnection: close\r\n" in text
        assert text.endswith(b"3\r\none\r\n0\r\n\r\n")
        assert len(core.requests) == 1


async def test_a_head_request_gets_the_head_of_the_stream_only() -> None:
    async with streaming(b"HEAD /mcp HTTP/1.1\r\nHost: a\r\n\r\n" + GET) as (core, _, peer):
        core.pending[0](EVENTS, b"one", more=True)
        core.pending[0](EVENTS, b"two")
        assert (await peer.until_text(b"\r\n\r\n")).endswith(CHUNKED)
        await core.until(requests=2)
        core.pending[1](OK, b"{}")
        assert (await peer.message()).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.req("input/B58")
async def test_pipelined_requests_wait_for_the_end_of_the_stream() -> None:
    async with streaming(GET + GET + GET) as (core, server, peer):
        for number in range(3):
            await core.until(requests=number + 1)
            assert (len(core.requests), server.in_flight) == (number + 1, 1)
            for piece in (b"a", b"b"):
                core.pending[number](EVENTS, piece, more=True)
                await asyncio.sleep(0.01)
                assert len(core.requests) == number + 1
            core.pending[number](EVENTS, b"%d" % number)
        text = await peer.until_text(b"1\r\n2\r\n0\r\n\r\n")
        assert parsed(text) == [(200, b"ab%d" % number) for number in range(3)]


async def test_pieces_after_the_last_one_are_not_sent() -> None:
    async with streaming() as (core, _, peer):
        core.pending[0](EVENTS, b"one", more=True)
        core.pending[0](EVENTS, b"two")
        core.pending[0](EVENTS, b"three", more=True)
        core.pending[0](EVENTS, b"four")
        await peer.until_text(b"\r\n0\r\n\r\n")
        await peer.send(GET)
        await core.until(requests=2)
        core.pending[1](OK, b"{}")
        assert (await peer.until_text(b"{}")).startswith(b"HTTP/1.1 200 OK\r\n")
