"""When the catalogue in use is replaced, by what, and when it stays (gateway/K1, K2, K3, K6, K8, decision/D16)."""

import pytest

from axhub.gateway.adapters.cache_memory import MemoryManifestCache
from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.domain.bundle import BundleStatus, Content
from axhub.gateway.ports import PullFailure
from support.manifests import manifest, tool
from support.refreshing import INTERVAL, Refreshing, bundle

A = manifest("a", ["claim_find"], revision="r1")
B = manifest("b", ["policy_find"])


class BrokenCache:
    """Breaks the promises of the cache port."""

    async def load(self, bundle_id: str) -> bytes | None:
        raise ConnectionError("no cache")

    async def store(self, bundle_id: str, body: bytes) -> None:
        raise ConnectionError("no cache")


@pytest.mark.req("gateway/K2", "fault/F07")
async def test_no_snapshot_while_an_enabled_bundle_never_had_a_manifest() -> None:
    async with Refreshing("a", "b") as refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        await refreshing.tick()
        assert refreshing.catalogue.snapshot is None
        assert refreshing.published == []
        assert refreshing.events("catalogue_waits") == [
            {"level": "warning", "event": "catalogue_waits", "bundles": "b"}
        ]
        refreshing.source.answer("b", B)
        refreshing.source.answer("a", PullFailure.TIMED_OUT)
        await refreshing.tick()
        assert refreshing.names() == ["claim_find", "policy_find"]
        assert len(refreshing.published) == 1


@pytest.mark.req("gateway/K7")
async def test_an_empty_manifest_makes_a_usable_snapshot_but_no_bundle_at_all_makes_none() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", manifest("a", []))
        await refreshing.settled()
        assert refreshing.names() == []
    async with Refreshing(bundle("off", enabled=False)) as refreshing:
        await refreshing.settled()
        await refreshing.tick()
        assert refreshing.catalogue.snapshot is None
        assert refreshing.first_attempt_over()
        assert [event["bundles"] for event in refreshing.events("catalogue_waits")] == ["none is enabled"]


@pytest.mark.req("gateway/K3", "gateway/K6")
async def test_a_tool_goes_only_when_a_valid_manifest_no_longer_has_it() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", manifest("a", ["one", "two"]))
        await refreshing.settled()
        old = refreshing.catalogue.snapshot
        refreshing.source.answer("a", PullFailure.CONNECT_FAILED)
        for _ in range(20):
            await refreshing.tick()
        assert refreshing.catalogue.snapshot is old
        refreshing.source.answer("a", manifest("a", ["two"]))
        await refreshing.tick()
        assert refreshing.names() == ["two"]
        assert old is not None
        assert [entry.tool.name for entry in old.tools] == ["one", "two"]


@pytest.mark.req("gateway/K1", "gateway/M2")
@pytest.mark.parametrize(
    ("later", "rule"),
    [
        (manifest("b", ["Claim_Find"]), "catalogue.name.collision"),
        (manifest("b", ["p1", "p2", "p3"]), "catalogue.total"),
    ],
    ids=["collision", "total"],
)
async def test_manifests_that_do_not_fit_together_keep_the_old_snapshot_and_mark_it(later: bytes, rule: str) -> None:
    async with Refreshing("a", "b", max_total=3) as refreshing:
        refreshing.source.answer("a", A)
        refreshing.source.answer("b", B)
        await refreshing.settled()
        before = refreshing.catalogue.snapshot
        assert not refreshing.stale()
        refreshing.source.answer("b", later)
        await refreshing.tick()
        await refreshing.tick()
        assert refreshing.catalogue.snapshot is before
        assert refreshing.stale()
        assert refreshing.state("b").status is BundleStatus.HEALTHY
        assert [event["findings"] for event in refreshing.events("catalogue_refused")] == [1]
        assert [event["rule"] for event in refreshing.events("catalogue_finding")] == [rule]
        refreshing.source.answer("b", B)
        await refreshing.tick()
        assert not refreshing.stale()
        assert len(refreshing.published) == 1


