"""A connection's deadlines and counts while it is answered piece by piece, by a clock and a transport made by hand."""

import asyncio
from dataclasses import dataclass

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.replies import Replies, chunk, of_unknown_length
from axhub.gateway.adapters.http1.server_connection import Front, ServerConnection
from axhub.gateway.ports import HttpHandler, Reply
from support.wire_ends import OK, Core, render_refusal
from support.wire_streams import EVENTS, GET

pytestmark = pytest.mark.req("gateway/P9")

LIMITS = ServerLimits(write_stall_seconds=10, idle_seconds=75, half_closed_seconds=60)


class Peer(asyncio.Transport):
    """Keeps what is written until the caller takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.data = b""
        self.waiting = 0
        self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.data += data
        self.waiting += len(data)

    def take(self, size: int = 1 << 30) -> None:
        self.waiting = max(self.waiting - size, 0)

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.aborted


@dataclass
class Stage:
    """One front with a clock of its own."""

    front: Front
    time: float = 1000.0

    def connect(self) -> tuple[ServerConnection, Peer]:
        connection, peer = ServerConnection(self.front), Peer()
        connection.connection_made(peer)
        connection.data_received(GET)
        return connection, peer

    def passes(self, seconds: float, connection: ServerConnection) -> None:
        """Let time pass, and act on the deadline if it has come."""
        self.time += seconds
        if connection.deadline <= self.time:
            connection.expire(self.time)


def stage(handler: HttpHandler) -> Stage:
    loop = asyncio.get_running_loop()
    deadlines = Deadlines(loop, lambda: made.time)
    made = Stage(Front(handler, render_refusal, LIMITS, Replies(SystemClock()), deadlines))
    return made


async def opened() -> tuple[Stage, ServerConnection, Peer, Reply]:
    core = Core(answer=None)
    on = stage(core)
    connection, peer = on.connect()
    core.pending[0](EVENTS, b"one", more=True)
    peer.take()
    return on, connection, peer, core.pending[0]


async def test_a_caller_that_has_taken_everything_is_waited_for_without_end() -> None:
    on, connection, peer, reply = await opened()
    for _ in range(3):
        reply(EVENTS, b"x" * 1000, more=True)
        on.passes(LIMITS.write_stall_seconds / 2, connection)
        peer.take()
        on.passes(LIMITS.write_stall_seconds / 2, connection)
        assert connection.deadline == NEVER
        on.passes(3600, connection)
        assert not peer.is_closing()
    on.front.deadlines.stop()


async def test_a_caller_that_takes_something_is_kept_however_much_is_added_meanwhile() -> None:
    on, connection, peer, reply = await opened()
    for _ in range(100):
        reply(EVENTS, b"x" * 1000, more=True)
        peer.take(10)
        on.passes(LIMITS.write_stall_seconds / 4, connection)
        assert not peer.is_closing()
    on.passes(LIMITS.write_stall_seconds * 0.8, connection)
    assert not peer.is_closing()
    on.passes(LIMITS.write_stall_seconds * 0.4, connection)
    assert peer.is_closing()
    on.front.deadlines.stop()


async def test_a_caller_that_takes_nothing_is_cut_off_also_if_pieces_go_on_coming() -> None:
    on, connection, peer, reply = await opened()
    for _ in range(8):
        reply(EVENTS, b":\n\n", more=True)
        on.passes(LIMITS.write_stall_seconds / 4, connection)
    assert peer.is_closing()
    on.front.deadlines.stop()


async def test_the_next_request_is_waited_for_as_after_any_answer() -> None:
    on, connection, peer, reply = await opened()
    on.time += 500
    reply(EVENTS, b"end")
    assert connection.deadline == on.time + LIMITS.idle_seconds
    assert peer.data.endswith(b"3\r\nend\r\n0\r\n\r\n")
    on.front.deadlines.stop()


async def test_counts_tell_requests_that_are_being_answered_from_others() -> None:
    core = Core(answer=None)
    on = stage(core)
    connections = [on.connect()[0] for _ in range(4)]

    def counts() -> tuple[int, int]:
        return on.front.in_flight, sum(connection.busy for connection in connections)

    assert counts() == (4, 4)
    for reply in core.pending[:3]:
        reply(EVENTS, b"one", more=True)
        reply(EVENTS, b"two", more=True)
    assert counts() == (1, 4)
    core.pending[0](EVENTS, b"end")
    connections[1].connection_lost(None)
    assert counts() == (1, 2)
    connections[3].connection_lost(None)
    core.pending[2](EVENTS, b"end")
    assert counts() == (0, 0)
    on.front.deadlines.stop()


async def test_other_answers_do_not_wait_for_the_end_of_the_turn_because_of_streams() -> None:
    replies: list[Reply] = []

    def handler(request: object, reply: Reply) -> None:
        replies.append(reply)

    on = stage(handler)
    on.connect()
    replies[0](EVENTS, b"one", more=True)
    _, peer = on.connect()
    replies[1](OK, b"{}")
    assert peer.data.endswith(b"\r\n\r\n{}")
    on.front.deadlines.stop()


def test_pieces_and_heads_are_framed_as_the_caller_understands_them() -> None:
    assert [chunk(b"x" * 17, True), chunk(b"", True)] == [b"11\r\n" + b"x" * 17 + b"\r\n", b""]
    assert [chunk(b"a", False), chunk(b"", False)] == [b"1\r\na\r\n0\r\n\r\n", b"0\r\n\r\n"]
    start = b"HTTP/1.1 200 OK\r\nContent-Length: "
    assert of_unknown_length(start, True) == b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert of_unknown_length(start, False) == b"HTTP/1.1 200 OK\r\n\r\n"
