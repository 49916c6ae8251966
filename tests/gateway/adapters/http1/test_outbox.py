"""Small writes that wait for the end of the loop's turn: order, what may not wait, and who is gone by then."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.client_connection import ClientConnection, Home
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from axhub.gateway.adapters.http1.limits import JOINED_BYTES, ServerLimits
from axhub.gateway.adapters.http1.outbox import Outbox
from axhub.gateway.adapters.http1.replies import CONTINUE, Replies
from axhub.gateway.adapters.http1.server_connection import Front, ServerConnection
from axhub.gateway.ports import Failure, HttpRequest, Reply, ReplyHead, UpstreamAnswer
from support.wire_ends import OK, render_refusal

CLOSING = ReplyHead(200, close=True)
LARGE = b"x" * JOINED_BYTES


def get(path: bytes) -> bytes:
    return b"GET /%b HTTP/1.1\r\nHost: a\r\n\r\n" % path


class Socket(asyncio.Transport):
    """A transport that keeps each write, and whether it was closed."""

    def __init__(self, sock: socket.socket | None = None) -> None:
        super().__init__({"socket": sock})
        self.writes: list[bytes] = []
        self.closed = False

    @property
    def data(self) -> bytes:
        return b"".join(self.writes)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.writes.append(bytes(data))

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        self.write(b"".join(list_of_data))

    def write_eof(self) -> None:
        self.writes.append(b"[end]")

    def abort(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 0


@dataclass
class Answering:
    """Answers `/large` and `/closing` so, `/later` not at all, and everything else with its own path."""

    pending: list[Reply] = field(default_factory=list)

    def __call__(self, request: HttpRequest, reply: Reply) -> None:
        if request.path == b"/later":
            self.pending.append(reply)
        elif request.path == b"/large":
            reply(OK, b"", LARGE)
        else:
            reply(CLOSING if request.path == b"/closing" else OK, request.path)


@dataclass
class House:
    """One server without sockets; `faults` are those that reached the loop's exception handler."""

    front: Front
    handler: Answering
    faults: list[object]

    def connect(self) -> tuple[ServerConnection, Socket]:
        connection, transport = ServerConnection(self.front), Socket()
        connection.connection_made(transport)
        return connection, transport

    def keep_busy(self) -> Reply:
        """Have a request under way on a connection of its own, so that small answers are held back."""
        self.connect()[0].data_received(get(b"later"))
        return self.handler.pending[-1]


@pytest.fixture
async def house() -> AsyncIterator[House]:
    loop, handler, faults = asyncio.get_running_loop(), Answering(), list[object]()
    loop.set_exception_handler(lambda _loop, context: faults.append(context))
    deadlines = Deadlines(loop, loop.time)
    yield House(Front(handler, render_refusal, ServerLimits(), Replies(SystemClock()), deadlines), handler, faults)
    deadlines.stop()
    assert faults == []


async def test_an_answer_is_held_back_only_while_another_request_is_under_way(house: House) -> None:
    connection, transport = house.connect()
    connection.data_received(get(b"alone"))
    assert transport.data.endswith(b"/alone")
    end_other = house.keep_busy()
    connection.data_received(get(b"held"))
    assert transport.data.endswith(b"/alone")
    await asyncio.sleep(0)
    assert transport.data.endswith(b"/held")
    end_other(OK, b"")
    connection.data_received(get(b"again"))
    assert transport.data.endswith(b"/again")


async def test_pipelined_answers_stay_in_order_and_go_out_in_one_write(house: House) -> None:
    house.keep_busy()
    connection, transport = house.connect()
    connection.data_received(get(b"1") + get(b"2") + get(b"3"))
    assert transport.writes == []
    await asyncio.sleep(0)
    (written,) = transport.writes
    assert [part[-2:] for part in written.split(b"HTTP/1.1 200 OK")[1:]] == [b"/1", b"/2", b"/3"]


async def test_an_answer_that_need_not_be_held_comes_after_the_one_that_is(house: House) -> None:
    end_other = house.keep_busy()
    connection, transport = house.connect()
    connection.data_received(get(b"1"))
    end_other(OK, b"")
    connection.data_received(get(b"2"))
    await asyncio.sleep(0)
    assert [part[-2:] for part in transport.data.split(b"HTTP/1.1 200 OK")[1:]] == [b"/1", b"/2"]