@pytest.mark.req("gateway/K1")
@pytest.mark.parametrize("between", [B, manifest("b", ["policy_new"])], ids=["equal tools", "other tools"])
async def test_a_refused_catalogue_is_told_when_it_begins_when_it_changes_and_when_it_is_over(between: bytes) -> None:
    collision, other = manifest("b", ["claim_find"]), manifest("b", ["Claim_Find"])
    async with Refreshing("a", "b") as refreshing:
        refreshing.source.answer("a", A)
        for body in (B, collision, collision, other, other, between, between, collision, collision, between):
            refreshing.source.answer("b", body)
            await (refreshing.tick() if refreshing.published else refreshing.settled())
        told = refreshing.events("catalogue_refused", "catalogue_finding", "catalogue_recovered")
        refused = [("error", "catalogue_refused"), ("warning", "catalogue_finding")]
        over = [("info", "catalogue_recovered")]
        assert [(event["level"], event["event"]) for event in told] == [*refused, *refused, *over, *refused, *over]
        assert [event["tool"] for event in told if "tool" in event] == ["claim_find", "Claim_Find", "claim_find"]


@pytest.mark.req("gateway/K3", "gateway/K5")
async def test_equal_tools_are_published_once_and_a_success_moves_only_the_time() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        (first,) = refreshing.published
        refreshing.source.answer("a", A.replace(b"r1", b"r2").replace(b'": ', b'" :\n\t'))
        await refreshing.tick()
        now = refreshing.catalogue.snapshot
        assert refreshing.published == [first]
        assert now is not None
        assert (now.tools, now.digest) == (first.tools, first.digest)
        assert (now.built_at, refreshing.state("a").revision) == (refreshing.clock.now(), "r2")
        refreshing.source.answer("a", PullFailure.TIMED_OUT)
        await refreshing.tick()
        assert refreshing.catalogue.snapshot is now


@pytest.mark.req("gateway/K3")
async def test_a_change_that_is_not_shown_is_published_too() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        refreshing.source.answer("a", manifest("a", [tool("claim_find", endpoint="/elsewhere")]))
        await refreshing.tick()
        first, second = refreshing.published
        assert first.digest == second.digest
        assert second.by_name["claim_find"].tool.endpoint != first.by_name["claim_find"].tool.endpoint


@pytest.mark.req("gateway/K3")
async def test_a_fault_while_publishing_keeps_the_old_snapshot_and_the_schedule() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        before = refreshing.catalogue.snapshot
        refreshing.publish_fault = RuntimeError("no room")
        refreshing.source.answer("a", manifest("a", ["claim_new"]))
        assert await refreshing.tick() == INTERVAL
        assert refreshing.catalogue.snapshot is before
        assert refreshing.stale()
        assert refreshing.events("refresh_fault") == [
            {"level": "error", "event": "refresh_fault", "where": "the rebuild", "error": "RuntimeError"}
        ]
        refreshing.publish_fault = None
        await refreshing.tick()
        assert refreshing.names() == ["claim_new"]
        assert not refreshing.stale()


@pytest.mark.req("gateway/K8", "decision/D16")
async def test_a_drop_of_more_than_half_is_obeyed_told_and_marked() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", manifest("a", ["one", "two", "three"]))
        await refreshing.settled()
        refreshing.source.answer("a", manifest("a", ["one"]))
        await refreshing.tick()
        await refreshing.tick()
        assert refreshing.names() == ["one"]
        assert refreshing.state("a").shrunk
        assert refreshing.events("bundle_shrunk") == [
            {"level": "warning", "event": "bundle_shrunk", "bundle": "a", "toolsBefore": 3, "tools": 1}
        ]


@pytest.mark.req("gateway/K8", "decision/D16", "fault/F02")
async def test_a_bundle_without_a_success_for_ten_intervals_is_served_told_once_and_marked() -> None:
    async with Refreshing("a", "b") as refreshing:
        refreshing.source.answer("a", A)
        refreshing.source.answer("b", B)
        await refreshing.settled()
        refreshing.source.answer("a", PullFailure.CONNECT_FAILED)
        for _ in range(9):
            await refreshing.tick()
        assert not refreshing.state("a").stale
        for _ in range(91):
            await refreshing.tick()
        assert (refreshing.state("a").stale, refreshing.state("b").stale) == (True, False)
        assert refreshing.stale()
        assert refreshing.names() == ["claim_find", "policy_find"]
        assert refreshing.events("bundle_stale") == [
            {"level": "warning", "event": "bundle_stale", "bundle": "a", "consecutiveFailures": 10}
        ]
        refreshing.source.answer("a", A)
        await refreshing.tick()
        assert not refreshing.stale()


