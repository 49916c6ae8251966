"""Eras and sessions of MCP servers: found out, kept, renewed once for all who need it (gateway/P11, gateway/X6)."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from support.callers import is_error, many_calling, text_of
from support.gateway import NEW, running, settings
from support.mcp_hosts import ASKED, Heard, McpHost, listed, mcp_bundle, refreshed, state, timed
from support.mcp_hosts_wire import error_to, event, http_error, response_to, stream, text
from support.tool_service import Answer, Hang, Hold, Reset, Send, reply, response

OPENING = ["server/discover", "initialize", "notifications/initialized"]
NOT_SENT = "The tool cannot be reached at the moment. Nothing was sent; try again later."
BROKEN = "The connection to the tool broke before it answered. It is not known whether it did its work."
DEAD: dict[str, Answer] = {
    "404": http_error(404, b'{"code":-32001,"message":"Session not found"}'),
    "404 without a body": reply(404, b"", content_type=None),
    "404 of another kind": reply(404, b"<html>", content_type=b"text/html"),
    "400 that names no request": http_error(400, b'{"code":-32000,"message":"Bad Request: No valid session ID"}'),
    "400 that is no message": reply(400, b"Bad Request: No valid session ID provided", content_type=b"text/plain"),
    "400 without id": reply(400, b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"Missing session ID"}}'),
}


def methods(host: McpHost, since: int = 0) -> list[str]:
    return [seen.method for seen in host.heard[since:]]


@pytest.mark.req("gateway/P11")
async def test_a_server_of_the_stateless_era_is_asked_for_it_once_and_told_who_asks() -> None:
    async with McpHost(listed("claim_find"), era="both") as host, running(settings(mcp_bundle(host))) as gateway:
        await gateway.call("claim_find")
        assert methods(host) == ["server/discover", "tools/list", "tools/call"]
        for seen in host.heard:
            headers = seen.request.headers
            assert headers[b"mcp-protocol-version"] == NEW.encode()
            assert headers[b"mcp-method"] == seen.method.encode()
            assert headers[b"accept"] == b"application/json, text/event-stream"
            assert b"mcp-session-id" not in headers
            assert seen.meta["io.modelcontextprotocol/clientInfo"]["name"] == "mcp-test"
        assert host.heard[-1].request.headers[b"mcp-name"] == b"claim_find"


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("sessions", [True, False])
@pytest.mark.req("gateway/P11")
async def test_a_server_of_the_handshake_era_is_opened_once_and_its_session_used(revision: str, sessions: bool) -> None:
    async with McpHost(listed("claim_find"), era="old", revision=revision, sessions=sessions) as host:
        async with running(settings(mcp_bundle(host))) as gateway:
            await gateway.call("claim_find")
            await gateway.call("claim_find")
            assert methods(host) == [*OPENING, "tools/list", "tools/call", "tools/call"]
            opening, *after = host.heard[1:]
            assert opening.json["params"]["capabilities"] == {}
            assert b"mcp-protocol-version" not in opening.request.headers
            for seen in after:
                assert seen.request.headers[b"mcp-protocol-version"] == revision.encode()
                assert seen.session == (b"s-1" if sessions else None)
                assert "io.modelcontextprotocol/protocolVersion" not in seen.meta
        assert [seen.session for seen in host.of("DELETE")] == ([b"s-1"] if sessions else [])


@pytest.mark.parametrize(
    "refusal",
    [
        lambda seen: http_error(400, b'{"code":-32000,"message":"Bad Request: Server not initialized"}'),
        lambda seen: reply(404, b"no", content_type=b"text/plain"),
        lambda seen: reply(405, b"", content_type=None),
        lambda seen: reply(body=error_to(seen, -32601, "Method not found")),
        lambda seen: reply(400, error_to(seen, -32022, "Unsupported", {"supported": ["2025-11-25"]})),
        lambda seen: reply(body=response_to(seen, {"supportedVersions": ["2027-01-01"], "capabilities": {}})),
        lambda seen: reply(body=response_to(seen, {"supportedVersions": "all"})),
        lambda seen: reply(500, b"oops", content_type=None),
        lambda seen: stream(event(error_to(seen, -32601, "Method not found"))),
    ],
)
@pytest.mark.req("gateway/P11")
async def test_whatever_a_server_of_the_handshake_era_says_to_a_discovery_it_is_initialized(
    refusal: Callable[[Heard], Answer],
) -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        host.says("server/discover", refusal)
        async with running(settings(mcp_bundle(host))) as gateway:
            assert text_of(await gateway.call("claim_find")) == "{}"


def session_named(seen: Heard, name: bytes) -> Answer:
    result = {"protocolVersion": "2025-11-25", "capabilities": {}}
    return reply(body=response_to(seen, result), headers=[(b"Mcp-Session-Id", name)])


UNUSABLE: dict[str, tuple[Callable[[Heard], Answer], str]] = {
    "an older revision": (lambda seen: reply(body=response_to(seen, {"protocolVersion": "2024-11-05"})), "no revision"),
    "one of the future": (lambda seen: reply(body=response_to(seen, {"protocolVersion": "2099-01-01"})), "no revision"),
    "the stateless one": (lambda seen: reply(body=response_to(seen, {"protocolVersion": NEW})), "no revision"),
    "no revision": (lambda seen: reply(body=response_to(seen, {"capabilities": {}})), "no revision"),
    "no object": (lambda seen: reply(body=response_to(seen, b"[]")), "no revision"),
    "an id with a blank": (lambda seen: session_named(seen, b"a b"), "session id"),
    "an id that is not ASCII": (lambda seen: session_named(seen, "세션".encode()), "session id"),
    "an id with a tab": (lambda seen: session_named(seen, b"a\tb"), "session id"),
}


@pytest.mark.parametrize(("initialized", "told"), UNUSABLE.values(), ids=UNUSABLE)
@pytest.mark.req("gateway/P11", "gateway/G5")
async def test_a_server_that_cannot_be_spoken_to_is_an_invalid_manifest(
    initialized: Callable[[Heard], Answer], told: str
) -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        host.says("initialize", initialized)
        async with running(settings(mcp_bundle(host))) as gateway:
            assert state(gateway).last_failure_reason == "InvalidManifest"
            assert host.of("tools/list") == []
            (line,) = [line for line in gateway.log if line["event"] == "manifest_pull_failed"]
            assert told in line["detail"]


@pytest.mark.req("gateway/P11")
async def test_ids_of_sessions_go_back_as_they_came() -> None:
    odd = bytes(range(0x21, 0x7F))
    async with McpHost(listed("claim_find"), era="old") as host:
        host.says("initialize", lambda seen: session_named(seen, odd))
        host.known.add(odd)
        async with running(settings(mcp_bundle(host))) as gateway:
            assert text_of(await gateway.call("claim_find")) == "{}"
            assert host.heard[-1].session == odd


@pytest.mark.req("gateway/P11")
async def test_initialize_may_be_answered_by_events_of_which_the_first_is_empty() -> None:
    async with McpHost(listed("claim_find"), era="old", streams=True) as host:

        def opened(seen: Heard) -> Answer:
            host.known.add(b"s-7")
            result = {"protocolVersion": "2025-11-25", "capabilities": {}}
            parts = b"id: 1\ndata: \n\n", b": hello\n\n", b"id: 2\n" + event(response_to(seen, result))
            return stream(*parts, headers=[(b"mcp-session-id", b"s-7")])

        host.says("initialize", opened)
        async with running(settings(mcp_bundle(host))) as gateway:
            assert text_of(await gateway.call("claim_find")) == "{}"
            assert host.heard[-1].session == b"s-7"


@pytest.mark.parametrize("dead", DEAD.values(), ids=DEAD)
@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_call_in_a_session_that_died_is_sent_once_more_in_a_new_one(dead: Answer) -> None:
    async with McpHost(listed("claim_find"), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.unknown_session = dead
        host.lose_sessions()
        began = len(host.heard)
        assert text_of(await gateway.call("claim_find", b'{"n":1}')) == '{"n":1}'
        assert methods(host, began) == ["tools/call", *OPENING[1:], "tools/call"]
        first, second = host.of("tools/call")
        assert (first.session, second.session) == (b"s-1", b"s-2")
        assert first.arguments == second.arguments
        assert text_of(await gateway.call("claim_find")) == "{}"
        assert len(host.of("initialize")) == 2


@pytest.mark.parametrize("dead", list(DEAD.values())[::3], ids=list(DEAD)[::3])
@pytest.mark.req("gateway/P11", "gateway/X6", "gateway/X10")
async def test_many_calls_at_once_share_one_new_session_and_each_is_answered_as_its_own(dead: Answer) -> None:
    """Some of them were under way when the session died: their own answers count, and they are not sent again."""
    gate = asyncio.Event()
    async with McpHost(timed("held", 20_000), listed("claim_find"), era="old") as host:
        host.unknown_session = dead

        def held(seen: Heard) -> Answer:
            answer = host.usually(seen)
            return (Hold(gate), *answer) if seen.name == "held" else answer

        host.says("tools/call", held)
        async with running(settings(mcp_bundle(host))) as gateway, many_calling(gateway.port, 48) as callers:
            for number in range(8):
                callers[number].start_call("held", mine(number))
            await host.hears("tools/call", 8)
            host.lose_sessions()
            for number in range(8, 48):
                callers[number].start_call("claim_find", mine(number), revision=NEW if number % 2 else "2025-11-25")
            for number in range(8, 48):
                assert text_of(await callers[number].read()) == mine(number).decode()
            gate.set()
            for number in range(8):
                assert text_of(await callers[number].read()) == mine(number).decode()
        assert len(host.of("initialize")) == 2
        sent = Counter(seen.arguments for seen in host.of("tools/call"))
        assert sent == {mine(number): 1 if number < 8 else 2 for number in range(48)}


def mine(number: int) -> bytes:
    return b'{"mine":%d}' % number


@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_a_session_that_dies_again_at_once_is_no_reason_for_a_third_time() -> None:
    async with McpHost(listed("claim_find"), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", http_error(404, b'{"code":-32001,"message":"Session not found"}'))
        answer = await gateway.call("claim_find")
        assert is_error(answer)
        assert text_of(answer).startswith("The tool refused the call (HTTP 404)")
        assert len(host.of("tools/call")) == 2


@pytest.mark.parametrize(
    "real",
    [
        lambda seen: reply(400, error_to(seen, -32602, "Unknown order")),
        lambda seen: reply(body=error_to(seen, -32000, "No valid session of yours")),
        lambda seen: reply(500, b'{"jsonrpc":"2.0","error":{"code":-32000,"message":"x"},"id":null}'),
        lambda seen: stream(event(error_to(seen, -32600, "Session not found"))),
    ],
)
@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_what_answers_the_call_itself_is_final(real: Callable[[Heard], Answer]) -> None:
    async with McpHost(listed("claim_find"), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.says("tools/call", real)
        await gateway.call("claim_find")
        assert len(host.of("tools/call")) == 1
        assert len(host.of("initialize")) == 1


@pytest.mark.parametrize("era", ["new", "old"])
@pytest.mark.parametrize("status", [400, 404])
@pytest.mark.req("gateway/P11", "gateway/X6")
async def test_without_a_session_nothing_is_sent_twice(era: Any, status: int) -> None:
    async with (
        McpHost(listed("claim_find"), era=era, sessions=False) as host,
        running(settings(mcp_bundle(host))) as gateway,
    ):
        host.says("tools/call", reply(status, b"", content_type=None))
        assert is_error(await gateway.call("claim_find"))
        assert len(host.of("tools/call")) == 1


@pytest.mark.parametrize(
    "opening", [reply(503, b""), (Reset(),), reply(body=b"<html>")], ids=["503", "reset", "no JSON"]
)
@pytest.mark.req("gateway/P11", "gateway/X4", "gateway/X6")
async def test_if_no_new_session_is_to_be_had_the_call_says_that_nothing_was_sent(opening: Answer) -> None:
    async with McpHost(listed("claim_find"), era="old") as host, running(settings(mcp_bundle(host))) as gateway:
        host.lose_sessions()
        host.says("initialize", opening)
        for _ in range(2):
            answer = await gateway.call("claim_find")
            assert (text_of(answer), is_error(answer)) == (NOT_SENT, True)
        assert len(host.of("tools/call")) == 1
        host.says("initialize", host.usually)
        assert text_of(await gateway.call("claim_find")) == "{}"


@pytest.mark.req("gateway/P11", "gateway/X11")
async def test_a_new_session_is_waited_for_only_as_long_as_the_call_may_take() -> None:
    async with McpHost(timed("quick", 300), timed("slow", 20_000), era="old") as host:
        gate = asyncio.Event()
        async with running(settings(mcp_bundle(host))) as gateway:
            host.lose_sessions()
            host.says("initialize", lambda seen: (Hold(gate), *host.usually(seen)))
            slow = asyncio.create_task(gateway.call("slow"))
            await host.hears("initialize", 2)
            answer = await gateway.call("quick")
            assert text_of(answer).startswith("The tool could not be reached within its time limit. Nothing was sent")
            assert 280 <= answer.json["result"]["content"][0]["_meta"]["searchTime"] < 5000
            gate.set()
            assert text_of(await slow) == "{}"
        assert len(host.of("initialize")) == 2


@pytest.mark.req("gateway/P11", "gateway/X11")
async def test_who_has_little_time_does_not_end_the_opening_that_others_wait_for() -> None:
    async with McpHost(timed("quick", 100), timed("slow", 20_000), era="old") as host:
        gate = asyncio.Event()
        async with running(settings(mcp_bundle(host))) as gateway:
            host.lose_sessions()
            await gateway.call("quick")  # learns that the session has gone, and opens another
            host.lose_sessions()
            host.says("initialize", lambda seen: (Hold(gate), *host.usually(seen)))
            quick = asyncio.create_task(gateway.call("quick"))
            await host.hears("initialize", 3)
            slow = asyncio.create_task(gateway.call("slow"))
            await quick
            gate.set()
            assert text_of(await slow) == "{}"
        assert len(host.of("initialize")) == 3


@pytest.mark.parametrize("dead", DEAD.values(), ids=DEAD)
@pytest.mark.req("gateway/P11", "gateway/G5")
async def test_a_pull_renews_a_session_that_died(dead: Answer) -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        async with running(settings(mcp_bundle(host), registry=ASKED)) as gateway:
            host.unknown_session = dead
            host.lose_sessions()
            host.tools = [listed("claim_new")]
            await refreshed(gateway)
            assert state(gateway).status == "healthy"
            assert text_of(await gateway.call("claim_new")) == "{}"
        assert len(host.of("initialize")) == 2


@pytest.mark.parametrize(("before", "after"), [("new", "old"), ("old", "new"), ("both", "old"), ("old", "both")])
@pytest.mark.req("gateway/P11")
async def test_a_server_that_comes_back_in_another_era_is_spoken_to_in_it(before: Any, after: Any) -> None:
    async with (
        McpHost(listed("claim_find"), era=before) as host,
        running(settings(mcp_bundle(host), registry=ASKED)) as gateway,
    ):
        await host.restart(era=after)
        await refreshed(gateway)
        assert state(gateway).status == "healthy"
        assert text_of(await gateway.call("claim_find")) == "{}"
        assert host.heard[-1].new == (after != "old")


@pytest.mark.req("gateway/P11", "gateway/X6", "fault/F10")
async def test_a_restart_during_calls_breaks_them_and_the_next_ones_have_a_new_session() -> None:
    async with McpHost(timed("held", 20_000), listed("claim_find"), era="old") as host:
        host.says("tools/call", lambda seen: (Hang(),) if seen.name == "held" else host.usually(seen))
        async with running(settings(mcp_bundle(host))) as gateway:
            calls = [asyncio.create_task(gateway.call("held", mine(number))) for number in range(10)]
            await host.hears("tools/call", 10)
            await host.restart()
            for call in calls:
                answer = await call
                assert (text_of(answer), is_error(answer)) == (BROKEN, True)
            assert text_of(await gateway.call("claim_find")) == "{}"
            assert Counter(seen.arguments for seen in host.of("tools/call"))[mine(3)] == 1


FAILING = {
    "500": reply(500, b"oops", content_type=None),
    "429": reply(429, b"", content_type=None),
    "internal error": reply(200, b'{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"broken"}}'),
}


@pytest.mark.parametrize("failing", FAILING.values(), ids=FAILING)
@pytest.mark.req("gateway/P11")
async def test_a_list_that_fails_leaves_the_session_in_use_to_the_calls(failing: Answer) -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        async with running(settings(mcp_bundle(host), registry=ASKED)) as gateway:
            host.says("tools/list", failing)
            for _ in range(5):
                await refreshed(gateway)
                assert text_of(await gateway.call("claim_find")) == "{}"
        assert len(host.of("initialize")) == 1


@pytest.mark.req("gateway/P11")
async def test_a_session_that_is_left_because_nothing_is_understood_in_it_is_given_back() -> None:
    async with (
        McpHost(listed("claim_find"), era="old") as host,
        running(settings(mcp_bundle(host), registry=ASKED)) as gateway,
    ):
        host.says("tools/list", reply(405, b"", content_type=None))
        await refreshed(gateway)
        assert (await host.hears("DELETE")).session == b"s-1"
        assert len(host.of("initialize")) == 2


@pytest.mark.req("gateway/P11")
async def test_an_answer_whose_id_stands_last_is_read_like_any_other() -> None:
    async with McpHost(listed("claim_find")) as host, running(settings(mcp_bundle(host))) as gateway:
        result = json.dumps(text("last", new=True)).encode()

        def message(seen: Heard) -> bytes:
            return b'{"result":%b,"jsonrpc":"2.0","id":%b}' % (result, seen.id)

        host.says("tools/call", lambda seen: reply(body=message(seen)), lambda seen: stream(event(message(seen))))
        for _ in range(2):
            assert text_of(await gateway.call("claim_find")) == "last"


@pytest.mark.req("gateway/P11")
async def test_the_session_ends_with_the_gateway_whatever_the_server_says_to_that() -> None:
    for farewell in (reply(405, b""), reply(404, b""), (Hang(),), (Reset(),), (Send(response()[:20]), Hang())):
        async with McpHost(listed("claim_find"), era="old") as host:
            host.says("DELETE", farewell)
            async with running(settings(mcp_bundle(host))):
                await host.hears("tools/list")
            assert [seen.session for seen in host.of("DELETE")] == [b"s-1"]
            assert host.of("DELETE")[0].request.body == b""
