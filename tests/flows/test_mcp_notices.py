"""Notices of MCP servers that their tools changed: how soon they count, and how often at most (gateway/P11, P9)."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import product
from typing import Any

import pytest

from axhub.gateway.config.settings import RegistrySettings
from support.callers import names_of, text_of, until
from support.events import CHANGED, listening
from support.gateway import NEW, RunningGateway, running, settings
from support.mcp_hosts import LIST_CHANGED, Era, Heard, McpHost, acknowledged, listed, mcp_bundle
from support.mcp_hosts_wire import event, http_error, response_to, stream, text
from support.tool_service import Answer, Close, Drip, Hang, Hold, Reset, reply
from support.tries import kept

ALL_ERAS: tuple[Era, ...] = ("new", "old")
ERAS = pytest.mark.parametrize("era", ["new", "old"])
RARELY = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=100)


def shown(gateway: RunningGateway) -> list[str]:
    snapshot = gateway.gateway.refresh.snapshot
    return [] if snapshot is None else [entry.tool.name for entry in snapshot.tools]


def method_of(era: Era) -> str:
    return "subscriptions/listen" if era == "new" else "GET"


def noticing(*gates: asyncio.Event) -> Callable[[Heard], Answer]:
    """Return what opens a stream and sends a notice at each gate."""

    def answer(seen: Heard) -> Answer:
        first = event(acknowledged(seen)) if seen.new else b": open\n\n"
        steps = [step for gate in gates for step in (Hold(gate), event(LIST_CHANGED))]
        return stream(first, *steps, Hang())

    return answer


@ERAS
@pytest.mark.req("gateway/P11", "gateway/P9")
async def test_a_notice_reaches_those_who_listen_to_the_gateway_within_a_second_and_a_half(era: Era) -> None:
    """Each at the least interval of pulls that is the default; the last one is heard on a stream of its own."""
    gates = [asyncio.Event() for _ in range(20)]
    calm = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=1000)
    async with McpHost(listed("claim_0"), era=era, announces=True) as host:
        host.says(method_of(era), noticing(*gates))
        async with running(settings(mcp_bundle(host), registry=calm)) as gateway, listening(gateway.port) as listener:
            await host.hears(method_of(era))
            tries = iter(range(1, 21))

            async def told() -> float:
                at = next(tries)
                host.tools = [listed(f"claim_{at}")]
                began = time.monotonic()
                gates[at - 1].set()
                assert (await listener.message())["method"] == CHANGED
                took = time.monotonic() - began
                assert names_of(await gateway.rpc("tools/list", revision=NEW)) == [f"claim_{at}"]
                return took

            await kept(1.5, told)


@ERAS
@pytest.mark.parametrize("asks", [True, False], ids=["asked for", "not asked for"])
@pytest.mark.req("gateway/P11")
async def test_it_is_listened_to_where_it_announces_and_nowhere_else(era: Era, asks: bool) -> None:
    async with McpHost(listed("claim_find"), era=era, announces=asks) as host:
        async with running(settings(mcp_bundle(host), registry=RARELY)) as gateway:
            if asks:
                seen = await host.hears(method_of(era))
                if era == "new":
                    assert seen.json["params"]["notifications"] == {"toolsListChanged": True}
                    assert seen.request.headers[b"mcp-method"] == b"subscriptions/listen"
                else:
                    assert (seen.session, seen.request.headers[b"accept"]) == (b"s-1", b"text/event-stream")
                    assert seen.request.headers[b"mcp-protocol-version"] == b"2025-11-25"
            assert text_of(await gateway.call("claim_find")) == "{}"
            assert gateway.gateway.client.usage()["mcp"].active == 0  # it takes no place of a call
        assert len(host.of(method_of(era))) == asks


@ERAS
@pytest.mark.req("gateway/P11")
async def test_a_notice_on_the_stream_of_a_call_counts_and_is_not_passed_on(era: Era) -> None:
    async with McpHost(listed("claim_find"), era=era) as host:
        host.says(
            "tools/call",
            lambda seen: stream(event(LIST_CHANGED), event(response_to(seen, text("done"))), event(LIST_CHANGED)),
        )
        async with running(settings(mcp_bundle(host), registry=RARELY)) as gateway:
            host.tools = [listed("claim_new")]
            answer = await gateway.call("claim_find")
            assert text_of(answer) == "done"
            assert b"list_changed" not in answer.body
            await until(lambda: shown(gateway) == ["claim_new"])


@ERAS
@pytest.mark.req("gateway/P11", "gateway/G9")
async def test_a_flood_of_notices_makes_no_flood_of_pulls(era: Era) -> None:
    async with McpHost(listed("claim_find"), era=era, announces=True) as host:
        piece = event(LIST_CHANGED)
        flood = (b"%x\r\n%b\r\n" % (len(piece) * 200, piece * 200)) * 40
        host.says(
            method_of(era), lambda seen: (*stream(ends=False), Drip(flood, every=0.01, size=len(flood) // 40), Hang())
        )
        calm = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=300)
        began = time.monotonic()
        async with running(settings(mcp_bundle(host), registry=calm)) as gateway:
            await host.hears("tools/list", 3)
            assert time.monotonic() - began > 0.5  # two intervals, but for what the first pull took
            assert text_of(await gateway.call("claim_find")) == "{}"
            took = time.monotonic() - began
        assert len(host.of("tools/list")) <= 2 + took / 0.3


REFUSALS: dict[str, Callable[[Heard], Answer]] = {
    "405": lambda _: reply(405, b"", content_type=None),
    "404": lambda _: http_error(404, b'{"code":-32601,"message":"Method not found"}'),
    "400": lambda _: http_error(400, b'{"code":-32000,"message":"Bad Request"}'),
    "an error with 200": lambda seen: reply(
        body=b'{"jsonrpc":"2.0","id":%b,"error":{"code":-32601,"message":"Method not found"}}' % (seen.id or b"1")
    ),
    "html": lambda _: reply(body=b"<html>", content_type=b"text/html"),
    "204": lambda _: reply(204, b"", length=None),
}


@pytest.mark.req("gateway/P11")
async def test_a_server_that_refuses_to_be_listened_to_is_asked_once_a_session() -> None:
    """What it says to that costs neither its session nor a pull. All refusals in both eras at once."""
    async with AsyncExitStack() as stack:
        hosts = []
        for at, (era, refusal) in enumerate(product(ALL_ERAS, REFUSALS.values())):
            host = await stack.enter_async_context(McpHost(listed(f"claim_{at}"), era=era, announces=True))
            host.says(method_of(era), refusal)
            hosts.append(host)
        bundles = [mcp_bundle(host, f"b{at:02}") for at, host in enumerate(hosts)]
        gateway = await stack.enter_async_context(running(settings(*bundles, registry=RARELY)))
        for host in hosts:
            await host.hears(method_of(host.era))
        await asyncio.sleep(1.2)  # nothing to wait for: no second time, though the first wait is over
        for at, host in enumerate(hosts):
            assert text_of(await gateway.call(f"claim_{at}")) == "{}"
            assert [len(host.of(name)) for name in (method_of(host.era), "tools/list")] == [1, 1]
            assert len(host.of("initialize")) == (host.era == "old")


BREAKS: dict[str, Callable[[Heard], Answer]] = {
    "it ends": lambda _: stream(b": bye\n\n"),
    "its connection ends": lambda _: (*stream(ends=False), Close()),
    "reset": lambda _: (*stream(b": so far\n\n", ends=False), Reset()),
    "with a result": lambda seen: stream(event(b'{"jsonrpc":"2.0","id":%b,"result":{}}' % (seen.id or b"0"))),
}
ENDED = ("it ends", "with a result")
"""Where it is certain that there was a stream; so something may have been missed."""


@pytest.mark.req("gateway/P11")
async def test_after_a_stream_broke_it_is_listened_again_and_what_was_missed_is_pulled() -> None:
    await asyncio.gather(*(_breaks(era, name) for era, name in product(ALL_ERAS, BREAKS)))


async def _breaks(era: Era, name: str) -> None:
    gate = asyncio.Event()
    async with McpHost(listed("claim_find"), era=era, announces=True) as host:
        host.says(method_of(era), BREAKS[name], noticing(gate))
        async with running(settings(mcp_bundle(host), registry=RARELY)) as gateway:
            await host.hears(method_of(era))
            host.tools = [listed("claim_missed")]
            await host.hears(method_of(era), 2)
            if name in ENDED:
                await until(lambda: shown(gateway) == ["claim_missed"])
            host.tools = [listed("claim_told")]
            gate.set()
            await until(lambda: shown(gateway) == ["claim_told"])
        assert len(host.of("initialize")) == (era == "old")


@pytest.mark.req("gateway/P11")
async def test_a_server_that_comes_back_is_found_by_who_listens_to_it() -> None:
    """No call and no scheduled pull is needed to see that it has been restarted with other tools."""
    await asyncio.gather(*(_comes_back(era) for era in ALL_ERAS))


async def _comes_back(era: Era) -> None:
    async with (
        McpHost(listed("claim_old"), era=era, announces=True) as host,
        running(settings(mcp_bundle(host), registry=RARELY)) as gateway,
    ):
        await host.hears(method_of(era))
        await asyncio.sleep(1.1)  # the stream has to have lived for longer than the first wait
        host.tools = [listed("claim_new")]
        await host.restart()
        await until(lambda: shown(gateway) == ["claim_new"])
        await host.hears(method_of(era), 2)
        assert text_of(await gateway.call("claim_new")) == "{}"


@pytest.mark.req("gateway/P11")
async def test_a_stream_that_cannot_be_had_or_kept_is_tried_at_growing_intervals() -> None:
    """0.5 to 1 s until the second time, 1 to 2 until the third; one that was had brings a pull each time."""
    ways = {"503": (reply(503, b"", content_type=None), 1), "kept by nobody": (stream(b": bye\n\n"), 3)}
    await asyncio.gather(*(_tried(era, *way) for era, way in product(ALL_ERAS, ways.values())))


async def _tried(era: Era, answer: Answer, most_pulls: int) -> None:
    async with McpHost(listed("claim_find"), era=era, announces=True) as host:
        times: list[float] = []

        def answers(_: Heard) -> Answer:
            times.append(time.monotonic())
            return answer

        host.says(method_of(era), answers)
        async with running(settings(mcp_bundle(host), registry=RARELY)) as gateway:
            await host.hears(method_of(era), 3)
            assert len(host.of("tools/list")) <= most_pulls
            assert times[1] - times[0] > 0.45
            assert times[2] - times[1] > 0.95
            assert text_of(await gateway.call("claim_find")) == "{}"


@pytest.mark.req("gateway/P11")
async def test_a_new_session_is_listened_to_even_if_the_old_stream_stays_open() -> None:
    gate = asyncio.Event()
    async with McpHost(listed("claim_find"), era="old", announces=True) as host:
        host.says("GET", stream(Hang()), noticing(gate))
        async with running(settings(mcp_bundle(host), registry=RARELY)) as gateway:
            await host.hears("GET")
            host.lose_sessions()
            assert text_of(await gateway.call("claim_find")) == "{}"
            assert (await host.hears("GET", 2)).session == b"s-2"
            host.tools = [listed("claim_told")]
            gate.set()
            await until(lambda: shown(gateway) == ["claim_told"])


@pytest.mark.req("gateway/P11")
async def test_a_server_that_asks_its_client_on_the_open_stream_is_answered() -> None:
    async with McpHost(listed("claim_find"), era="old", announces=True) as host:
        asks = b"".join(
            event(json.dumps({"jsonrpc": "2.0", "id": name, "method": name}).encode())
            for name in ("ping", "sampling/createMessage")
        )
        host.says("GET", stream(asks, Hang()))
        async with running(settings(mcp_bundle(host), registry=RARELY)):
            await host.hears("", 2)
        said: dict[str, Any] = {seen.json["id"]: seen.json for seen in host.of("")}
        assert said["ping"]["result"] == {}
        assert said["sampling/createMessage"]["error"]["code"] == -32601


@pytest.mark.req("gateway/P11", "gateway/G9")
async def test_a_notice_that_comes_during_a_pull_brings_one_more_after_it() -> None:
    """The pull under way may have read the list before it changed."""
    opened, gate, release = asyncio.Event(), asyncio.Event(), asyncio.Event()
    async with McpHost(listed("claim_old"), announces=True) as host:
        host.says("subscriptions/listen", noticing(opened, gate))
        async with running(settings(mcp_bundle(host), registry=RARELY)) as gateway:
            await host.hears("subscriptions/listen")
            before = host.tools
            host.says(
                "tools/list",
                lambda seen: (Hold(release), *host.respond(seen, response_to(seen, {"tools": before}))),
                host.usually,
            )
            opened.set()
            await host.hears("tools/list", 2)
            host.tools = [listed("claim_new")]
            gate.set()
            await asyncio.sleep(0.05)  # the notice has been read by then, or comes later still: both are served
            release.set()
            await until(lambda: shown(gateway) == ["claim_new"])
            assert len(host.of("tools/list")) >= 3


@pytest.mark.req("gateway/P11")
async def test_notices_of_a_tool_service_there_are_none_and_odd_ones_count_for_nothing() -> None:
    odd = [
        b"[]",
        b'{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}',
        b'{"jsonrpc":"1.0","method":"notifications/tools/list_changed"}',
    ]
    async with McpHost(listed("claim_find"), announces=True) as host:
        sent = asyncio.Event()
        host.says("subscriptions/listen", stream(b"".join(map(event, odd)), Hold(sent), event(LIST_CHANGED), Hang()))
        async with running(settings(mcp_bundle(host), registry=RARELY)):
            await host.hears("subscriptions/listen")
            await asyncio.sleep(0.3)  # nothing to wait for
            assert len(host.of("tools/list")) == 1
            sent.set()
            await host.hears("tools/list", 2)
