"""Looking names up: one that hangs holds up neither others nor the end of the process (gateway/X9, fault/F26)."""

import asyncio
import errno
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from axhub.gateway.adapters.name_lookups import MOST_AT_A_TIME, Addresses, Loop, NameLookups, ask_the_system
from support.callers import until
from support.names import Names
from support.private_authority import authority

pytestmark = pytest.mark.req("fault/F26")
NAMES = Names()


@pytest.fixture(scope="module")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return "asyncio", {"loop_factory": lambda: Loop(NameLookups(NAMES.ask))}


@pytest.fixture(autouse=True)
def names() -> Iterator[Names]:
    NAMES.reset()
    yield NAMES
    NAMES.reset()


@contextmanager
def looking_up(ask: Callable[[str], Addresses], most: int = MOST_AT_A_TIME) -> Iterator[NameLookups]:
    """Make look-ups whose threads end with the test."""
    lookups = NameLookups(ask, most)
    try:
        yield lookups
    finally:
        lookups.end()


def tasks(lookups: NameLookups, *hosts: str) -> list[asyncio.Task[tuple[str, ...]]]:
    return [asyncio.create_task(lookups.addresses(host)) for host in hosts]


@pytest.mark.req("gateway/X9")
async def test_a_name_that_hangs_takes_one_thread_however_often_it_is_asked_for(names: Names) -> None:
    names.known = {"slow": ("127.0.0.1",), "fast": ("127.0.0.2",)}
    names.hanging = {"slow"}
    with looking_up(names.ask) as lookups:
        waiting = tasks(lookups, *["slow"] * 100)
        await until(lambda: names.asked == ["slow"])
        assert [await lookups.addresses("fast") for _ in range(3)] == [("127.0.0.2",)] * 3
        assert names.asked == ["slow", "fast", "fast", "fast"]
        names.go_on()
        assert await asyncio.gather(*waiting) == [("127.0.0.1",)] * 100


@pytest.mark.req("gateway/X9")
async def test_a_hundred_names_that_hang_hold_up_no_other(names: Names) -> None:
    names.known = {"fast": ("127.0.0.1",)}
    names.hanging = {f"slow-{number}" for number in range(100)}
    with looking_up(names.ask) as lookups:
        waiting = tasks(lookups, *names.hanging)
        await until(lambda: len(names.asked) == 100)
        assert await lookups.addresses("fast") == ("127.0.0.1",)
        names.go_on()
        assert {type(error) for error in await asyncio.gather(*waiting, return_exceptions=True)} == {socket.gaierror}


async def test_of_more_names_than_threads_the_last_wait_for_their_turn(names: Names) -> None:
    names.hanging = {"a", "b"}
    names.known = {"c": ("127.0.0.3",), "d": ("127.0.0.4",)}
    with looking_up(names.ask, most=2) as lookups:
        *slow, third, fourth = tasks(lookups, "a", "b", "c", "d")
        await until(lambda: len(names.asked) == 2)
        assert not third.done()
        names.go_on()
        assert [await third, await fourth] == [("127.0.0.3",), ("127.0.0.4",)]
        assert (set(names.asked[:2]), len(names.asked)) == ({"a", "b"}, 4)
        assert {type(error) for error in await asyncio.gather(*slow, return_exceptions=True)} == {socket.gaierror}


async def test_who_gives_up_leaves_the_answer_to_the_others_and_a_failure_to_nobody(names: Names) -> None:
    names.hanging = {"slow"}
    with looking_up(names.ask, most=1) as lookups:
        impatient, patient = tasks(lookups, "slow", "slow")
        await until(lambda: names.asked == ["slow"])
        impatient.cancel()
        names.known = {"slow": ("127.0.0.1",)}
        names.go_on()
        assert await patient == ("127.0.0.1",)
        assert impatient.cancelled()
        (alone,) = tasks(lookups, "slow")
        names.known = {}
        await until(lambda: names.asked == ["slow", "slow"])
        alone.cancel()
        names.go_on()
        with pytest.raises(socket.gaierror):
            await lookups.addresses("next")  # it had to wait: the failure has come; a report of it would fail the test


async def test_nothing_is_kept_after_an_answer(names: Names) -> None:
    names.known = {"moving": ("127.0.0.1",)}
    with looking_up(names.ask) as lookups:
        assert await lookups.addresses("moving") == ("127.0.0.1",)
        names.known = {"moving": ("127.0.0.2",)}
        assert await lookups.addresses("moving") == ("127.0.0.2",)


