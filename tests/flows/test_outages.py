"""Tool Services that are down, slow, flapping or wrong: what the others and the callers notice of it, which is nothing.

No tool is lost, no list fails, no other bundle waits (gateway/G3, gateway/G5, gateway/K6).
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack

import pytest

from axhub.gateway.config.settings import DiscoverySettings, RegistrySettings
from axhub.gateway.domain.bundle import BundleState
from axhub.gateway.ports import PullFailure
from support.callers import calling, names_of, text_of, until
from support.gateway import RunningGateway, bundle, manifest, running, settings, tool
from support.misbehaviour import misbehaviours
from support.tool_service import Answer, Drip, Hang, ToolService, reply, response

FAST = RegistrySettings(refresh_interval_seconds=0.02, refresh_jitter_seconds=0, recheck_min_interval_millis=10)
MAX_BYTES = 8192
PATIENT = DiscoverySettings(connect_timeout_millis=10_000, read_timeout_millis=10_000, max_manifest_bytes=MAX_BYTES)
IMPATIENT = DiscoverySettings(connect_timeout_millis=500, read_timeout_millis=1_500, max_manifest_bytes=MAX_BYTES)


def state(gateway: RunningGateway, bundle_id: str) -> BundleState:
    return next(found for found in gateway.gateway.refresh.bundles() if found.id == bundle_id)


def digest(gateway: RunningGateway) -> str:
    snapshot = gateway.gateway.refresh.snapshot
    assert snapshot is not None
    return snapshot.digest


async def refreshed(gateway: RunningGateway) -> None:
    """Ask for a refresh that begins now, and wait for its end."""
    await asyncio.sleep(0.002)  # the floor of settings that ask for this is 1 ms (gateway/X7)
    await gateway.gateway.refresh.recheck()


ASKED = RegistrySettings(refresh_interval_seconds=3600, recheck_min_interval_millis=1)


@pytest.fixture
async def service() -> AsyncIterator[ToolService]:
    async with ToolService() as started:
        started.on("/tool-manifest", reply(body=manifest("ins", [tool("claim_find"), tool("claim_list")])))
        for name in ("claim_find", "claim_list"):
            started.on(f"/tools/{name}", reply(body=b'{"tool":"%b"}' % name.encode()))
        yield started


@pytest.mark.req("fault/F02", "gateway/K6", "gateway/G5", "decision/D16", "gateway/M3")
async def test_a_hundred_failed_refreshes_lose_no_tool_and_fail_no_list(service: ToolService) -> None:
    configured = settings(bundle(service.url()), registry=FAST)
    async with running(configured) as gateway, calling(gateway.port) as caller:
        before = (await caller.rpc("tools/list")).body
        built = gateway.gateway.refresh.snapshot
        await service.stop()
        seen = set()
        while state(gateway, "ins").consecutive_failures < 100:
            seen.add((await caller.rpc("tools/list")).body)
            missed = await caller.call("claim_find")
            assert "Nothing was sent" in text_of(missed)
        assert seen == {before}
        found = state(gateway, "ins")
        assert (found.status, found.tool_count, found.stale) == ("degraded", 2, True)
        assert gateway.gateway.refresh.snapshot is built  # so that the metric of its age grows
        await service.start()
        await until(lambda: state(gateway, "ins").status == "healthy")
        assert text_of(await caller.call("claim_list")) == '{"tool":"claim_list"}'


@pytest.mark.req("fault/F05", "gateway/K6", "gateway/G5")
async def test_a_flapping_service_changes_nothing_in_the_catalogue(service: ToolService) -> None:
    good = reply(body=manifest("ins", [tool("claim_list"), tool("claim_find")]))
    service.flap("/tool-manifest", reply(503), good, good, reply(500, b"<html>"))
    configured = settings(bundle(service.url()), registry=FAST)
    async with running(configured, wait=False) as gateway, calling(gateway.port) as caller:
        await until(lambda: gateway.gateway.refresh.snapshot is not None)
        first = digest(gateway)
        failures = 0
        while failures < 50:
            assert names_of(await caller.rpc("tools/list")) == ["claim_find", "claim_list"]
            assert text_of(await caller.call("claim_list")) == '{"tool":"claim_list"}'
            failures = gateway.gateway.metrics.refreshes.get(("ins", "HttpStatus"), 0)
        assert digest(gateway) == first
    assert len([line for line in gateway.log if line["event"] == "catalogue_published"]) == 1


@pytest.mark.req("fault/F03", "fault/F04", "gateway/G3", "gateway/G4", "input/B03", "input/B04")
async def test_drips_and_silence_end_at_the_deadline_and_the_others_are_on_time(service: ToolService) -> None:
    good = manifest("slow", [tool("slow_tool")])
    slow: Mapping[str, Answer] = {
        "head": (Drip(response(200, good), every=0.1),),
        "body": (*reply(200, b"", length=len(good)), Drip(good, every=0.1)),
        "silence": (Hang(),),
    }
    async with AsyncExitStack() as services:
        bundles = [bundle(service.url())]
        for name, answer in slow.items():
            one = await services.enter_async_context(ToolService())
            one.on("/tool-manifest", answer)
            bundles.append(bundle(one.url(), name))
        began = time.monotonic()
        async with running(settings(*bundles, discovery=IMPATIENT), wait=False) as gateway:
            await until(lambda: state(gateway, "ins").status == "healthy")
            assert not gateway.gateway.refresh.first_attempt_over
            await until(lambda: gateway.gateway.refresh.first_attempt_over)
            took = time.monotonic() - began
            assert {state(gateway, name).last_failure_reason for name in slow} == {"TimedOut"}
    assert 2.1 <= took < 15  # 0.5 + 1.5 + 0.2; the drips would take longer still, and the silence for ever


@pytest.mark.req("fault/F06", "gateway/G3", "gateway/G9")
async def test_nine_bundles_adopt_new_content_within_an_interval_while_the_tenth_hangs() -> None:
    async with AsyncExitStack() as stack:
        services = [await stack.enter_async_context(ToolService()) for _ in range(10)]
        for number, one in enumerate(services):
            one.on("/tool-manifest", reply(body=manifest(f"b{number}", [tool(f"b{number}_old")])))
        often = RegistrySettings(refresh_interval_seconds=1.5, refresh_jitter_seconds=0)
        bundles = [bundle(one.url(), f"b{number}") for number, one in enumerate(services)]
        gateway = await stack.enter_async_context(running(settings(*bundles, discovery=IMPATIENT, registry=often)))
        services[4].on("/tool-manifest", (Hang(),))
        await until(lambda: state(gateway, "b4").consecutive_failures > 0)
        pulls = len(services[0].requests)
        for number, one in enumerate(services):
            if number != 4:
                one.on("/tool-manifest", reply(body=manifest(f"b{number}", [tool(f"b{number}_new")])))
        expected = [f"b{number}_{'old' if number == 4 else 'new'}" for number in range(10)]
        await until(lambda: shown(gateway) == expected)
        assert len(services[0].requests) - pulls <= 2  # the one that ran when the content changed, and the next
        assert names_of(await gateway.rpc("tools/list")) == expected


def shown(gateway: RunningGateway) -> list[str]:
    snapshot = gateway.gateway.refresh.snapshot
    return [] if snapshot is None else [entry.tool.name for entry in snapshot.tools]


@pytest.mark.req("fault/F07", "gateway/K2", "gateway/K7")
async def test_a_bundle_that_never_succeeded_keeps_every_tool_back_and_is_named(service: ToolService) -> None:
    async with ToolService() as never:
        bundles = bundle(service.url()), bundle(never.url(), "never")
        async with running(settings(*bundles, registry=ASKED)) as gateway:
            for _ in range(3):
                assert (await gateway.rpc("tools/list")).status == 503
                assert (await gateway.call("claim_find")).json["error"]["data"] == {"reason": "registry_unavailable"}
            assert state(gateway, "never").status == "unreachable"
            (told,) = [line for line in gateway.log if line["event"] == "catalogue_waits"]
            assert told["bundles"] == "never"
        assert len(never.requests) == 1  # without a snapshot, an unknown name asks nobody


@pytest.mark.req("gateway/G3", "gateway/G4", "gateway/G5", "gateway/G6", "gateway/K6", "threat/T04")
@pytest.mark.parametrize("is_slow", [False, True], ids=["at once", "too slowly"])
async def test_whatever_one_bundle_does_another_adopts_and_serves_every_new_manifest(
    service: ToolService, is_slow: bool
) -> None:
    good = manifest("a", [tool("a_kept")])
    async with ToolService() as bad:
        bad.on("/tool-manifest", reply(body=good))
        bad.on("/tools/a_kept", reply(body=b'{"a":1}'))
        discovery = IMPATIENT if is_slow else PATIENT
        configured = settings(bundle(service.url()), bundle(bad.url(), "a"), discovery=discovery, registry=ASKED)
        async with running(configured) as gateway, calling(gateway.port) as caller:
            for number, (name, (answer, reason)) in enumerate(misbehaviours(good, MAX_BYTES).items()):
                if (reason is PullFailure.TIMED_OUT) is not is_slow:
                    continue
                bad.on("/tool-manifest", answer)
                service.on("/tool-manifest", reply(body=manifest("ins", [tool(f"claim_{number}")])))
                await refreshed(gateway)
                assert names_of(await caller.rpc("tools/list")) == ["a_kept", f"claim_{number}"], name
                assert (state(gateway, "a").last_failure_reason, state(gateway, "ins").status) == (reason, "healthy")
                assert text_of(await caller.call("a_kept")) == '{"a":1}'


@pytest.mark.req("gateway/K1", "gateway/M2")
async def test_a_collision_between_bundles_keeps_the_old_catalogue_until_it_is_mended(service: ToolService) -> None:
    async with ToolService() as other:
        other.on("/tool-manifest", reply(body=manifest("zzz", [tool("other_find")])))
        other.on("/tools/other_find", reply(body=b'{"z":1}'))
        configured = settings(bundle(service.url()), bundle(other.url(), "zzz"), registry=ASKED)
        async with running(configured) as gateway, calling(gateway.port) as caller:
            before = (await caller.rpc("tools/list")).body
            other.on("/tool-manifest", reply(body=manifest("zzz", [tool("Claim_Find"), tool("other_find")])))
            await refreshed(gateway)
            assert (await caller.rpc("tools/list")).body == before
            assert text_of(await caller.call("other_find")) == '{"z":1}'
            assert gateway.gateway.refresh.stale_snapshot
            (told,) = [line for line in gateway.log if line["event"] == "catalogue_finding"]
            for name in ("claim_find", "Claim_Find", "'ins'", "'zzz'"):
                assert name in told["problem"]
            other.on("/tool-manifest", reply(body=manifest("zzz", [tool("other_list")])))
            await refreshed(gateway)
            assert names_of(await caller.rpc("tools/list")) == ["claim_find", "claim_list", "other_list"]
            assert not gateway.gateway.refresh.stale_snapshot


@pytest.mark.req("gateway/G9", "gateway/K3")
async def test_requests_are_answered_from_memory_while_every_pull_is_slow(service: ToolService) -> None:
    configured = settings(bundle(service.url()), registry=FAST, discovery=PATIENT)
    async with running(configured) as gateway, calling(gateway.port) as caller:
        service.on("/tool-manifest", (Hang(),))
        pulls = len(service.requests)
        await service.received(pulls + 1)
        for _ in range(20):  # each that waited for a pull would wait for ten seconds
            assert (await caller.rpc("tools/list")).status == 200
