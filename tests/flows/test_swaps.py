"""The catalogue as one whole: while it changes, on every replica, and after a restart (gateway/K3, K5, fault/F40)."""

import asyncio
import json
import random
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from axhub.gateway.config.settings import DiscoverySettings, RegistrySettings
from axhub.gateway.domain.catalogue import Snapshot
from support.callers import Caller, calling, is_error, many_calling, names_of
from support.gateway import REVISIONS, RunningGateway, bundle, manifest, running, settings, tool
from support.process import declared, gateway_process, mcp
from support.tool_service import Answer, Hold, Received, Send, ToolService, Wait, reply, response

CALLERS, ROUNDS, TOOLS, SWAPS = 50, 40, 8, 10


def generation(letter: str) -> bytes:
    """Return a manifest in which everything says which one it is: descriptions, endpoints, output schemas."""
    schema = {"type": "object", "properties": {"from": {"const": letter}}, "required": ["from"]}
    tools = [
        tool(
            f"t_{number}",
            description=letter * 200,
            endpoint=f"/{letter}/{number}",
            outputSchema=schema,
            _meta={"version": "1", "timeoutMillis": 30_000},
        )
        for number in range(TOOLS)
    ]
    return manifest("ins", [*tools, tool(f"only_{letter}")])


def told(seen: Received) -> Answer:
    return reply(body=b'{"from":"%b"}' % seen.target[1:2])


@pytest.mark.req("fault/F40", "gateway/K3", "gateway/X12")
async def test_each_of_two_thousand_parallel_requests_sees_one_whole_snapshot() -> None:
    async with ToolService() as service:
        service.flap("/tool-manifest", *(reply(body=generation(letter)) for letter in "ab"))
        for letter in "ab":
            for number in range(TOOLS):
                service.on(f"/{letter}/{number}", told)
        registry = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=0)
        snapshots: set[Snapshot | None] = set()
        patient = DiscoverySettings(connect_timeout_millis=20_000, read_timeout_millis=20_000)
        async with running(settings(bundle(service.url()), registry=registry, discovery=patient)) as gateway:
            swapping = asyncio.create_task(swap_on_and_on(gateway, snapshots))
            try:
                async with many_calling(gateway.port, CALLERS) as callers:
                    seen = await asyncio.gather(
                        *(lists_and_calls(caller, at, snapshots) for at, caller in enumerate(callers))
                    )
            finally:
                swapping.cancel()
    assert sum(map(len, seen)) >= 2000
    assert {letter for letters in seen for letter in letters} == {"a", "b"}


async def swap_on_and_on(gateway: RunningGateway, seen: set[Snapshot | None]) -> None:
    while True:
        await gateway.gateway.refresh.recheck()
        seen.add(gateway.gateway.refresh.snapshot)
        await asyncio.sleep(0)  # where there is nothing to wait for, the one above lets nobody else run


async def lists_and_calls(caller: Caller, number: int, snapshots: set[Snapshot | None]) -> list[str]:
    """Return of which snapshot each answer was; an answer of two fails."""
    found: list[str] = []
    while len(found) < ROUNDS or len(snapshots) < SWAPS:
        turn = len(found)
        revision = REVISIONS[(number + turn) % len(REVISIONS)]
        if turn % 4 == 0:
            tools = (await caller.rpc("tools/list", revision=revision)).json["result"]["tools"]
            (letter,) = {entry["description"][0] for entry in tools if entry["name"] != f"only_{entry['name'][-1]}"}
            assert tools[0]["name"] == f"only_{letter}"
            assert len(tools) == TOOLS + 1
        else:
            answer = await caller.call(f"t_{(number + turn) % TOOLS}", revision=revision)
            assert not is_error(answer)  # route, schema and what is shown of the result belong together
            result = answer.json["result"]
            letter = json.loads(result["content"][0]["text"])["from"]
            if revision != "2025-03-26":
                assert result["structuredContent"] == {"from": letter}
        found.append(letter)
    return found


