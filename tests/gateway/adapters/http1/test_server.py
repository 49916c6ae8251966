"""The server as its owner sees it: ports, gauges, draining, closing."""

import asyncio

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.server import Http1Server, ServerLimits
from axhub.gateway.ports import ReplyHead
from support.wire import eventually
from support.wire_ends import OK, Core, caller, render_refusal, serving

GET = b"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n"


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_a_port_that_is_taken_is_an_os_error() -> None:
    async with serving(Core()) as server:
        second = Http1Server(Core(), render_refusal, ServerLimits(), SystemClock())
        with pytest.raises(OSError, match="in use"):
            await second.start("127.0.0.1", server.port)


async def test_gauges_count_connections_and_requests() -> None:
    core = Core(answer=None)
    async with serving(core) as server, caller(server) as peer:
        await peer.send(GET)
        await core.until(requests=1)
        assert (server.connections, server.in_flight) == (1, 1)
        core.pending[0](OK, b"")
        await peer.message()
        assert (server.connections, server.in_flight) == (1, 0)
        peer.close()
        await eventually(lambda: server.connections == 0)


@pytest.mark.req("gateway/C6")
async def test_draining_lets_requests_end_closes_idle_connections_and_says_so() -> None:
    core = Core(answer=None)
    async with serving(core) as server, caller(server) as busy, caller(server) as idle, caller(server) as between:
        await busy.send(GET)
        await core.until(requests=1)
        for peer in (idle, between):
            await peer.send(GET)
        await core.until(requests=3)
        for number in (1, 2):
            core.pending[number](OK, b"{}")
        for peer in (idle, between):
            assert b"Connection: close" not in await peer.message()
        before = now()
        draining = asyncio.create_task(server.drain(5.0))
        await asyncio.sleep(0)
        await between.send(GET)  # was under way when draining began
        await core.until(requests=4)
        core.pending[3](OK, b"between")
        assert (await between.until_end()).endswith(b"\r\nConnection: close\r\nContent-Length: 7\r\n\r\nbetween")
        assert await idle.until_end() == b""
        assert 0.2 < now() - before < 4  # well before draining ends
        idle.close()
        between.close()
        await asyncio.sleep(0.05)
        assert not draining.done()
        core.pending[0](OK, b"late")
        assert (await busy.until_end()).endswith(b"\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlate")
        busy.close()
        assert await draining == 0
        with pytest.raises(ConnectionError):
            async with caller(server):
                pass


@pytest.mark.req("gateway/C6")
async def test_a_new_connection_accepted_while_draining_began_is_answered_or_closed_soon() -> None:
    async with serving(Core()) as server, caller(server) as silent, caller(server) as quick:
        await eventually(lambda: server.connections == 2)
        draining = asyncio.create_task(server.drain(5.0))
        await asyncio.sleep(0)
        await quick.send(GET + GET)
        assert (await quick.until_end()).count(b"200 OK") == 2
        assert await silent.until_end() == b""
        silent.close()
        quick.close()
        assert await draining == 0


@pytest.mark.req("gateway/C6")
async def test_what_has_not_ended_when_draining_ends_is_cut_and_counted() -> None:
    core = Core(answer=None)
    async with serving(core) as server, caller(server) as first, caller(server) as second, caller(server) as third:
        for peer in (first, second):
            await peer.send(GET)
        await third.send(b"GET /mcp HTTP/1.1\r\nHos")
        await core.until(requests=2)
        before = now()
        assert await server.drain(0.1) == 2
        assert now() - before > 0.09
        assert sorted(core.cancelled) == [0, 1]
        for peer in (first, second, third):
            assert await peer.until_end() == b""
        core.pending[0](OK, b"too late")


async def test_an_answer_head_can_ask_for_the_end_of_the_connection() -> None:
    closing = ReplyHead(429, ((b"Retry-After", b"1"),), close=True)
    async with serving(lambda _, reply: reply(closing, b"no")) as server, caller(server) as peer:
        await peer.send(GET * 1000)
        text = await peer.until_end()
        assert text.count(b"HTTP/1.1 429 Too Many Requests\r\n") == 1
        assert text.endswith(b"\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")


async def test_closing_an_unstarted_server_does_nothing() -> None:
    server = Http1Server(Core(), render_refusal, ServerLimits(), SystemClock())
    await server.close()
    assert await server.drain(0.0) == 0


async def test_a_caller_that_is_reset_while_it_is_answered_disturbs_nothing() -> None:
    body = b"x" * (4 << 20)
    core = Core(answer=body)
    async with serving(core) as server:
        for _ in range(20):
            async with caller(server) as peer:
                await peer.send(GET * 3)
                await peer.receive()
                peer.reset()
        await eventually(lambda: server.connections == 0)
        assert len(core.requests) >= 20
        async with caller(server) as peer:
            await peer.send(GET)
            assert (await peer.receive()).startswith(b"HTTP/1.1 200 OK\r\n")
