"""Very many small events of an MCP server in one piece hold nobody up (gateway/P11, fault/F14).

What is measured is the processor time of the thread between two turns of the event loop, in which nobody else is
served; the server and the caller of the test are in the same thread and count, too.
"""

import asyncio
import gc
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from support.callers import until
from support.events import asking
from support.gateway import RunningGateway, running, settings
from support.mcp_hosts import Era, Heard, McpHost, mcp_bundle, notification, progress, timed
from support.mcp_hosts_wire import END, chunk, event, response_to, stream, text
from support.tool_service import Answer, Hang, Hold, Send
from support.tries import kept

BURST = 1_048_576
TRACED = sys.gettrace() is not None
"""Coverage makes Python several times as slow."""
MOST = 50.0 if TRACED else 5.0
"""How many times as long as `plain_reading` a turn may take, so that the bound is the same on every machine."""
ERAS = pytest.mark.parametrize("era", ["new", "old"])
TOKEN, GROWS = b'"@@"', b'"##"'
TELLS = event(notification("notifications/progress", {"progressToken": "@@", "progress": "##"}))
NOTHINGS: dict[str, bytes] = {
    "progress": TELLS,
    "no messages": b"data:x\n\n",
    "no JSON": b"data:" + b"x" * 30 + b"\n\n",
    "no data": b"data\n\n",
    "comments": b":\n",
    "empty lines": b"\n",
    "empty lines that end with CR": b"\r",
    "ids": b"id\n\n",
    "ids with data": b"id:1\ndata\n\n",
    "times to reconnect": b"retry:1\n\n",
    "other notices": b'data:{"jsonrpc":"2.0","method":"x"}\n\n',
    "list changes": b'data:{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
    "questions": b'data:{"jsonrpc":"2.0","id":1,"method":"ping"}\n\n',
    "responses to others": b'data:{"jsonrpc":"2.0","id":0,"result":{}}\n\n',
}


@asynccontextmanager
async def measured() -> AsyncIterator[list[float]]:
    """Collect the seconds of processor time of each turn of the loop."""
    turns: list[float] = []

    async def measure() -> None:
        last = time.thread_time()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time()
            turns.append(now - last)
            last = now

    gc.collect()
    gc.freeze()  # what other tests left is no work of the gateway
    measuring = asyncio.create_task(measure())
    try:
        yield turns
    finally:
        measuring.cancel()
        gc.unfreeze()


def plain_reading() -> float:
    """Return the seconds that it takes to look at each line of a burst once, and do nothing."""
    burst_of_lines = b"data:x\n\n" * (BURST // 8)
    began = time.thread_time()
    for line in burst_of_lines.splitlines():
        line.partition(b":")
    return time.thread_time() - began


def burst(piece: bytes, gate: asyncio.Event) -> Callable[[Heard], Answer]:
    """Return what sends a head, then 1 MiB at once when it may, and the response."""
    count = BURST // len(piece)
    numbered = (piece.replace(GROWS, b"%d" % at) for at in range(1000, 1000 + count))
    whole = b"".join(numbered) if GROWS in piece else piece * count

    def says(seen: Heard) -> Answer:
        sent = chunk(whole.replace(TOKEN, seen.id)) + chunk(event(response_to(seen, text("done", new=seen.new))))
        return (*stream(ends=False), Hold(gate), Send(sent + END))

    return says


@ERAS
@pytest.mark.parametrize("name", NOTHINGS)
@pytest.mark.req("gateway/P11", "fault/F14")
async def test_a_burst_of_small_events_is_read_in_a_short_turn(name: str, era: Era) -> None:
    async with (
        McpHost(timed("t", 20_000), era=era) as host,
        running(settings(mcp_bundle(host), max_response_bytes=BURST)) as gateway,
    ):

        async def longest() -> float:
            gate, asked = asyncio.Event(), len(host.of("tools/call"))
            host.says("tools/call", burst(NOTHINGS[name], gate))
            answering = asyncio.create_task(called(gateway))
            await host.hears("tools/call", asked + 1)
            async with measured() as turns:
                gate.set()
                await answering
            return max(turns) / plain_reading()

        await kept(MOST, longest, tries=5)


async def called(gateway: RunningGateway) -> None:
    """Call with a token, and read what comes without looking into it, up to the response."""
    params = {"name": "t", "arguments": {}, "_meta": {"progressToken": "mine"}}
    async with asking(gateway.port, "tools/call", params) as answer:
        last = b""
        while b'"done"' not in last:
            piece = await answer.reader.read(65_536)
            assert piece
            last = last[-10:] + piece


@ERAS
@pytest.mark.req("gateway/P11", "fault/F14")
async def test_of_a_burst_of_progress_the_first_and_the_last_are_passed_on_before_the_result(era: Era) -> None:
    """Values only grow, so the last one says the most; how many come between is nobody's promise."""
    async with McpHost(timed("t", 20_000), era=era) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says(
            "tools/call",
            lambda seen: stream(b"".join(event(progress(seen, at)) for at in range(1000)), done(seen)),
        )
        async with asking(gateway.port, "tools/call", {"name": "t", "_meta": {"progressToken": 1}}) as answer:
            heard: list[int] = []
            while "result" not in (message := await answer.message()):
                heard.append(message["params"]["progress"])
    assert heard[:16] == list(range(16))
    assert heard == sorted(set(heard))
    assert heard[-1] == 999
    assert len(heard) < 500


@pytest.mark.req("gateway/P11")
async def test_the_last_of_a_burst_is_told_at_once_even_if_nothing_follows_it() -> None:
    async with McpHost(timed("t", 20_000)) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", lambda seen: stream(b"".join(event(progress(seen, at)) for at in range(100)), Hang()))
        async with asking(gateway.port, "tools/call", {"name": "t", "_meta": {"progressToken": 1}}) as answer:
            heard = [(await answer.message())["params"]["progress"] for _ in range(17)]
            assert heard == [*range(16), 99]


@pytest.mark.req("gateway/P11")
async def test_a_burst_for_a_caller_that_has_gone_is_dropped() -> None:
    gate = asyncio.Event()
    async with McpHost(timed("t", 20_000)) as host, running(settings(mcp_bundle(host))) as gateway:
        host.says(
            "tools/call",
            lambda seen: stream(event(progress(seen, 0)), Hold(gate), event(progress(seen, 1)) * 1000, done(seen)),
        )
        params = {"name": "t", "_meta": {"progressToken": 1}}
        async with asking(gateway.port, "tools/call", params, revision="2025-11-25") as answer:
            await answer.message()
        gate.set()
        await until(lambda: gateway.gateway.call_tool.in_flight == 0)
        assert [line["outcome"] for line in gateway.log if line["event"] == "tool_call"] == ["ok"]


def done(seen: Heard) -> bytes:
    return event(response_to(seen, text("done", new=seen.new)))
