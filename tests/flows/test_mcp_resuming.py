"""Servers that answer on another stream than that of the call: its rest, or its progress alone (gateway/P11)."""

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from axhub.gateway.config.settings import RegistrySettings
from support.callers import calling, is_error, names_of, text_of, until
from support.events import asking
from support.gateway import HANDSHAKE, NEW, running, settings
from support.mcp_hosts import Heard, McpHost, OwnStream, mcp_bundle, progress, timed
from support.mcp_hosts_failures import BROKEN
from support.mcp_hosts_wire import event, response_to, stream, text
from support.process import declared, gateway_process, mcp
from support.tool_service import Answer, Hold, reply

ANNOUNCES = pytest.mark.parametrize("announces", [True, False], ids=["announces", "announces nothing"])
RARELY = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=100)
PARAMS = {"name": "t", "arguments": {}, "_meta": {"progressToken": "mine"}}


def later(retry: int = 100) -> bytes:
    """Return the event by which a server says that the rest is to be asked for."""
    return b"id: e/%d\nretry: %d\ndata: \n\n" % (retry, retry)


def done(seen: Heard) -> bytes:
    return event(response_to(seen, text("done")))


@pytest.mark.parametrize("revision", [*HANDSHAKE, NEW])
@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_caller_of_any_revision_gets_what_a_server_brings_after_it_closed_the_stream(revision: str) -> None:
    """With `forwardAuthorization`, each of the requests says who asks."""
    async with McpHost(timed("t", 20_000), era="old") as host:
        trusted = mcp_bundle(host, forward_authorization=True)
        async with running(settings(trusted)) as gateway:
            host.says("tools/call", stream(later()))
            host.says("GET", stream(later(101)), lambda _: stream(done(host.of("tools/call")[0])))
            lines = ((b"Authorization", b"Bearer t-1"), (b"guid", b"g-1"))
            answer = await gateway.call("t", revision=revision, headers=lines)
            assert (text_of(answer), is_error(answer)) == ("done", False)
        assert len(host.of("tools/call")) == 1
        asked = [get.request.headers for get in host.of("GET")]
        assert [headers[b"last-event-id"] for headers in asked] == [b"e/100", b"e/101"]
        assert {(headers[b"authorization"], headers[b"guid"]) for headers in asked} == {(b"Bearer t-1", b"g-1")}