@pytest.mark.req("gateway/K8")
async def test_staleness_is_that_of_the_moment_one_looks() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        refreshing.source.hold("a")
        refreshing.clock.advance(10 * INTERVAL)
        assert refreshing.state("a").stale
        assert refreshing.stale()
        refreshing.source.release("a")
        await refreshing.settled()


@pytest.mark.req("gateway/G1")
async def test_what_the_cache_had_is_served_before_the_first_pull_has_ended() -> None:
    cache = MemoryManifestCache()
    await cache.store("a", A)
    async with Refreshing("a", cache=cache) as refreshing:
        refreshing.source.hold("a")
        await refreshing.source.pulls(1)
        assert refreshing.names() == ["claim_find"]
        state = refreshing.state("a")
        assert (state.status, state.content, state.last_attempt_at) == (BundleStatus.DEGRADED, Content.CACHE, None)
        assert not refreshing.first_attempt_over()
        refreshing.source.release("a")
        await refreshing.settled()
        assert refreshing.names() == ["claim_find"]
        assert refreshing.state("a").consecutive_failures == 1
        assert len(refreshing.published) == 1


@pytest.mark.req("gateway/G1", "gateway/K2")
async def test_a_cache_that_knows_only_some_bundles_makes_no_partial_list() -> None:
    cache = MemoryManifestCache()
    await cache.store("a", A)
    async with Refreshing("a", "b", cache=cache) as refreshing:
        await refreshing.settled()
        assert refreshing.catalogue.snapshot is None
        refreshing.source.answer("b", B)
        await refreshing.tick()
        assert refreshing.names() == ["claim_find", "policy_find"]


@pytest.mark.req("gateway/G1", "gateway/G6")
@pytest.mark.parametrize(
    "body",
    [b"garbage", b"", manifest("other", ["x"]), manifest("a", ["bad name"])],
    ids=["garbage", "empty", "another bundle", "bad name"],
)
async def test_what_the_cache_had_is_checked_like_a_manifest_from_the_wire(body: bytes) -> None:
    cache = MemoryManifestCache()
    await cache.store("a", body)
    async with Refreshing("a", cache=cache) as refreshing:
        await refreshing.settled()
        assert refreshing.catalogue.snapshot is None
        assert refreshing.state("a").status is BundleStatus.UNREACHABLE
        assert len(refreshing.events("cache_rejected")) == 1


@pytest.mark.req("gateway/G1")
async def test_a_cache_that_fails_is_a_miss() -> None:
    async with Refreshing("a", cache=BrokenCache()) as refreshing:
        refreshing.source.answer("a", A)
        assert await refreshing.settled() == INTERVAL
        assert refreshing.names() == ["claim_find"]
        assert len(refreshing.events("cache_rejected")) == 1
        assert [event["where"] for event in refreshing.events("refresh_fault")] == ["the cache"]


@pytest.mark.req("gateway/G1", "gateway/K5")
async def test_adopted_manifests_warm_the_next_process_which_serves_the_same_bytes() -> None:
    cache = MemoryManifestCache()
    async with Refreshing("a", "b", cache=cache) as first:
        first.source.answer("a", A)
        first.source.answer("b", B)
        await first.settled()
    async with Refreshing("b", "a", cache=cache, clock=ManualClock()) as second:
        await second.settled()
        assert second.published[0].digest == first.published[0].digest
        assert second.names() == ["claim_find", "policy_find"]


@pytest.mark.req("gateway/G1")
async def test_neither_a_failure_nor_a_local_file_is_stored() -> None:
    cache = MemoryManifestCache()
    async with Refreshing("a", cache=cache) as refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        refreshing.source.answer("a", manifest("a", ["bad name"]))
        await refreshing.tick()
        assert await cache.load("a") == A
