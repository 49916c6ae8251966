"""Answers in pieces on the ASGI front: order, bounds on what waits, callers that leave (gateway/P9, gateway/X8)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import pytest

from axhub.gateway.adapters.asgi.app import AsgiApp, Event, Scope
from axhub.gateway.adapters.mcp import wire
from axhub.gateway.ports import Cancel, HttpRequest, Reply

pytestmark = pytest.mark.req("gateway/P9")

SCOPE: Scope = {"type": "http", "method": "POST", "path": "/mcp", "raw_path": b"/mcp", "headers": []}
REQUEST: Event = {"type": "http.request", "body": b"{}", "more_body": False}
GONE: Event = {"type": "http.disconnect"}
START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(name.lower(), value) for name, value in wire.OK_EVENTS.headers],
}


def body(piece: bytes, *, more: bool) -> Event:
    return {"type": "http.response.body", "body": piece, "more_body": more}


@dataclass
class Server:
    """The ASGI server and the handler around the app: events in by hand, events out as they come."""

    events: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)
    sent: list[Event] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    taking: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared: the server takes nothing more, as one does whose caller does not read."""
    broken: bool = False
    replies: list[Reply] = field(default_factory=list)
    cancelled: int = 0
    ends_on_cancel: bool = True

    async def receive(self) -> Event:
        return await self.events.get()

    async def send(self, event: Event) -> None:
        await self.taking.wait()
        if self.broken:
            raise OSError("the caller has gone")
        self.sent.append(event)
        self.changed.set()

    def handler(self, request: HttpRequest, reply: Reply) -> Cancel:
        self.replies.append(reply)
        self.changed.set()

        def cancel() -> None:
            self.cancelled += 1
            if self.ends_on_cancel:
                reply(wire.OK_EVENTS, b"last")

        return cancel

    async def until(self, *, sent: int = 0, replies: int = 0) -> None:
        async with asyncio.timeout(20):
            while len(self.sent) < sent or len(self.replies) < replies:
                self.changed.clear()
                await self.changed.wait()


@asynccontextmanager
async def asked(**bounds: Any) -> AsyncIterator[tuple[Server, asyncio.Task[None]]]:
    server = Server()
    server.taking.set()
    app = AsgiApp(server.handler, wire.refuse, max_request_bytes=100, lifespan=nullcontext, **bounds)
    server.events.put_nowait(REQUEST)
    task = asyncio.create_task(app(SCOPE, server.receive, server.send))
    await server.until(replies=1)
    yield server, task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_each_piece_goes_to_the_server_at_once_and_the_last_one_ends_the_answer() -> None:
    others = asyncio.all_tasks()
    async with asked() as (server, task):
        reply = server.replies[0]
        for number, (piece, tail) in enumerate([(b"one", b""), (b"two", b"tail"), (b"", b"")]):
            reply(wire.OK_EVENTS if not number else wire.OK, piece, tail, more=True)
            await server.until(sent=2 + number)
        reply(wire.OK, b"end")
        await task
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == others, "nobody waits for the caller any more"
    pieces = [body(piece, more=True) for piece in (b"one", b"twotail", b"")]
    assert server.sent == [START, *pieces, body(b"end", more=False)]
    assert server.cancelled == 0


async def test_a_thousand_pieces_that_come_at_once_arrive_in_order() -> None:
    async with asked() as (server, task):
        for number in range(999):
            server.replies[0](wire.OK_EVENTS, b"%d " % number, more=True)
        server.replies[0](wire.OK_EVENTS, b"999")
        server.replies[0](wire.OK_EVENTS, b"too late", more=True)
        server.replies[0](wire.OK_EVENTS, b"too late")
        await task
    assert b"".join(event["body"] for event in server.sent[1:]).split() == [b"%d" % n for n in range(1000)]
    assert [event["more_body"] for event in server.sent[1:]] == [True] * 999 + [False]


