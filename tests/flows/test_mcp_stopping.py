"""The end of a gateway with MCP servers: streams and sessions end with it, in time and in order (gateway/P11, C6)."""

import asyncio
import signal
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from support.callers import calling, is_error, text_of
from support.events import asking, listening
from support.gateway import NEW
from support.mcp_hosts import Era, Heard, McpHost, listed, progress, timed
from support.mcp_hosts_wire import event, response_to, stream, text
from support.process import declared, gateway_process, mcp
from support.tool_service import Answer, Hang, Hold, reply

ERAS = pytest.mark.parametrize("era", ["new", "old"])
CUT = "The call was cancelled. It is not known whether the tool did its work."
UNSENT = "The tool cannot be reached at the moment. Nothing was sent; try again later."


def server(host: McpHost, bundle_id: str = "mcp", **keys: Any) -> dict[str, Any]:
    return declared(bundle_id, host.url("/mcp"), protocol="mcp", **keys)


@ERAS
@pytest.mark.req("gateway/P11", "gateway/C6", "ops/O5")
async def test_a_signal_ends_streams_and_sessions_and_the_call_in_flight_finishes(era: Era, tmp_path: Path) -> None:
    gate = asyncio.Event()

    def held(seen: Heard) -> Answer:
        done = event(response_to(seen, text("done", new=seen.new)))
        return stream(event(progress(seen, 1)), Hold(gate), event(progress(seen, 2)), done)

    async with McpHost(timed("held", 20_000), era=era, announces=True) as host, AsyncExitStack() as stack:
        host.says("tools/call", held)
        gateway = await stack.enter_async_context(gateway_process(tmp_path, mcp(server(host))))
        await host.hears("subscriptions/listen" if era == "new" else "GET")
        listener = await stack.enter_async_context(listening(gateway.port))
        params = {"name": "held", "_meta": {"progressToken": 1}}
        call = await stack.enter_async_context(asking(gateway.port, "tools/call", params))
        assert (await call.message())["params"]["progress"] == 1
        gateway.signal(signal.SIGTERM)
        await gateway.log.event("draining")
        assert "result" in await listener.message()
        gate.set()
        assert (await call.message())["params"]["progress"] == 2
        assert (await call.message())["result"]["content"][0]["text"] == "done"
        call.leave()
        listener.leave()
        assert await gateway.exit_code() == 0
        assert [seen.session for seen in host.of("DELETE")] == ([b"s-1"] if era == "old" else [])
        assert gateway.log.other_lines == []
        assert gateway.log.named("stopped", callsCut=0)
        assert [event for event in gateway.log.events if event["level"] == "error"] == []


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_servers_that_hang_in_every_way_hold_the_end_up_for_a_second_or_so(tmp_path: Path) -> None:
    """Calls, streams, questions, an opening and the farewell hang; after the drain nothing of it is waited for long."""
    async with (
        McpHost(timed("old_t", 20_000), era="old", announces=True) as old,
        McpHost(timed("new_t", 20_000), announces=True) as new,
        McpHost(era="old") as deaf,
    ):
        for host in (old, new):
            host.says("tools/call", lambda seen: stream(event(b'{"jsonrpc":"2.0","id":5,"method":"ping"}'), Hang()))
            for method in ("", "DELETE", "notifications/cancelled"):
                host.says(method, (Hang(),))
        settings = mcp(server(old, "old"), server(new, "new"), drainSeconds=0.2)
        async with (
            gateway_process(tmp_path, settings) as gateway,
            calling(gateway.port) as one,
            calling(gateway.port) as two,
        ):
            await new.hears("subscriptions/listen")
            await old.hears("GET")
            one.start_call("old_t")
            two.start_call("new_t", revision=NEW)
            await old.hears("tools/call")
            await new.hears("tools/call")
            await old.hears("")
            began = time.monotonic()
            gateway.signal(signal.SIGTERM)
            assert text_of(await one.read()) == CUT
            assert text_of(await two.read()) == CUT
            assert await gateway.exit_code() == 0
            assert time.monotonic() - began < 8  # 0.2 and 1, and what a busy machine adds; each hang has 5 or more
            assert gateway.log.other_lines == []
            assert gateway.log.named("stopped", callsCut=2)
        assert deaf.connections == 0


LATER = b"id: e-1\nretry: 20000\ndata:\n\n"
REVISIONS = pytest.mark.parametrize("revision", ["2025-11-25", NEW])


