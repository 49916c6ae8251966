"""The connections of an MCI system: how many, for how long, and what becomes of those who wait (toolkit/B3)."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest

from axhub.toolkit.connectors.http_context import carried
from axhub.toolkit.connectors.mci.pool import TcpTransport
from axhub.toolkit.errors import LegacyError
from support.mci_hosts import Host, Line, Script, system, with_digits

pytestmark = pytest.mark.req("toolkit/B3")

QUESTION: Final = with_digits(b"question")


@asynccontextmanager
async def opened(script: Script, **more: Any) -> AsyncIterator[tuple[TcpTransport, Host]]:
    async with Host(script) as host:
        transport = TcpTransport(system(host.port, **more))
        try:
            yield transport, host
        finally:
            await transport.close()


async def ask(transport: TcpTransport, telegram: bytes = QUESTION) -> bytes:
    return await transport.exchange(telegram, carried(None, new_request_id=False), bytes)


async def failure(transport: TcpTransport, telegram: bytes = QUESTION) -> tuple[str, str]:
    with pytest.raises(LegacyError) as caught:
        await ask(transport, telegram)
    return caught.value.code, caught.value.message


async def test_a_call_that_is_cancelled_gives_its_place_back_and_leaves_the_others_alone() -> None:
    async def silent_once(line: Line) -> None:
        while True:
            telegram = await line.read()
            if telegram == with_digits(b"hang"):
                await line.is_closed()
                return
            await line.send(telegram)

    async with opened(silent_once, max_connections=1) as (transport, host):
        hanging = asyncio.create_task(ask(transport, with_digits(b"hang")))
        waiting = [asyncio.create_task(ask(transport, with_digits(b"%d" % number))) for number in range(3)]
        await asyncio.sleep(0.02)
        waiting[1].cancel()
        hanging.cancel()
        done = await asyncio.gather(hanging, *waiting, return_exceptions=True)
        assert [type(one) for one in done] == [asyncio.CancelledError, bytes, asyncio.CancelledError, bytes]
        assert done[1::2] == [with_digits(b"0"), with_digits(b"2")]
        assert host.connections == 2


async def test_no_more_connections_than_allowed_are_open_at_the_same_time() -> None:
    open_now, most = 0, 0

    async def counting(line: Line) -> None:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        try:
            while True:
                telegram = await line.read()
                await asyncio.sleep(0.002)
                await line.send(telegram)
        finally:
            open_now -= 1

    async with opened(counting, max_connections=3) as (transport, host):
        telegrams = [with_digits(b"%d" % number) for number in range(40)]
        assert await asyncio.gather(*(ask(transport, one) for one in telegrams)) == telegrams
        assert (most, host.connections) == (3, 3)


async def test_a_port_where_nobody_listens_is_told() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    listening.close()
    transport = TcpTransport(system(port))
    assert await failure(transport) == ("unreachable", "no connection")
    assert await failure(TcpTransport(system(1, host="no-such-host.invalid"))) == ("unreachable", "no connection")


async def test_a_host_that_does_not_take_connections_is_told_in_time() -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=0)
    address = listening.getsockname()
    taken = [socket.socket() for _ in range(3)]
    for one in taken:
        one.setblocking(False)
        one.connect_ex(address)
    transport = TcpTransport(system(address[1], connect_timeout_millis=50))
    assert await failure(transport) == ("timeout", "no connection in time")
    for one in (*taken, listening):
        one.close()


async def test_calls_that_wait_when_the_client_is_closed_fail() -> None:
    async def silent(line: Line) -> None:
        await line.is_closed()

    async with opened(silent, max_connections=1) as (transport, host):
        calls = [asyncio.create_task(failure(transport)) for _ in range(2)]
        await asyncio.sleep(0.02)
        await transport.close()
        assert await asyncio.gather(*calls) == [
            ("unreachable", "the connection was closed"),
            ("unreachable", "the client is closed"),
        ]
        assert host.connections == 1