@pytest.mark.req("gateway/X8")
@pytest.mark.parametrize("ends", [True, False])
async def test_a_caller_that_disconnects_in_mid_stream_cancels_once_and_gets_nothing_more(ends: bool) -> None:
    async with asked() as (server, task):
        server.ends_on_cancel = ends
        server.replies[0](wire.OK_EVENTS, b"one", more=True)
        await server.until(sent=2)
        server.events.put_nowait(GONE)
        await asyncio.wait_for(task, 20)
        server.replies[0](wire.OK_EVENTS, b"two", more=True)
    assert (server.cancelled, len(server.sent)) == (1, 2)


@pytest.mark.req("gateway/X8")
async def test_a_server_that_fails_while_a_piece_is_sent_has_lost_the_caller() -> None:
    async with asked() as (server, task):
        server.replies[0](wire.OK_EVENTS, b"one", more=True)
        await server.until(sent=2)
        server.broken = True
        server.replies[0](wire.OK_EVENTS, b"two", more=True)
        await asyncio.wait_for(task, 20)
    assert server.cancelled == 1


@pytest.mark.req("gateway/X8")
async def test_a_server_that_cancels_the_task_in_mid_stream_cancels_the_call() -> None:
    async with asked() as (server, task):
        server.replies[0](wire.OK_EVENTS, b"one", more=True)
        await server.until(sent=2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert server.cancelled == 1


@pytest.mark.req("input/B60", "threat/T17")
async def test_a_caller_that_takes_nothing_is_given_up_at_the_write_deadline() -> None:
    async with asked(stall_seconds=0.05) as (server, task):
        server.replies[0](wire.OK_EVENTS, b"one", more=True)
        await server.until(sent=2)
        server.taking.clear()
        await asyncio.sleep(0.1)
        assert not task.done(), "silence of ours is not held against the caller"
        server.replies[0](wire.OK_EVENTS, b"two", more=True)
        await asyncio.wait_for(task, 20)
    assert (server.cancelled, len(server.sent)) == (1, 2)


@pytest.mark.req("input/B60", "threat/T17")
async def test_a_caller_that_leaves_too_much_waiting_is_given_up() -> None:
    async with asked(stall_seconds=0.2, max_unsent_bytes=1000) as (server, task):
        server.replies[0](wire.OK_EVENTS, b"one", more=True)
        await server.until(sent=2)
        server.taking.clear()
        server.replies[0](wire.OK_EVENTS, b"x" * 1000, more=True)
        await asyncio.sleep(0)
        for size in (1000, 1):  # the one before is on its way
            server.replies[0](wire.OK_EVENTS, b"x" * size, more=True)
            assert server.cancelled == 0
        server.replies[0](wire.OK_EVENTS, b"x", more=True)
        assert server.cancelled == 1
        server.replies[0](wire.OK_EVENTS, b"x", more=True)
        await asyncio.wait_for(task, 20)


async def test_a_handler_that_gives_too_much_before_it_returns_is_told_too() -> None:
    server, cancelled = Server(), []
    server.taking.set()
    server.events.put_nowait(REQUEST)

    def greedy(request: HttpRequest, reply: Reply) -> Cancel:
        for size in (1001, 1):
            reply(wire.OK_EVENTS, b"x" * size, more=True)
        return lambda: cancelled.append(1)

    app = AsgiApp(greedy, wire.refuse, max_request_bytes=100, max_unsent_bytes=1000, lifespan=nullcontext)
    await asyncio.wait_for(app(SCOPE, server.receive, server.send), 20)
    assert cancelled == [1]


async def test_a_handler_that_raises_after_its_first_piece_is_a_503() -> None:
    def raises(request: HttpRequest, reply: Reply) -> None:
        reply(wire.OK_EVENTS, b"one", more=True)
        raise RuntimeError("a secret address")

    reported: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: reported.append(context.get("exception")))
    try:
        server = Server()
        server.taking.set()
        server.events.put_nowait(REQUEST)
        app = AsgiApp(raises, wire.refuse, max_request_bytes=100, lifespan=nullcontext)
        await app(SCOPE, server.receive, server.send)
    finally:
        loop.set_exception_handler(None)
    assert [event.get("status") for event in server.sent] == [503, None]
    assert len(reported) == 1