async def test_what_the_system_raises_is_raised(names: Names) -> None:
    with looking_up(names.ask) as lookups, pytest.raises(socket.gaierror, match="not known"):
        await lookups.addresses("nobody")
    with looking_up(ask_the_system) as lookups, pytest.raises(ValueError, match="label"):
        await lookups.addresses("x" * 64)


async def test_without_a_thread_the_name_is_not_looked_up_and_the_next_one_is(names: Names) -> None:
    names.known = {"one": ("127.0.0.1",)}
    with looking_up(names.ask) as lookups:
        before = threading.stack_size(1 << 47)  # more than there are addresses: no thread can be started
        try:
            with pytest.raises(OSError, match="temporarily unavailable") as raised:
                await lookups.addresses("one")
        finally:
            threading.stack_size(before)
        assert raised.value.errno == errno.EAGAIN
        assert await lookups.addresses("one") == ("127.0.0.1",)


def test_a_loop_ends_while_a_name_hangs_and_leaves_neither_thread_nor_report(names: Names) -> None:
    names.hanging = {"slow"}
    names.known = {"fast": ("127.0.0.1",)}
    before = set(threading.enumerate())
    lookups = NameLookups(names.ask)

    async def giving_up() -> None:
        tasks(lookups, "slow")
        assert await lookups.addresses("fast") == ("127.0.0.1",)
        await until(lambda: len(names.asked) == 2)

    with asyncio.Runner(loop_factory=lambda: Loop(lookups)) as runner:
        runner.run(giving_up())
    left = set(threading.enumerate()) - before
    assert {thread.daemon for thread in left} == {True}
    names.go_on()
    for thread in left:
        thread.join(10)  # what a thread raises would fail the test
        assert not thread.is_alive()


def test_the_system_knows_this_machine() -> None:
    assert "127.0.0.1" in ask_the_system("localhost")


# Connecting.


@asynccontextmanager
async def listening(tls: ssl.SSLContext | None = None) -> AsyncIterator[tuple[int, list[str]]]:
    """Listen on 127.0.0.1 alone; yield the port, and the addresses of those that were accepted."""
    accepted: list[str] = []

    async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.append(writer.get_extra_info("peername")[0])
        writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1], accepted


async def connect(host: str, port: int, **options: Any) -> bytes:
    """Connect, and read until the other side closes."""
    reader, writer = await asyncio.open_connection(host, port, **options)
    try:
        return await reader.read()
    finally:
        writer.close()


async def test_addresses_are_not_looked_up(names: Names) -> None:
    async with listening() as (port, accepted):
        assert await connect("127.0.0.1", port) == b""
        with suppress(OSError):  # nobody listens there, or there is no IPv6 here
            await connect("::1", port)
        assert len(accepted) == 1
    assert names.asked == []


async def test_the_addresses_of_a_name_are_tried_in_turn_and_the_first_failure_is_told(names: Names) -> None:
    names.known = {"two": ("127.0.0.2", "127.0.0.1"), "none": ("127.0.0.2", "255.255.255.255"), "empty": ()}
    async with listening() as (port, accepted):
        assert await connect("two", port) == b""
        with pytest.raises(ConnectionRefusedError):
            await connect("none", port)
        with pytest.raises(socket.gaierror):
            await connect("empty", port)
        assert len(accepted) == 1


@pytest.mark.req("gateway/X10")
async def test_a_certificate_is_held_against_the_name_and_no_other_address_is_tried_then(
    names: Names, tmp_path: Path
) -> None:
    believed, served = authority(tmp_path)  # for the address 127.0.0.1, not for a name
    names.known = {"tools": ("127.0.0.1", "127.0.0.1")}
    ours, theirs = (ssl.create_default_context(cafile=believed), ssl.create_default_context(ssl.Purpose.CLIENT_AUTH))
    theirs.load_cert_chain(served)
    async with listening(theirs) as (port, _):
        with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
            await connect("tools", port, ssl=ours)
        assert await connect("tools", port, ssl=ours, server_hostname="127.0.0.1") == b""
        assert await connect("127.0.0.1", port, ssl=ours) == b""
    assert names.asked == ["tools", "tools"]
