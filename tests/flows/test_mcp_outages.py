"""MCP servers that are down, slow or wrong: an outage of one looks as that of a Tool Service does (gateway/P11)."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import pytest

from axhub.gateway.config.settings import DiscoverySettings, RegistrySettings
from axhub.gateway.ports import PullFailure
from support.callers import is_error, names_of, text_of, until
from support.gateway import NEW, RunningGateway, running, settings
from support.http import Response
from support.mcp_hosts import ASKED, Era, Heard, McpHost, listed, mcp_bundle, refreshed, state, timed
from support.mcp_hosts_failures import MAX_BYTES, NOT_SENT, Makes, failing_calls, failing_lists
from support.tool_service import Answer, Hang

PATIENT = DiscoverySettings(connect_timeout_millis=10_000, read_timeout_millis=10_000, max_manifest_bytes=MAX_BYTES)
IMPATIENT = DiscoverySettings(connect_timeout_millis=500, read_timeout_millis=1_500, max_manifest_bytes=MAX_BYTES)
OPENING: Final = 2.0
"""What the two time-outs of the impatient one come to."""
DEADLINE: Final = 2.2
"""What the two time-outs of the impatient one and the grace come to."""
ERAS = pytest.mark.parametrize("era", ["new", "old"])


@asynccontextmanager
async def many(number: int, era: Era) -> AsyncIterator[list[McpHost]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(McpHost(listed(f"claim_{at}"), era=era)) for at in range(number)]


WAYS = failing_lists()
SLOW = {name: makes for name, (makes, reason) in WAYS.items() if reason is PullFailure.TIMED_OUT}
QUICK = {name: makes for name, (makes, _) in WAYS.items() if name not in SLOW}


def misbehaving(hosts: list[McpHost], ways: Mapping[str, Makes], *, everything: bool) -> None:
    for host, makes in zip(hosts, ways.values(), strict=False):
        host.instead = _for(host, makes) if everything else None
        host.says("tools/list", _for(host, makes))


def otherwise_than_expected(gateway: RunningGateway, ways: Iterable[str]) -> dict[str, Any]:
    found = {name: state(gateway, f"b{at:03}").last_failure_reason for at, name in enumerate(ways)}
    return {name: reason for name, reason in found.items() if reason != WAYS[name][1]}


@pytest.mark.parametrize("everything", [False, True], ids=["the list", "everything"])
@ERAS
@pytest.mark.req("gateway/P11", "gateway/G3", "gateway/G4", "gateway/G5", "gateway/K6", "gateway/M2", "threat/T02")
async def test_however_a_list_fails_it_is_named_and_the_old_one_stays(era: Era, everything: bool) -> None:
    """All ways at once, each in a bundle of its own; one more bundle is well, and adopts what is new."""
    async with many(len(QUICK) + 1, era) as hosts:
        bundles = [mcp_bundle(host, f"b{at:03}") for at, host in enumerate(hosts)]
        async with running(settings(*bundles, discovery=PATIENT, registry=ASKED)) as gateway:
            before = names_of(await gateway.rpc("tools/list"))
            assert len(before) == len(hosts)
            hosts[-1].tools = [listed("claim_new")]
            misbehaving(hosts, QUICK, everything=everything)
            await refreshed(gateway)
            assert otherwise_than_expected(gateway, QUICK) == {}
            assert state(gateway, bundles[-1].id).status == "healthy"
            assert names_of(await gateway.rpc("tools/list")) == [*before[:-1], "claim_new"]
            for host in hosts:
                host.instead = None
                host.says("tools/list", host.usually)
            await refreshed(gateway)
            assert {found.status for found in gateway.gateway.refresh.bundles()} == {"healthy"}


@ERAS
@pytest.mark.req("gateway/P11", "gateway/G4", "gateway/G3", "fault/F03", "fault/F04", "input/B03", "input/B04")
async def test_a_list_that_drips_ends_at_the_deadline_and_the_old_one_stays(era: Era) -> None:
    async with many(len(SLOW) + 1, era) as hosts:
        bundles = [mcp_bundle(host, f"b{at:03}") for at, host in enumerate(hosts)]
        async with running(settings(*bundles, discovery=IMPATIENT, registry=ASKED)) as gateway:
            before = names_of(await gateway.rpc("tools/list"))
            assert len(before) == len(hosts)
            misbehaving(hosts, SLOW, everything=False)
            began = time.monotonic()
            await refreshed(gateway)
            assert DEADLINE <= time.monotonic() - began < DEADLINE + 15  # most of them would take for ever
            assert otherwise_than_expected(gateway, SLOW) == {}
            assert names_of(await gateway.rpc("tools/list")) == before


@pytest.mark.req("gateway/P11", "gateway/G4", "gateway/G1", "fault/F01", "fault/F04")
async def test_a_server_that_never_answers_holds_the_start_up_for_one_deadline_and_serves_once_it_does() -> None:
    async with McpHost(listed("claim_find"), era="old") as host:
        host.instead = (Hang(),)
        began = time.monotonic()
        often = RegistrySettings(refresh_interval_seconds=0.1, refresh_jitter_seconds=0)
        async with running(settings(mcp_bundle(host), discovery=IMPATIENT, registry=often)) as gateway:
            assert OPENING <= time.monotonic() - began < DEADLINE + 15
            assert state(gateway).last_failure_reason == "TimedOut"
            assert (await gateway.rpc("tools/list")).status == 503
            host.instead = None
            await until(lambda: state(gateway).status == "healthy")
            assert text_of(await gateway.call("claim_find")) == "{}"


def _for(host: McpHost, makes: Makes) -> Callable[[Heard], Answer]:
    return lambda seen: makes(host, seen)


CALLS = failing_calls()
CALL_MILLIS: Final = 2_500
"""How long those calls may take that are not answered in time."""


def without_error_id(answer: Response) -> str:
    shown, said, error_id = text_of(answer).partition("Error id: ")
    assert not error_id or (len(error_id) == 16 and error_id.isalnum())
    return shown + said + ("*" if error_id else "")


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-11-25", NEW])
@ERAS
@pytest.mark.req("gateway/P11", "gateway/X4", "gateway/X6", "gateway/X11", "threat/T22", "input/B70")
async def test_however_a_call_fails_it_is_told_as_that_to_a_tool_service(era: Era, revision: str) -> None:
    """All ways at once. Each is sent once, no slow one ends before its time, and nothing is told of outside."""
    names = {name: f"t_{at}" for at, name in enumerate(CALLS)}
    ways = {f"t_{at}": failed for at, failed in enumerate(CALLS.values())}
    tools = [timed(name, CALL_MILLIS if way.outcome == "timeout" else 20_000) for name, way in ways.items()]
    async with McpHost(*tools, era=era) as host:
        host.says("tools/call", lambda seen: ways[seen.name].makes(seen))
        async with running(settings(mcp_bundle(host), max_response_bytes=MAX_BYTES)) as gateway:
            answers = await asyncio.gather(*(gateway.call(name, revision=revision) for name in ways))
            await until(lambda: gateway.gateway.client.usage()["mcp"].active == 0)
        assert len(host.of("tools/call")) == len(ways)
        outcomes = {line["tool"]: line["outcome"] for line in gateway.log if line["event"] == "tool_call"}
        for (name, tool), answer in zip(names.items(), answers, strict=True):
            told, outcome = ways[tool].told, ways[tool].outcome
            assert (answer.status, is_error(answer)) == (200, True), name
            assert (without_error_id(answer), outcomes[tool]) == (told, outcome), name
            took = answer.json["result"]["content"][0]["_meta"]["searchTime"]
            assert took >= (CALL_MILLIS if outcome == "timeout" else 0), name
            for never in (b"hunter2", b"10.0.0.7", b"127.0.0.1", b":%d" % host.port, b"Traceback", b"of another"):
                assert never not in answer.body, name


@ERAS
@pytest.mark.req("gateway/P11", "gateway/X4", "gateway/X6", "fault/F02", "gateway/K6")
async def test_while_a_server_is_down_its_tools_stay_and_calls_say_that_nothing_was_sent(era: Era) -> None:
    """Thirty failed refreshes lose no tool; it is well again with the first that succeeds, without another `initialize`
    than the one that a restart asks for."""
    often = RegistrySettings(refresh_interval_seconds=0.02, refresh_jitter_seconds=0, recheck_min_interval_millis=10)
    async with (
        McpHost(listed("claim_find"), era=era) as host,
        running(settings(mcp_bundle(host), discovery=PATIENT, registry=often)) as gateway,
    ):
        before = (await gateway.rpc("tools/list")).body
        await host.stop()
        while state(gateway).consecutive_failures < 30:
            assert (await gateway.rpc("tools/list")).body == before
            missed = await gateway.call("claim_find")
            assert (text_of(missed), is_error(missed)) == (NOT_SENT, True)
        assert (state(gateway).status, state(gateway).last_failure_reason) == ("degraded", "ConnectFailed")
        host.lose_sessions()
        await host.start()
        assert text_of(await gateway.call("claim_find", b'{"n":1}')) == '{"n":1}'
        await until(lambda: state(gateway).status == "healthy")
        assert len(host.of("initialize")) == (2 if era == "old" else 0)