@REVISIONS
@pytest.mark.req("gateway/P11", "gateway/C6", "ops/O5")
async def test_a_call_that_waits_between_two_streams_when_the_drain_ends_is_told_so(
    revision: str, tmp_path: Path
) -> None:
    async with McpHost(timed("t", 30_000), era="old") as host:
        host.says("tools/call", lambda seen: stream(event(progress(seen, 1)), LATER))
        async with AsyncExitStack() as stack:
            gateway = await stack.enter_async_context(gateway_process(tmp_path, mcp(server(host), drainSeconds=0.5)))
            params = {"name": "t", "_meta": {"progressToken": 1}}
            call = await stack.enter_async_context(asking(gateway.port, "tools/call", params, revision=revision))
            assert (await call.message())["params"]["progress"] == 1
            gateway.signal(signal.SIGTERM)
            told = (await call.message())["result"]
            assert (told["content"][0]["text"], told["isError"]) == (CUT, True)
            call.leave()
            assert await gateway.exit_code() == 0
            assert gateway.log.named("stopped", callsCut=1)
            assert gateway.log.named("tool_call", outcome="cancelled")
        assert [len(host.of(method)) for method in ("tools/call", "DELETE")] == [1, 1]
        assert not any(b"last-event-id" in get.request.headers for get in host.of("GET"))


@REVISIONS
@pytest.mark.req("gateway/P11", "gateway/C6", "ops/O5")
async def test_a_call_that_waits_for_a_session_when_a_second_signal_ends_the_drain_is_told_so(
    revision: str, tmp_path: Path
) -> None:
    async with McpHost(timed("t", 30_000), era="old") as host:
        patient = {"connectTimeoutMillis": 10_000, "readTimeoutMillis": 10_000}
        settings = mcp(server(host), drainSeconds=3600, discovery=patient)
        async with gateway_process(tmp_path, settings) as gateway, calling(gateway.port) as caller:
            for method in ("initialize", "server/discover"):
                host.says(method, (Hang(),))
            opened = len(host.of("initialize"))
            host.lose_sessions()
            caller.start_call("t", revision=revision)
            await host.hears("initialize", opened + 1)
            gateway.signal(signal.SIGTERM)
            await gateway.log.event("draining")
            gateway.signal(signal.SIGTERM)
            answer = await caller.read()
            assert (text_of(answer), is_error(answer)) == (UNSENT, True)
            assert await gateway.exit_code() == 0
            assert gateway.log.named("stopped", callsCut=1)


@pytest.mark.req("gateway/P11", "gateway/C6", "gateway/X7")
async def test_a_caller_of_an_unknown_name_for_which_a_server_is_being_opened_is_answered_when_the_drain_ends(
    tmp_path: Path,
) -> None:
    async with McpHost(timed("t", 30_000), era="old") as host:
        patient = {"connectTimeoutMillis": 10_000, "readTimeoutMillis": 10_000}
        rarely = {"refreshIntervalSeconds": 3600, "recheckMinIntervalMillis": 1}
        settings = mcp(server(host), drainSeconds=0.2, discovery=patient, registry=rarely)
        async with gateway_process(tmp_path, settings) as gateway, calling(gateway.port) as caller:
            asked = len(host.of("server/discover"))
            for method in ("initialize", "server/discover"):
                host.says(method, (Hang(),))
            host.lose_sessions()
            caller.start_call("unknown")
            await host.hears("server/discover", asked + 1)
            gateway.signal(signal.SIGTERM)
            assert (await caller.read()).json["error"]["data"] == {"reason": "tool_not_found"}
            assert await gateway.exit_code() == 0


@pytest.mark.req("gateway/P11", "gateway/C6", "gateway/G1")
async def test_a_signal_while_a_server_is_being_opened_ends_it_too(tmp_path: Path) -> None:
    async with McpHost(listed("t"), era="old") as host:
        host.says("initialize", (Hang(),))
        async with gateway_process(tmp_path, mcp(server(host)), wait_ready=False) as gateway:
            await host.hears("initialize")
            gateway.signal(signal.SIGTERM)
            assert await gateway.exit_code() == 0
            assert gateway.log.other_lines == []


@pytest.mark.req("gateway/P11", "gateway/C6", "threat/T11", "threat/T12")
async def test_neither_log_nor_status_nor_callers_are_told_what_a_server_said_of_itself(tmp_path: Path) -> None:
    secret = "canary-7f3a"
    async with McpHost(timed("t", 300), era="old") as host:
        host.says("initialize", host.usually)
        said = reply(
            500, f"Traceback {secret}".encode(), content_type=b"text/plain", headers=[(b"X-Path", secret.encode())]
        )
        arguments = b'{"a":"%b"}' % secret.encode()
        async with gateway_process(tmp_path, mcp(server(host))) as gateway:
            bodies = []
            for answer in (said, (Hang(),), reply(body=b"<%b>" % secret.encode())):
                host.says("tools/call", answer)
                bodies.append((await gateway.call("t", arguments, headers=((b"employee-no", secret.encode()),))).body)
            host.says("tools/list", said)
            await gateway.call("unknown")
            bodies.append((await gateway.get("/actuator/toolBundles")).body)
            bodies.append((await gateway.get("/actuator/prometheus")).body)
            assert (await gateway.status())["mcp"]["lastFailureReason"] == "HttpStatus"
        assert secret.encode() not in b"".join(bodies)
        assert secret not in gateway.log.raw.decode()
        assert b":%d" % host.port not in b"".join(bodies)
        assert b"/mcp" not in b"".join(bodies)
