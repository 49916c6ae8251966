"""Subscriptions in the wired gateway: kept alive by its clock, ended with its life (gateway/P9)."""

import asyncio
from dataclasses import dataclass, field

import pytest

from axhub.gateway.adapters.asgi.app import AsgiApp, Event
from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.main import Gateway, wire
from support.events import TOOLS
from support.gateway import CONTENT_TYPE, NEW, request, settings

pytestmark = pytest.mark.req("gateway/P9")


@dataclass
class Scope:
    """One scope of the ASGI app, whose server a test plays."""

    events: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)
    sent: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)

    def run(self, app: AsgiApp, scope: Event) -> asyncio.Task[None]:
        return asyncio.create_task(app(scope, self.events.get, self.sent.put))


async def listen(app: AsgiApp) -> tuple[Scope, asyncio.Task[None]]:
    """Open a subscription and take its acknowledgment."""
    body, lines = request("subscriptions/listen", TOOLS, revision=NEW)
    http = Scope()
    http.events.put_nowait({"type": "http.request", "body": body})
    task = http.run(app, {"type": "http", "method": "POST", "path": "/mcp", "headers": [CONTENT_TYPE, *lines]})
    assert (await http.sent.get())["status"] == 200
    assert b"subscriptions/acknowledged" in (await http.sent.get())["body"]
    return http, task


def wired(clock: ManualClock) -> Gateway:
    return wire(settings(), JsonLog(lambda _: None, clock), clock)


@pytest.mark.req("gateway/C6")
async def test_the_end_of_the_lifespan_ends_subscriptions_in_good_order() -> None:
    app, life = wired(ManualClock()).asgi(), Scope()
    living = life.run(app, {"type": "lifespan"})
    life.events.put_nowait({"type": "lifespan.startup"})
    assert (await life.sent.get())["type"] == "lifespan.startup.complete"
    http, answering = await listen(app)
    life.events.put_nowait({"type": "lifespan.shutdown"})
    end = await http.sent.get()
    assert (b'"resultType":"complete"' in end["body"], end["more_body"]) == (True, False)
    assert (await life.sent.get())["type"] == "lifespan.shutdown.complete"
    await asyncio.gather(living, answering)


async def test_while_the_gateway_lives_its_clock_brings_comments() -> None:
    clock = ManualClock()
    gateway = wired(clock)
    async with gateway.refreshing():
        http, answering = await listen(gateway.asgi())
        for _ in range(3):
            await clock.sleepers(2)  # this timer and the schedule
            clock.advance(15)
            comment = await http.sent.get()
            assert (comment["body"][:1], comment["more_body"]) == (b":", True)
    assert not (await http.sent.get())["more_body"]
    await answering
