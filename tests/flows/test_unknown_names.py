"""Names that the catalogue lacks: one shared look, then a hit or a refusal; never a storm (gateway/X7, fault/F32)."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from axhub.gateway.config.settings import RegistrySettings
from support.callers import Caller, calling, many_calling, names_of, text_of, until
from support.gateway import REVISIONS, RunningGateway, bundle, manifest, running, settings, tool
from support.http import Response
from support.tool_service import Hold, Send, ToolService, reply, response

OLD = manifest("ins", [tool("claim_find")])
NEW = manifest("ins", [tool("claim_find"), tool("claim_new")])
FOUND = b'{"tool":"%b"}'


def registry(recheck_millis: int, interval: float = 3600) -> RegistrySettings:
    return RegistrySettings(
        refresh_interval_seconds=interval, refresh_jitter_seconds=0, recheck_min_interval_millis=recheck_millis
    )


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        started.on("/tool-manifest", reply(body=OLD))
        for name in ("claim_find", "claim_new"):
            started.on(f"/tools/{name}", reply(body=FOUND % name.encode()))
        yield started


def pulls(service: ToolService) -> int:
    return sum(seen.method == b"GET" for seen in service.requests)


def not_found(answer: Response) -> bool:
    error = answer.json.get("error", {})
    return (error.get("message"), error.get("data")) == ("Tool not found", {"reason": "tool_not_found"})


async def all_waiting(gateway: RunningGateway, callers: list[Caller], name: str) -> None:
    for caller in callers:
        caller.start_call(name)
    await until(lambda: gateway.gateway.call_tool.in_flight == len(callers))


@pytest.mark.parametrize(("body", "hit"), [(OLD, False), (NEW, True)], ids=["still unknown", "found"])
@pytest.mark.req("gateway/X7", "gateway/G9", "decision/D5")
async def test_fifty_misses_at_once_share_one_pull(service: ToolService, body: bytes, hit: bool) -> None:
    gate = asyncio.Event()
    async with running(settings(bundle(service.url()), registry=registry(0))) as gateway:
        service.on("/tool-manifest", (Hold(gate), Send(response(body=body))))
        async with many_calling(gateway.port, 50) as callers:
            await all_waiting(gateway, callers, "claim_new")
            assert (await gateway.rpc("tools/list")).status == 200  # nobody else waits
            assert text_of(await gateway.call("claim_find")) == '{"tool":"claim_find"}'
            gate.set()
            answers = await asyncio.gather(*(caller.read() for caller in callers))
    assert pulls(service) == 2
    if hit:
        assert {text_of(answer) for answer in answers} == {'{"tool":"claim_new"}'}
    else:
        assert [not_found(answer) for answer in answers] == [True] * 50


@pytest.mark.req("gateway/X7")
async def test_a_miss_shortly_after_a_pull_is_judged_by_it(service: ToolService) -> None:
    async with running(settings(bundle(service.url()), registry=registry(3_600_000))) as gateway:
        service.on("/tool-manifest", reply(body=NEW))
        for revision in REVISIONS:
            assert not_found(await gateway.call("claim_new", revision=revision))
    assert pulls(service) == 1


@pytest.mark.req("gateway/X7", "gateway/G9")
async def test_a_miss_during_a_scheduled_pull_waits_for_that_one(service: ToolService) -> None:
    gate = asyncio.Event()
    configured = settings(bundle(service.url()), registry=registry(3_600_000, interval=0.05))
    async with running(configured) as gateway, calling(gateway.port) as caller:
        service.on("/tool-manifest", (Hold(gate), Send(response(body=NEW))))
        began = pulls(service)
        await service.received(began + 1)
        caller.start_call("claim_new")
        await until(lambda: gateway.gateway.call_tool.in_flight == 1)
        assert pulls(service) == began + 1
        gate.set()
        assert text_of(await caller.read()) == '{"tool":"claim_new"}'


@pytest.mark.req("gateway/X7", "gateway/X11")
async def test_the_time_of_a_call_starts_after_the_second_look(service: ToolService) -> None:
    gate = asyncio.Event()
    brief = tool("claim_new", _meta={"version": "1", "timeoutMillis": 2_000})
    async with running(settings(bundle(service.url()), registry=registry(0))) as gateway:
        service.on("/tool-manifest", (Hold(gate), Send(response(body=manifest("ins", [brief])))))
        async with calling(gateway.port) as caller:
            caller.start_call("claim_new")
            await service.received(2)
            asyncio.get_running_loop().call_later(2.5, gate.set)
            assert text_of(await caller.read()) == '{"tool":"claim_new"}'


SCHEMA = {"type": "object", "properties": {"tool": {"type": "string"}}}


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.req("gateway/X7", "gateway/X12", "gateway/K3")
async def test_a_tool_found_by_the_second_look_answers_as_any_other(service: ToolService, revision: str) -> None:
    async with running(settings(bundle(service.url()), registry=registry(0))) as gateway:
        service.on("/tool-manifest", reply(body=manifest("ins", [tool("claim_new", outputSchema=SCHEMA)])))
        first = await gateway.call("claim_new", revision=revision)
        second = await gateway.call("claim_new", revision=revision)
    assert first.json["result"].get("structuredContent") == second.json["result"].get("structuredContent")
    assert ("structuredContent" in second.json["result"]) is (revision != "2025-03-26")


@pytest.mark.req("gateway/X7", "gateway/X8")
async def test_a_caller_that_leaves_during_the_second_look_causes_no_call(service: ToolService) -> None:
    gate = asyncio.Event()
    async with running(settings(bundle(service.url()), registry=registry(0))) as gateway:
        service.on("/tool-manifest", (Hold(gate), Send(response(body=NEW))))
        async with calling(gateway.port) as caller:
            caller.start_call("claim_new", revision="2026-07-28")
            await service.received(2)
        await until(lambda: gateway.gateway.call_tool.in_flight == 0)
        gate.set()
        assert text_of(await gateway.call("claim_new")) == '{"tool":"claim_new"}'
    assert [seen.target for seen in service.requests].count(b"/tools/claim_new") == 1


@pytest.mark.req("fault/F32", "gateway/X7", "decision/D18", "threat/T34")
async def test_a_thousand_unknown_names_a_second_cause_few_pulls_and_touch_no_known_tool(service: ToolService) -> None:
    floor = 0.2
    async with running(settings(bundle(service.url()), registry=registry(int(floor * 1000)))) as gateway:
        stop = asyncio.Event()
        known = 0

        async def ask_for_nonsense(caller: Caller, first: int) -> None:
            for number in range(first, first + 50):
                assert not_found(await caller.call(f"nonsense_{number}"))

        async def call_what_is_there(caller: Caller) -> None:
            nonlocal known
            while not stop.is_set():
                assert text_of(await caller.call("claim_find")) == '{"tool":"claim_find"}'
                known += 1

        began = time.monotonic()
        async with many_calling(gateway.port, 20) as callers, calling(gateway.port) as good:
            steady = asyncio.create_task(call_what_is_there(good))
            await asyncio.gather(*(ask_for_nonsense(caller, at * 50) for at, caller in enumerate(callers)))
            took = time.monotonic() - began
            stop.set()
            await steady
        assert pulls(service) - 1 <= took / floor + 1
        assert known > 0
        labels = [name for name, _ in gateway.gateway.metrics.tools()]
        assert sorted(labels) == ["claim_find", "other"]


@pytest.mark.req("fault/F37", "gateway/X7", "gateway/P2")
async def test_a_replica_that_lacks_a_tool_looks_once_more_and_finds_it_or_says_not_found(service: ToolService) -> None:
    configured = settings(bundle(service.url()), registry=registry(0))
    async with running(configured) as behind:
        service.on("/tool-manifest", reply(body=NEW))
        async with running(configured) as ahead:
            assert names_of(await ahead.rpc("tools/list")) == ["claim_find", "claim_new"]
            assert names_of(await behind.rpc("tools/list")) == ["claim_find"]
            before = pulls(service)
            assert text_of(await behind.call("claim_new")) == '{"tool":"claim_new"}'
            assert text_of(await behind.call("claim_new")) == '{"tool":"claim_new"}'
            assert pulls(service) == before + 1
            assert (await behind.rpc("tools/list")).body == (await ahead.rpc("tools/list")).body
            assert not_found(await behind.call("claim_gone"))
