"""Telegrams over real sockets: what comes twice, late, cut or unasked reaches no caller (toolkit/B3)."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, Final

import pytest

from axhub.toolkit.config.settings import LengthField
from axhub.toolkit.connectors.http_context import carried
from axhub.toolkit.connectors.mci.pool import TcpTransport
from axhub.toolkit.errors import LegacyError
from support.desk import eventually
from support.mci_hosts import Host, Line, Script, echoing, system, with_digits

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


async def test_calls_after_each_other_use_one_connection() -> None:
    async with opened(echoing) as (transport, host):
        for number in range(5):
            telegram = with_digits(b"%d" % number)
            assert await ask(transport, telegram) == telegram
        assert host.connections == 1


async def test_the_length_is_written_over_what_stands_in_the_header() -> None:
    async with opened(echoing) as (transport, _):
        assert await ask(transport, b"????abc") == b"0007abc"


@pytest.mark.parametrize("pieces", [(0, 2, 12), (0, 4, 12), (0, 5, 6, 12), tuple(range(13))])
async def test_an_answer_in_pieces_is_put_together(pieces: tuple[int, ...]) -> None:
    async def dribbling(line: Line) -> None:
        while True:
            whole = await line.read()
            await line.send(*(whole[a:b] for a, b in pairwise(pieces)), pause=0.005)

    async with opened(dribbling) as (transport, host):
        assert await ask(transport) == QUESTION
        assert await ask(transport) == QUESTION
        assert host.connections == 1


async def test_two_answers_in_one_read_are_one_and_the_connection_is_closed() -> None:
    closed: list[bool] = []
    third = asyncio.Event()

    async def doubling(line: Line) -> None:
        telegram = await line.read()
        await line.send(telegram * 2)
        closed.append(await line.is_closed())
        if len(closed) == 3:
            third.set()

    async with opened(doubling) as (transport, host):
        for number in range(3):
            telegram = with_digits(b"%d" % number)
            assert await ask(transport, telegram) == telegram
        await third.wait()
        assert host.connections == 3
    assert closed == [True, True, True]


@pytest.mark.parametrize("surplus", [b"0", QUESTION, b"x" * 70_000])
async def test_bytes_after_an_answer_reach_nobody(surplus: bytes) -> None:
    sent = asyncio.Event()

    async def chatting(line: Line) -> None:
        while True:
            await line.send(await line.read())
            if line.number == 0:
                await line.send(surplus)
                sent.set()

    async with opened(chatting) as (transport, host):
        assert await ask(transport) == QUESTION
        await sent.wait()
        other = with_digits(b"another")
        assert await ask(transport, other) == other
        assert host.connections == 2


async def test_bytes_that_the_event_loop_has_not_read_yet_are_seen() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    transport = TcpTransport(system(listening.getsockname()[1]))
    try:
        first = asyncio.create_task(ask(transport))
        await asyncio.sleep(0.05)
        peer, _ = listening.accept()
        peer.sendall(QUESTION)
        assert await first == QUESTION
        peer.sendall(with_digits(b"late"))  # no step of the event loop lies between this and the next call
        second = asyncio.create_task(ask(transport))
        await asyncio.sleep(0.05)
        again, _ = listening.accept()
        again.sendall(with_digits(b"second"))
        assert await second == with_digits(b"second")
        peer.close()
        again.close()
    finally:
        await transport.close()
        listening.close()


async def fresh(script: Script) -> tuple[str, str]:
    """Return what a call is told on a connection that something came over before."""
    async with opened(script) as (transport, host):
        connection = await transport._connected()
        while connection.is_usable:
            assert host.connections < 2
            await asyncio.sleep(0.001)
        with pytest.raises(LegacyError) as caught:
            await connection.exchange(QUESTION)
        return caught.value.code, caught.value.message


async def test_a_greeting_is_no_answer() -> None:
    async def greeting(line: Line) -> None:
        await line.send(with_digits(b"hello"))
        await line.read()

    assert await fresh(greeting) == ("invalid_answer", "the system sent bytes before it was asked")


async def test_a_connection_that_the_host_ends_at_once_is_told() -> None:
    async def leaving(line: Line) -> None:
        line.close()

    assert await fresh(leaving) == ("unreachable", "the system ended the connection before it was asked")


async def test_an_idle_connection_that_the_host_ended_is_replaced() -> None:
    async def once(line: Line) -> None:
        await line.send(await line.read())

    async with opened(once) as (transport, host):
        assert await ask(transport) == QUESTION
        await asyncio.sleep(0.02)
        assert await ask(transport) == QUESTION
        assert host.connections == 2


ENDED: Final = ("unreachable", "the connection ended before the whole answer was there")
BROKEN: Final = ("unreachable", "the connection broke off before the whole answer was there")


@pytest.mark.parametrize("answer", [b"", b"00", b"0012", b"0012que"])
async def test_an_answer_that_is_cut_is_none(answer: bytes) -> None:
    async def cutting(line: Line) -> None:
        await line.read()
        await line.send(answer)

    async with opened(cutting) as (transport, _):
        assert await failure(transport) == ENDED


async def test_a_reset_is_told() -> None:
    async def resetting(line: Line) -> None:
        await line.read()
        await line.send(b"0012")
        await asyncio.sleep(0.02)
        line.reset()

    async with opened(resetting) as (transport, _):
        assert await failure(transport) == BROKEN


@pytest.mark.parametrize(
    ("length", "answer", "code", "message"),
    [
        (
            LengthField(kind="ascii", size=4),
            b"geheim",
            "invalid_answer",
            "the length field of the answer holds no number (ascii)",
        ),
        (
            LengthField(kind="ascii", size=4),
            b"0002geheim",
            "invalid_answer",
            "the length field of the answer says less than the bytes before its end",
        ),
        (
            LengthField(kind="ascii", size=4),
            b"9999geheim",
            "too_large",
            "the answer says that it has 9999 bytes, more than 1000",
        ),
        (
            LengthField(kind="big", size=4, place="prefix", includes_itself=False),
            b"\xff\xff\xff\xffgeheim",
            "too_large",
            "the answer says that it has 4294967295 bytes, more than 1000",
        ),
        (
            LengthField(kind="bcd", size=2, place="prefix"),
            b"\xaa\xaageheim",
            "invalid_answer",
            "the length field of the answer holds no number (bcd)",
        ),
    ],
)
async def test_a_length_that_is_none_or_too_large_closes_the_connection(
    length: LengthField, answer: bytes, code: str, message: str
) -> None:
    closed = asyncio.Event()

    async def garbling(line: Line) -> None:
        await line.send(answer) if line.number else None
        await asyncio.sleep(0.05)
        await line.send(answer)
        await line.is_closed()
        closed.set()

    async with opened(garbling, length=length, max_telegram_bytes=1000) as (transport, _):
        assert await failure(transport, b"0000" + b"x" * 8) == (code, message)
        await closed.wait()


@pytest.mark.parametrize(
    "length",
    [
        LengthField(kind="ascii", size=4),
        LengthField(kind="ascii", size=6, offset=5, includes_itself=False, correction=-5),
        LengthField(kind="big", size=2, offset=1),
        LengthField(kind="little", size=4, place="prefix", includes_itself=False),
        LengthField(kind="bcd", size=3, place="prefix", correction=3),
    ],
)
async def test_each_kind_of_length_goes_there_and_back(length: LengthField) -> None:
    async def echo(line: Line) -> None:
        while True:
            # Each variant ends the telegram with a mark, so that the host needs to know nothing about lengths.
            wire = b""
            while not wire.endswith(b"END"):
                wire += await line._reader.readexactly(1)
            await line.send(wire)

    async with opened(echo, length=length) as (transport, host):
        for number in range(3):
            answer = await ask(transport, b"%d0000000000000000END" % number)
            assert answer.endswith(b"000000END")
        assert host.connections == 1


async def test_without_a_length_each_call_has_a_connection_and_ends_its_stream() -> None:
    heard: list[bytes] = []

    async def until_the_end(line: Line) -> None:
        heard.append(await line.read_to_end())
        await line.send(b"ans", b"wer")

    async with opened(until_the_end, length=LengthField()) as (transport, host):
        assert await ask(transport, b"one") == b"answer"
        assert await ask(transport, b"two") == b"answer"
        assert (heard, host.connections) == ([b"one", b"two"], 2)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"", ("unreachable", "the connection ended before the whole answer was there")),
        (b"x" * 1001, ("too_large", "the answer has more than 1000 bytes")),
    ],
)
async def test_without_a_length_nothing_and_too_much_are_no_answers(answer: bytes, expected: tuple[str, str]) -> None:
    async def until_the_end(line: Line) -> None:
        await line.read_to_end()
        await line.send(answer)

    async with opened(until_the_end, length=LengthField(), max_telegram_bytes=1000) as (transport, _):
        assert await failure(transport, b"one") == expected


async def test_a_request_that_is_too_long_is_not_sent() -> None:
    async with opened(echoing, max_telegram_bytes=100) as (transport, host):
        assert await failure(transport, b"x" * 101) == (
            "invalid_request",
            "the telegram has 101 bytes, more than 100",
        )
        assert host.connections == 0


async def test_an_answer_that_cannot_be_read_closes_its_connection() -> None:
    def unreadable(_: bytes) -> bytes:
        raise LegacyError("invalid_answer")

    async with opened(echoing) as (transport, host):
        with pytest.raises(LegacyError):
            await transport.exchange(QUESTION, carried(None, new_request_id=False), unreadable)
        assert await ask(transport) == QUESTION
        assert host.connections == 2


async def test_a_late_answer_finds_its_connection_closed() -> None:
    closed: list[bool] = []

    async def slow(line: Line) -> None:
        while True:
            telegram = await line.read()
            if line.number == 0:
                await asyncio.sleep(1.5)
                await line.send(telegram)
                closed.append(await line.is_closed())
                return
            await line.send(telegram)

    async with opened(slow) as (transport, host):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await ask(transport, with_digits(b"first"))
        assert await ask(transport) == QUESTION
        await eventually(lambda: closed)
        assert await ask(transport) == QUESTION
        assert (host.connections, closed) == (2, [True])