def parts() -> list[list[dict[str, Any]]]:
    """Return the tools of three bundles with what a careless reader would spoil."""
    schema = {"type": "object", "properties": {"나": {"maximum": 10**30}, "가": {"multipleOf": 0.1}}}
    texts = ["청구를 조회합니다 😀", 'a "quoted" \\ text\nwith lines', "plain"]
    return [
        [
            tool(f"b{at}_{number}", title=f"청구 {number}", description=texts[number % 3], inputSchema=schema)
            for number in range(8)
        ]
        for at in range(3)
    ]


def shuffled(tools: list[dict[str, Any]], bundle_id: str, dice: random.Random) -> bytes:
    """Return the same manifest as another library might write it on another day."""
    entries = [dict(dice.sample(sorted(entry.items()), len(entry))) for entry in dice.sample(tools, len(tools))]
    document = {"bundleId": bundle_id, "tools": entries, "revision": str(dice.random())}
    members = dict(dice.sample(sorted(document.items()), 3))
    return json.dumps(members, ensure_ascii=False, indent=dice.choice([None, 1, 4])).encode()


async def listed(gateway: RunningGateway) -> list[bytes]:
    return [(await gateway.rpc("tools/list", revision=revision)).body for revision in REVISIONS]


@pytest.mark.req("gateway/K5", "gateway/K1", "gateway/P2")
@pytest.mark.parametrize("seed", range(3))
async def test_replicas_show_the_same_bytes_whatever_order_and_shape_the_manifests_came_in(seed: int) -> None:
    dice = random.Random(seed)
    async with AsyncExitStack() as stack:
        services = [await stack.enter_async_context(ToolService()) for _ in range(3)]
        order = dice.sample(range(3), 3)
        bundles = [bundle(services[at].url(), f"b{at}") for at in order]
        found = []
        for _ in range(3):
            delays = dice.sample((0.0, 0.03, 0.06), 3)
            for at, (service, tools) in enumerate(zip(services, parts(), strict=True)):
                service.on("/tool-manifest", (Wait(delays[at]), *reply(body=shuffled(tools, f"b{at}", dice))))
            replica = await stack.enter_async_context(running(settings(*dice.sample(bundles, 3))))
            found.append(await listed(replica))
    assert found[0] == found[1] == found[2]
    names = [entry["name"] for entry in json.loads(found[0][-1])["result"]["tools"]]
    assert names == sorted(f"b{at}_{number}" for at in range(3) for number in range(8))


@pytest.mark.req("gateway/K5", "gateway/P2", "gateway/M2")
async def test_a_restart_and_another_replica_give_the_same_bytes_on_every_revision(tmp_path: Path) -> None:
    dice = random.Random(7)
    async with ToolService() as service:
        answers, digests = set(), set()
        for _ in range(3):
            service.on("/tool-manifest", reply(body=shuffled(parts()[0], "b0", dice)))
            async with gateway_process(tmp_path, mcp(declared("b0", service.url()))) as gateway:
                lists = [(await gateway.rpc("tools/list", revision=revision)).body for revision in REVISIONS]
                digests.add((await gateway.status())["snapshot"]["digest"])
            answers.add(tuple(lists))
    assert (len(answers), len(digests)) == (1, 1)


@pytest.mark.req("gateway/K3", "gateway/K6", "gateway/X7")
async def test_a_call_under_way_ends_on_the_snapshot_it_began_on() -> None:
    gate = asyncio.Event()
    registry = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=0)
    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=generation("a")))
        service.on("/a/1", (Hold(gate), Send(response(body=b'{"from":"a"}'))))
        configured = settings(bundle(service.url()), registry=registry)
        async with running(configured) as gateway, calling(gateway.port) as caller:
            caller.start_call("t_1")
            await service.received(2)
            service.on("/tool-manifest", reply(body=manifest("ins", [tool("other")])))
            await gateway.gateway.refresh.recheck()
            assert names_of(await gateway.rpc("tools/list")) == ["other"]
            gate.set()
            answer = await caller.read()
    assert not is_error(answer)
    assert answer.json["result"]["structuredContent"] == {"from": "a"}
