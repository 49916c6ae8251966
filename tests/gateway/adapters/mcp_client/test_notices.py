"""Listening to servers that say when their tools change; time moves only by hand (gateway/P11)."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.mcp_client.notices import listen
from support.mcp_clients import Attached, attached
from support.mcp_hosts import LIST_CHANGED, Heard, acknowledged, notification
from support.mcp_hosts_wire import event, stream
from support.tool_service import PATIENCE_SECONDS, Answer, Hang, Hold, Reset, reply
from support.wire import eventually

LISTEN = {"new": "subscriptions/listen", "old": "GET"}
ERAS = pytest.mark.parametrize("era", LISTEN)


class Listening:
    """A server that is listened to, and a clock that stands still."""

    def __init__(self, client: Attached, clock: ManualClock, era: str) -> None:
        self.client, self.clock, self.host = client, clock, client.host
        self.method = LISTEN[era]

    async def streams(self, number: int) -> Heard:
        """Let time go by until it has been asked for so many streams."""
        await self.until(lambda: len(self.host.of(self.method)) >= number)
        return self.host.of(self.method)[number - 1]

    async def changes(self, number: int) -> None:
        """Wait until so many changes were heard of."""
        await eventually(lambda: len(self.client.changed) >= number)
        assert self.client.changed == ["mcp"] * number

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let time go by until a condition holds."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                await self.pass_by(0.25)

    async def pass_by(self, seconds: float) -> None:
        """Let time go by, and everybody have their turn in each quarter of a second."""
        for _ in range(round(seconds * 4)):
            self.clock.advance(0.25)
            await asyncio.sleep(0.001)


@asynccontextmanager
async def listening(era: str, *, announces: bool = True, **about: Any) -> AsyncIterator[Listening]:
    async with attached(era=era, announces=announces, **about) as client:
        clock = ManualClock()
        task = asyncio.create_task(listen(client.server, clock, lambda: 1.0))
        try:
            yield Listening(client, clock, era)
            assert not task.done()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def telling(*parts: bytes) -> Answer:
    return stream(*map(event, parts), Hang())


@pytest.mark.req("gateway/P11")
@ERAS
async def test_nothing_is_asked_before_there_is_a_session(era: str) -> None:
    async with listening(era) as server:
        for _ in range(20):
            await asyncio.sleep(0)
        assert server.host.heard == []
        await server.client.server.open(5.0)
        await server.streams(1)
        assert server.host.heard != []


@pytest.mark.req("gateway/P11")
async def test_a_stateless_server_is_asked_for_this_one_notice_and_a_session_for_its_stream() -> None:
    async with listening("new") as server:
        await server.client.server.open(5.0)
        asked = await server.streams(1)
        assert asked.json["params"]["notifications"] == {"toolsListChanged": True}
        assert asked.request.headers[b"mcp-method"] == b"subscriptions/listen"
        assert b"text/event-stream" in asked.request.headers[b"accept"]
    async with listening("old") as server:
        await server.client.server.open(5.0)
        asked = await server.streams(1)
        assert (asked.request.method, asked.session, asked.request.body) == (b"GET", b"s-1", b"")
        assert asked.request.headers[b"accept"] == b"text/event-stream"


@pytest.mark.req("gateway/P11")
@ERAS
async def test_each_notice_is_heard_and_nothing_else_is_one(era: str) -> None:
    async with listening(era) as server:

        def says(seen: Heard) -> Answer:
            first = acknowledged(seen) if era == "new" else b""
            other = notification("notifications/resources/list_changed")
            return telling(first, LIST_CHANGED, other, b"{", LIST_CHANGED)

        server.host.says(server.method, says)
        await server.client.server.open(5.0)
        await server.changes(2)


@pytest.mark.req("gateway/P11")
@ERAS
async def test_a_server_that_does_not_offer_notices_is_not_listened_to(era: str) -> None:
    async with listening(era, announces=False) as server:
        await server.client.server.open(5.0)
        await server.pass_by(5)
        assert server.host.of(server.method) == []
        assert server.client.changed == []


@pytest.mark.req("gateway/P11")
@ERAS
@pytest.mark.parametrize(
    "answer",
    [
        reply(405, b"", content_type=None),
        reply(404, b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}'),
        reply(401, b"", content_type=None),
        reply(200, b"{}"),
    ],
)
async def test_a_server_that_refuses_is_not_asked_again_until_it_has_another_session(era: str, answer: Answer) -> None:
    async with listening(era) as server:
        server.host.says(server.method, answer, telling(LIST_CHANGED))
        session = await server.client.server.open(5.0)
        await server.streams(1)
        await server.pass_by(90)
        assert len(server.host.of(server.method)) == 1
        assert server.client.changed == []
        server.client.server.forget(session)
        await server.client.server.open(5.0)
        await server.streams(2)
        await server.changes(1)


@pytest.mark.req("gateway/P11")
@ERAS
async def test_after_a_stream_has_ended_what_was_missed_is_pulled_and_another_is_asked_for(era: str) -> None:
    gate = asyncio.Event()
    async with listening(era) as server:
        server.host.says(server.method, stream(Hold(gate)), telling())
        await server.client.server.open(5.0)
        await server.streams(1)
        gate.set()
        await server.streams(2)
        await server.changes(1)


@pytest.mark.req("gateway/P11")
@ERAS
async def test_streams_that_break_at_once_are_asked_for_less_and_less_often(era: str) -> None:
    async with listening(era) as server:
        server.host.says(server.method, (Reset(),))
        await server.client.server.open(5.0)
        asked: list[float] = []
        while server.clock.monotonic() < 300:
            asked += [server.clock.monotonic()] * (len(server.host.of(server.method)) - len(asked))
            await server.pass_by(0.25)
        waits = [after - before for before, after in itertools.pairwise(asked)]
        assert 6 < len(asked) < 15
        assert waits[0] < 5
        assert 55 < max(waits) < 70
        assert server.client.changed == []


@pytest.mark.req("gateway/P11")
@ERAS
async def test_a_server_with_another_session_is_listened_to_in_that(era: str) -> None:
    async with listening(era) as server:
        session = await server.client.server.open(5.0)
        await server.streams(1)
        server.client.server.forget(session)
        await server.client.server.open(5.0)
        second = await server.streams(2)
        assert second.session == (b"s-2" if era == "old" else None)


@pytest.mark.req("gateway/P11", "gateway/C6")
@ERAS
async def test_the_end_of_listening_ends_its_stream(era: str) -> None:
    async with listening(era) as server:
        await server.client.server.open(5.0)
        await server.streams(1)
        await eventually(lambda: server.host.open_connections == 1)
    assert server.host.open_connections == 0