@pytest.mark.req("gateway/P11")
async def test_progress_goes_on_over_all_streams_of_a_call() -> None:
    async with McpHost(timed("t", 20_000), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", lambda seen: stream(event(progress(seen, 1)), later()))

        def goes_on(at: int, *last: bytes) -> Answer:
            return stream(event(progress(host.of("tools/call")[0], at)), *(last or (later(),)))

        def polls(get: Heard) -> Answer:
            at = len([seen for seen in host.of("GET") if b"last-event-id" in seen.request.headers])
            if b"last-event-id" not in get.request.headers:
                return reply(405, b"", content_type=None)  # the session's own stream
            return goes_on(at + 1, done(host.of("tools/call")[0])) if at == 3 else goes_on(at + 1)

        host.says("GET", polls)
        async with asking(gateway.port, "tools/call", PARAMS) as answer:
            told = [(await answer.message())["params"] for _ in range(4)]
            assert told == [{"progressToken": "mine", "progress": at} for at in range(1, 5)]
            assert (await answer.message())["result"]["content"][0]["text"] == "done"


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_a_server_that_closes_every_stream_and_gives_the_rest_later_is_a_bundle_like_any_other() -> None:
    """Of the opening, of each page of its list and of each call."""
    async with McpHost(timed("t", 20_000), era="old", streams=True) as host:
        asked: list[Heard] = []

        def breaks_off(seen: Heard) -> Answer:
            asked.append(seen)
            named = [(b"Mcp-Session-Id", host.sessions[-1])] if host.sessions else []
            return stream(later(), headers=named)

        def opens(seen: Heard) -> Answer:
            host.usually(seen)  # there is a session from here on; what it says of it comes with the rest
            return breaks_off(seen)

        host.says("initialize", opens)
        for method in ("tools/list", "tools/call"):
            host.says(method, breaks_off)
        host.says("GET", lambda _: host.usually(asked[-1]))
        async with running(settings(mcp_bundle(host))) as gateway:
            assert names_of(await gateway.rpc("tools/list")) == ["t"]
            assert text_of(await gateway.call("t", b'{"n":1}')) == '{"n":1}'
        assert [len(host.of(method)) for method in ("initialize", "tools/list", "tools/call", "GET")] == [1, 1, 1, 3]


@pytest.mark.req("gateway/P11", "gateway/X4")
async def test_a_server_that_offers_the_rest_and_does_not_give_it_is_told_as_a_broken_connection() -> None:
    async with McpHost(timed("t", 20_000), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", stream(later()))
        for answer in (reply(405, b"", content_type=None), reply(404, b"{}"), reply(200, b"{}")):
            host.says("GET", answer)
            assert text_of(await gateway.call("t")) == BROKEN
        outcomes = [line["outcome"] for line in gateway.log if line["event"] == "tool_call"]
        assert outcomes == ["unreachable"] * 3
        assert len(host.of("tools/call")) == 3
        assert host.sessions == [b"s-1"]


@pytest.mark.req("gateway/P11", "gateway/X8")
async def test_a_new_caller_that_leaves_between_two_streams_cancels_its_call_and_an_old_one_does_not() -> None:
    async with McpHost(timed("t", 20_000), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", stream(later(1500)))
        host.says("GET", lambda _: stream(done(host.of("tools/call")[-1])))

        async def left(revision: str, number: int) -> None:
            async with calling(gateway.port) as caller:
                caller.start_call("t", revision=revision)
                await host.hears("tools/call", number)
                await until(lambda: gateway.gateway.client.usage()["mcp"].active == 0)
                caller.reset()
            await until(lambda: gateway.gateway.call_tool.in_flight == 0)

        await left(NEW, 1)
        told = await host.hears("notifications/cancelled")
        assert (bytes(told.params["requestId"]), host.of("GET")) == (host.of("tools/call")[0].id, [])
        await left("2025-11-25", 2)
        assert (len(host.of("notifications/cancelled")), len(host.of("GET"))) == (1, 1)
        assert [line["outcome"] for line in gateway.log if line["event"] == "tool_call"] == ["cancelled", "ok"]


@ANNOUNCES
@pytest.mark.parametrize("revision", ["2025-03-26", NEW])
@pytest.mark.req("gateway/P11")
async def test_progress_that_comes_on_the_sessions_stream_reaches_its_caller_by_the_callers_token(
    announces: bool, revision: str
) -> None:
    """Twice: what one call has heard says nothing of the next one."""
    own = OwnStream()
    async with McpHost(timed("t", 20_000), era="old", announces=announces) as host:
        host.says("GET", own)
        async with running(settings(mcp_bundle(host), registry=RARELY)) as gateway:
            for number in (1, 2):
                gate = asyncio.Event()
                host.says("tools/call", held(gate))
                asked = asyncio.create_task(heard_by(gateway.port, revision, gate))
                seen = await host.hears("tools/call", number)
                own.say(progress(seen, 1, message="반"), progress(seen, 2))
                assert await asked == [{"progress": 1, "message": "반"}, {"progress": 2}]
            assert {get.session for get in host.of("GET")} == {b"s-1"}


def held(gate: asyncio.Event) -> Callable[[Heard], Answer]:
    """Return what answers in one piece, without a stream, once it may."""
    return lambda seen: (Hold(gate), *reply(body=response_to(seen, text("done"))))


async def heard_by(port: int, revision: str, gate: asyncio.Event) -> list[dict[str, object]]:
    """Call with a token and return two notices of progress without it; the call may end after them."""
    async with asking(port, "tools/call", PARAMS, revision=revision) as answer:
        told = [(await answer.message())["params"] for _ in range(2)]
        gate.set()
        assert "result" in await answer.message()
    assert [params.pop("progressToken") for params in told] == ["mine", "mine"]
    return told


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_a_call_that_waits_for_its_rest_is_told_of_the_end_of_the_gateway_and_does_not_hold_it_up(
    tmp_path: Path,
) -> None:
    async with McpHost(timed("t", 30_000), era="old") as host:
        host.says("tools/call", stream(later(20_000)))
        declaring = mcp(declared("mcp", host.url("/mcp"), protocol="mcp"), drainSeconds=0.2)
        async with gateway_process(tmp_path, declaring) as gateway, calling(gateway.port) as caller:
            caller.start_call("t")
            await host.hears("tools/call")
            began = time.monotonic()
            gateway.signal(signal.SIGTERM)
            assert text_of(await caller.read()).startswith("The call was cancelled.")
            assert await gateway.exit_code() == 0
            assert time.monotonic() - began < 8  # 0.2 and 1, and what a busy machine adds; the wait has 20
            assert gateway.log.other_lines == []
            assert gateway.log.named("stopped", callsCut=1)
