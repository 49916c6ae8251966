"""A connection's callbacks in orders that sockets rarely bring about."""

import asyncio

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.answer_reader import AnswerReader
from axhub.gateway.adapters.http1.client_connection import ClientConnection, Home
from axhub.gateway.adapters.http1.deadlines import Deadlines
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.replies import Replies
from axhub.gateway.adapters.http1.server_connection import Front, ServerConnection
from axhub.gateway.ports import Failure, HttpHandler, HttpRequest, Reply, UpstreamAnswer
from support.wire_ends import OK, Core, render_refusal

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class Written(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.data = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.data += data

    def get_write_buffer_size(self) -> int:
        return 0


def connect(handler: HttpHandler) -> tuple[ServerConnection, Written]:
    loop = asyncio.get_running_loop()
    deadlines = Deadlines(loop, loop.time)
    connection = ServerConnection(Front(handler, render_refusal, ServerLimits(), Replies(SystemClock()), deadlines))
    transport = Written()
    connection.connection_made(transport)
    return connection, transport


async def test_whatever_comes_after_a_connection_was_lost_does_nothing() -> None:
    core = Core(answer=None)
    connection, transport = connect(core)
    connection.data_received(GET)
    connection.connection_lost(None)
    connection.data_received(GET)
    connection.eof_received()
    connection.pause_writing()
    connection.resume_writing()
    connection.expire(0.0)
    connection.drain()
    connection.abort()
    core.pending[0](OK, b"late")
    assert len(core.requests) == 1
    assert core.cancelled == [0]
    assert transport.data == b""


async def test_a_refusal_for_a_connection_that_was_lost_goes_nowhere() -> None:
    connection, transport = connect(Core())
    connection.connection_lost(None)
    connection._write(*render_refusal(400, "too late"))
    assert transport.data == b""


async def test_a_transport_that_calls_back_while_a_request_is_answered_does_not_start_the_next() -> None:
    depth = 0

    def handler(request: HttpRequest, reply: Reply) -> None:
        nonlocal depth
        depth += 1
        assert depth == 1
        reply(OK, b"{}")
        connection.resume_writing()
        depth -= 1

    connection, transport = connect(handler)
    connection.data_received(GET * 3)
    assert transport.data.count(b"HTTP/1.1 200 OK") == 3
    connection.front.deadlines.stop()


async def test_a_connection_that_closed_before_its_first_request_sends_nothing() -> None:
    ended: list[object] = []

    def answered(_: object, answer: object, reusable: bool) -> None:
        ended.append((answer, reusable))

    loop = asyncio.get_running_loop()
    deadlines = Deadlines(loop, loop.time)
    connection = ClientConnection(answered, deadlines, AnswerReader(1), Home(1.0, 0.0))
    connection.begin(b"POST / HTTP/1.1\r\n\r\n", b"", loop.time() + 1, None, None)
    assert ended == [(UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False), False)]
    assert connection.home.barred_until == 0
    deadlines.stop()
