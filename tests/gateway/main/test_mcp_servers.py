"""The bundles that are MCP servers, put together: which are some, who lists them, who listens (gateway/P11)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from axhub.contract.endpoints import parse_url
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.config.settings import DiscoverySettings
from axhub.gateway.main import Gateway, wire
from axhub.gateway.main.mcp_servers import manifests, mcp_servers
from axhub.gateway.ports import Failure, McpAnswer, Pulled, PullFailure
from gateway.adapters.mcp_client.resumed import place
from support.gateway import bundle, first_attempt, running, settings
from support.manifests import manifest
from support.mcp_clients import call, failure_of
from support.mcp_hosts import LIST_CHANGED, McpHost, listed, mcp_bundle
from support.mcp_hosts_wire import event, stream
from support.tool_service import Hang, Hold, ToolService, reply
from support.wire import eventually

CLOCK = SystemClock()
DISCOVERY = DiscoverySettings(connect_timeout_millis=500, read_timeout_millis=1500, max_manifest_bytes=5000)


@asynccontextmanager
async def connecting() -> AsyncIterator[Http1Client]:
    client = Http1Client({}, 1.0, 10_000, None, CLOCK)
    yield client
    await client.close()


@pytest.mark.req("gateway/P11", "gateway/G1")
async def test_enabled_bundles_that_are_mcp_servers_are_built_and_nothing_is_contacted() -> None:
    async with McpHost() as host, connecting() as client:
        bundles = [
            mcp_bundle(host, "a"),
            mcp_bundle(host, "off", enabled=False),
            bundle(host.url("/tool-manifest"), "plain"),
        ]
        found = mcp_servers(bundles, "보험 MCP", client, CLOCK, lambda: 0.0, lambda _bundle: None, DISCOVERY)
        assert set(found.servers) == {"a"}
        assert (found.servers["a"].open_seconds, found.servers["a"].most_waiting) == (2.0, 96)
        assert found.servers["a"].client.server == parse_url(host.url("/mcp"))
        assert '"name":"보험 MCP"'.encode() in found.servers["a"].client.info
        async with found.attended():
            await asyncio.sleep(0)
        assert host.requests == []


@pytest.mark.req("gateway/P11", "gateway/G4")
async def test_each_bundle_is_listed_in_its_own_protocol_within_the_same_bounds() -> None:
    async with McpHost(listed("find")) as host, ToolService() as service, connecting() as client:
        service.on("/m", reply(body=b"{}"))
        bundles = [mcp_bundle(host, "a"), bundle(service.url("/m"), "plain")]
        servers = mcp_servers(bundles, "x", client, CLOCK, lambda: 0.0, lambda _bundle: None, DISCOVERY).servers
        source = manifests(bundles, servers, client, CLOCK, DISCOVERY)
        assert await source.pull("plain", None) == Pulled(body=b"{}")
        assert b'"find"' in ((await source.pull("a", None)).body or b"")
        host.tools = [listed("x" * 5000)]
        assert (await source.pull("a", None)).failure is PullFailure.TOO_LARGE
        service.on("/m", reply(body=b" " * 5001))
        assert (await source.pull("plain", None)).failure is PullFailure.TOO_LARGE


@pytest.mark.req("gateway/P11")
async def test_without_mcp_servers_manifests_come_as_ever() -> None:
    async with connecting() as client:
        source = manifests([bundle("http://x/m", "plain")], {}, client, CLOCK, DISCOVERY)
        assert isinstance(source, HttpManifestSource)


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_attending_listens_and_gives_the_sessions_back_at_the_end() -> None:
    changed: list[str] = []
    async with McpHost(era="old", announces=True) as host, connecting() as client:
        host.says("GET", stream(event(LIST_CHANGED), Hang()))
        found = mcp_servers([mcp_bundle(host, "a")], "x", client, CLOCK, lambda: 0.0, changed.append, DISCOVERY)
        async with found.attended():
            await found.servers["a"].open(5.0)
            await eventually(lambda: changed == ["a"])
            assert host.of("DELETE") == []
        assert [seen.session for seen in host.of("DELETE")] == [b"s-1"]
        await eventually(lambda: host.open_connections == 0)


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_a_server_that_takes_no_leave_does_not_hold_the_end_up_for_long() -> None:
    async with McpHost(era="old") as host, connecting() as client:
        host.says("DELETE", (Hang(),))
        found = mcp_servers([mcp_bundle(host, "a")], "x", client, CLOCK, lambda: 0.0, lambda _bundle: None, DISCOVERY)
        async with asyncio.timeout(10), found.attended():
            await found.servers["a"].open(5.0)
        assert len(host.of("DELETE")) == 1


@asynccontextmanager
async def in_a_session(host: McpHost) -> AsyncIterator[Gateway]:
    """Run a gateway without a front until its first refresh is over, and so in a session."""
    gateway = wire(settings(mcp_bundle(host)), JsonLog(lambda _line: None, CLOCK), CLOCK)
    async with gateway.refreshing():
        await first_attempt(gateway)
        yield gateway


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_calls_that_wait_are_cancelled_before_their_session_is_given_back() -> None:
    answers: list[McpAnswer] = []
    async with McpHost(listed("find"), era="old") as host:
        host.says("tools/call", stream(place(retry=5000)))
        async with in_a_session(host) as gateway:
            for _ in range(3):
                gateway.mcp.calls.call(call(), answers.append, None)
            await host.hears("tools/call", 3)
            await eventually(lambda: gateway.client.usage()["mcp"].active == 0)
        assert [failure_of(answer) for answer in answers] == [(Failure.CANCELLED, True)] * 3
        said = [seen.method for seen in host.heard]
        assert said[said.index("tools/call") :] == ["tools/call"] * 3 + ["notifications/cancelled"] * 3 + ["DELETE"]
        assert {seen.session for seen in host.of("notifications/cancelled", "DELETE")} == {b"s-1"}


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_while_servers_are_told_that_it_is_over_no_call_begins_and_no_session_is_opened() -> None:
    answers: list[McpAnswer] = []
    gate = asyncio.Event()
    async with McpHost(listed("find"), era="old") as host:
        host.says("DELETE", (Hold(gate), *reply(200, b"", content_type=None)))
        running_until = asyncio.Event()

        async def run() -> Gateway:
            async with in_a_session(host) as gateway:
                started.set_result(gateway)
                await running_until.wait()
            return gateway

        started: asyncio.Future[Gateway] = asyncio.get_running_loop().create_future()
        going = asyncio.create_task(run())
        gateway = await started
        running_until.set()
        await host.hears("DELETE")
        gateway.mcp.calls.call(call(), answers.append, None)
        assert [failure_of(answer) for answer in answers] == [(Failure.UNREACHABLE, False)]
        gate.set()
        await going
        assert (len(host.of("initialize")), host.of("tools/call")) == (1, [])


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_a_server_that_does_not_hear_of_cancelled_calls_does_not_hold_the_end_up_for_long() -> None:
    async with McpHost(listed("find"), era="old") as host:
        host.says("tools/call", stream(place(retry=5000)))
        async with asyncio.timeout(10), in_a_session(host) as gateway:
            gateway.mcp.calls.call(call(), lambda _answer: None, None)
            await host.hears("tools/call")
            await eventually(lambda: gateway.client.usage()["mcp"].active == 0)
            host.says("notifications/cancelled", (Hang(),))
        assert [seen.session for seen in host.of("DELETE")] == [b"s-1"], "it is told all the same that it is over"


@pytest.mark.req("gateway/P11")
async def test_a_notice_has_the_running_gateway_pull_and_show_what_is_new() -> None:
    gate = asyncio.Event()
    async with McpHost(listed("find"), announces=True) as host, ToolService() as service:
        service.on("/m", reply(body=manifest("plain", ["plain_find"])))
        host.says("subscriptions/listen", stream(Hold(gate), event(LIST_CHANGED), Hang()))
        async with running(settings(mcp_bundle(host), bundle(service.url("/m"), "plain"))) as gateway:
            await host.hears("subscriptions/listen")
            host.tools = [listed("find"), listed("find_new")]
            gate.set()
            await host.hears("tools/list", 2)

            def shown() -> list[str]:
                found = gateway.gateway.refresh.snapshot
                return [] if found is None else [entry.tool.name for entry in found.tools]

            await eventually(lambda: shown() == ["find", "find_new", "plain_find"])
            assert len(service.requests) == 1
