"""The ASGI front under faults of ours and of its server: always an answer, no call left running (gateway/P6, X8)."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from axhub.gateway.adapters.asgi.app import AsgiApp, Event, Scope
from axhub.gateway.adapters.mcp import wire
from axhub.gateway.ports import HttpHandler, HttpRequest, Reply

SCOPE: Scope = {"type": "http", "method": "POST", "path": "/mcp", "raw_path": b"/mcp", "headers": []}
REQUEST: Event = {"type": "http.request", "body": b"{}", "more_body": False}
GONE: Event = {"type": "http.disconnect"}


class Caller:
    """One exchange with the app: what the server hands in, what it gets back, and what the event loop hears of."""

    def __init__(self, *events: Event | Exception) -> None:
        self._events = list(events)
        self.sent: list[Event] = []
        self.reported: list[Any] = []
        self.waiting = asyncio.Event()

    async def receive(self) -> Event:
        if not self._events:
            self.waiting.set()
            await asyncio.Event().wait()
        event = self._events.pop(0)
        if isinstance(event, Exception):
            raise event
        return event

    async def send(self, event: Event) -> None:
        self.sent.append(event)

    async def call(self, handler: HttpHandler, scope: Scope = SCOPE) -> int:
        """Return the status of the one answer."""
        app = AsgiApp(handler, wire.refuse, max_request_bytes=100, lifespan=nullcontext)
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(lambda _loop, context: self.reported.append(context.get("exception")))
        try:
            await app(scope, self.receive, self.send)
        finally:
            loop.set_exception_handler(before)
        assert [event["type"] for event in self.sent] == ["http.response.start", "http.response.body"]
        status: int = self.sent[0]["status"]
        return status


def raises(_request: HttpRequest, _reply: Reply) -> None:
    raise RuntimeError("a secret address")


def answers_and_raises(_request: HttpRequest, reply: Reply) -> None:
    reply(wire.OK, b"{}")
    raise RuntimeError("too late")


def fault_while_cancelling(request: HttpRequest, reply: Reply) -> Callable[[], None]:
    def cancel() -> None:
        reply(wire.OK, b"{}")
        raise RuntimeError("in cancel")

    return cancel


class Slow:
    """A handler that answers only when it is told that its caller has gone."""

    def __init__(self) -> None:
        self.cancelled = 0

    def __call__(self, request: HttpRequest, reply: Reply) -> Callable[[], None]:
        def cancel() -> None:
            self.cancelled += 1
            reply(wire.OK, b"{}")

        return cancel


@pytest.mark.req("gateway/P6")
@pytest.mark.parametrize(
    ("handler", "events", "scope", "status"),
    [
        (raises, (REQUEST,), {}, 503),
        (answers_and_raises, (REQUEST,), {}, 503),
        (raises, (OSError("the server broke"),), {}, 503),
        (raises, (REQUEST,), {"method": "\udc80"}, 503),
        (fault_while_cancelling, (REQUEST, GONE), {}, 200),
        (Slow(), (REQUEST, OSError("the server broke")), {}, 200),
    ],
    ids=["handler", "handler, after its answer", "receive", "scope", "cancel", "receive, while waiting"],
)
async def test_a_fault_of_ours_or_of_the_server_is_never_a_500(
    handler: HttpHandler, events: tuple[Event | Exception, ...], scope: Scope, status: int
) -> None:
    caller = Caller(*events)
    assert await caller.call(handler, {**SCOPE, **scope}) == status
    assert b"secret" not in caller.sent[1]["body"]
    assert len(caller.reported) == 1


@pytest.mark.req("gateway/X8")
async def test_a_caller_that_disconnects_cancels_its_call() -> None:
    slow = Slow()
    assert await Caller(REQUEST, GONE).call(slow) == 200
    assert slow.cancelled == 1


@pytest.mark.req("gateway/X8")
async def test_a_server_that_cancels_the_task_cancels_the_call() -> None:
    slow, caller = Slow(), Caller(REQUEST)
    task = asyncio.create_task(caller.call(slow))
    await caller.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (slow.cancelled, caller.sent, caller.reported) == (1, [], [])