@pytest.mark.parametrize(
    ("request_bytes", "end"),
    [
        pytest.param(get(b"large"), LARGE, id="a large answer"),
        pytest.param(get(b"closing"), b"/closing[end]", id="an answer that closes"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", b"/[end]", id="the last request"),
        pytest.param(b"nonsense\r\n\r\n", b"HTTP/1.1.[end]", id="a refusal"),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n",
            CONTINUE,
            id="a request to go on",
        ),
    ],
)
async def test_what_cannot_wait_is_written_at_once_behind_what_is_held(
    house: House, request_bytes: bytes, end: bytes
) -> None:
    house.keep_busy()
    connection, transport = house.connect()
    connection.data_received(get(b"held"))
    assert transport.writes == []
    connection.data_received(request_bytes)
    assert transport.data.startswith(b"HTTP/1.1 200 OK")
    assert transport.data.count(b"/held") == 1
    assert transport.data.index(b"/held") < len(transport.data) - len(end)
    assert transport.data.endswith(end)
    written = transport.data
    await asyncio.sleep(0)
    assert transport.data == written


@pytest.mark.parametrize("lost", [True, False])
async def test_a_callers_connection_aborted_before_the_flush_gets_nothing(house: House, lost: bool) -> None:
    house.keep_busy()
    connection, transport = house.connect()
    connection.data_received(get(b"held"))
    connection.abort()
    if lost:
        connection.connection_lost(None)
    await asyncio.sleep(0)
    assert (transport.writes, transport.closed) == ([], True)


@dataclass
class Service:
    """One connection to a Tool Service without a socket that carries anything, and what its owner was told."""

    connection: ClientConnection
    transport: Socket
    outbox: Outbox
    answers: list[UpstreamAnswer]

    def begin(self, tail: bytes = b"", outbox: bool = True) -> None:
        self.connection.begin(b"POST / HTTP/1.1\r\n\r\n", tail, NEVER, self.outbox if outbox else None, None)


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    answers = list[UpstreamAnswer]()

    def answered(_: ClientConnection, answer: UpstreamAnswer, reusable: bool) -> None:
        assert reusable is (answer.failure is None)
        answers.append(answer)

    loop = asyncio.get_running_loop()
    deadlines, (ours, theirs) = Deadlines(loop, loop.time), socket.socketpair()
    connection = ClientConnection(answered, deadlines, AnswerReader(100), Home(1.0, 0.0))
    with ours, theirs:
        transport = Socket(ours)
        connection.connection_made(transport)
        yield Service(connection, transport, Outbox(), answers)
    deadlines.stop()


async def test_a_request_is_written_at_the_end_of_the_turn_and_its_answer_taken(service: Service) -> None:
    service.begin()
    assert service.transport.writes == []
    await asyncio.sleep(0)
    assert service.transport.writes == [b"POST / HTTP/1.1\r\n\r\n"]
    service.connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
    assert [answer.body for answer in service.answers] == [b"good"]


@pytest.mark.parametrize(("tail", "outbox"), [(b"", False), (LARGE, True)])
async def test_a_lone_request_and_a_large_one_are_written_at_once(service: Service, tail: bytes, outbox: bool) -> None:
    service.begin(tail, outbox)
    assert service.transport.data == b"POST / HTTP/1.1\r\n\r\n" + tail
    await asyncio.sleep(0)
    assert len(service.transport.writes) == 1


@pytest.mark.req("gateway/X10")
@pytest.mark.parametrize("surplus", [b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL", b"x", b"\r\n"])
async def test_bytes_that_come_before_the_request_is_written_close_the_connection(
    service: Service, surplus: bytes
) -> None:
    service.begin()
    service.connection.data_received(surplus)
    await asyncio.sleep(0)
    assert service.answers == [UpstreamAnswer(0, {}, b"", Failure.INVALID, sent=False)]
    assert service.connection.home.barred_until > 0
    assert (service.transport.writes, service.transport.closed) == ([], True)


@pytest.mark.req("gateway/X8")
@pytest.mark.parametrize("lost", [True, False])
async def test_a_call_cancelled_before_the_flush_sends_nothing(service: Service, lost: bool) -> None:
    service.begin()
    service.connection.abort(Failure.CANCELLED)
    if lost:
        service.connection.connection_lost(None)
    await asyncio.sleep(0)
    assert [answer.failure for answer in service.answers] == [Failure.CANCELLED]
    assert (service.transport.writes, service.transport.closed) == ([], True)


@pytest.mark.req("gateway/X10")
async def test_an_origin_that_is_caught_loses_its_connection_on_trial_too(service: Service) -> None:
    home = service.connection.home
    home.proven, home.trial_seconds = False, 60.0
    service.begin()
    await asyncio.sleep(0)
    service.connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
    service.connection.rest()
    assert home.trial is service.connection
    home.spoil(0.0)
    assert not home
    assert (home.trial is None, service.transport.closed) == (True, True)
