"""Faults of our own in a refresh: the first attempt ends, the schedule goes on, no exception's text is logged."""

import asyncio
from datetime import datetime

import pytest

from axhub.contract.manifest import ManifestPolicy
from axhub.gateway.adapters.cache_memory import MemoryManifestCache
from axhub.gateway.adapters.clock import ManualClock
from support.manifests import manifest
from support.refreshing import INTERVAL, Refreshing, bundle

A = manifest("a", ["claim_find"])
SECRET = "10.1.2.3 password"


class FaultyClock(ManualClock):
    """A clock that fails once: at the reading with this number, counted from when it is armed."""

    def __init__(self, reading: str) -> None:
        super().__init__()
        self._reading = reading
        self.left = 0

    def monotonic(self) -> float:
        self._count("monotonic")
        return super().monotonic()

    def now(self) -> datetime:
        self._count("now")
        return super().now()

    def _count(self, reading: str) -> None:
        if reading == self._reading:
            self.left -= 1
            if self.left == 0:
                raise RuntimeError(SECRET)


class FaultyCache(MemoryManifestCache):
    """A cache whose first `load` fails, with any kind of exception."""

    def __init__(self, fault: BaseException) -> None:
        super().__init__()
        self._fault = fault

    async def load(self, bundle_id: str) -> bytes | None:
        raise self._fault


async def warm_cache(body: bytes) -> MemoryManifestCache:
    cache = MemoryManifestCache()
    await cache.store("a", body)
    return cache


@pytest.mark.req("gateway/G2", "gateway/M1")
@pytest.mark.parametrize("warm", [True, False])
@pytest.mark.parametrize("reading", ["now", "monotonic"])
@pytest.mark.parametrize("at", range(1, 9))
async def test_wherever_a_refresh_breaks_the_first_attempt_ends_and_the_schedule_goes_on(
    warm: bool, reading: str, at: int
) -> None:
    clock = FaultyClock(reading)
    cache = await warm_cache(A) if warm else None
    refreshing = Refreshing("a", clock=clock, cache=cache)
    clock.left = at
    async with refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        assert await refreshing.tick() == INTERVAL
        clock.left = 0
        assert refreshing.first_attempt_over()
        refreshing.source.answer("a", manifest("a", ["claim_new"]))
        assert await refreshing.tick() == INTERVAL
        assert refreshing.names() == ["claim_new"]
        assert not refreshing.stale()
        assert SECRET not in str(refreshing.events())


@pytest.mark.req("gateway/G1", "gateway/M1")
async def test_a_warm_snapshot_that_cannot_be_published_does_not_stop_the_first_pull() -> None:
    async with Refreshing("a", cache=await warm_cache(A)) as refreshing:
        refreshing.publish_fault = RuntimeError(SECRET)
        refreshing.source.answer("a", A)
        assert await refreshing.settled() == INTERVAL
        assert refreshing.first_attempt_over()
        assert [event["where"] for event in refreshing.events("refresh_fault")] == ["the rebuild", "the rebuild"]
        refreshing.publish_fault = None
        await refreshing.tick()
        assert refreshing.names() == ["claim_find"]


@pytest.mark.req("gateway/G1")
@pytest.mark.parametrize("fault", [RuntimeError(SECRET), asyncio.CancelledError(SECRET)], ids=["error", "cancelled"])
async def test_a_cache_that_fails_in_any_way_does_not_stop_the_first_pull(fault: BaseException) -> None:
    async with Refreshing("a", cache=FaultyCache(fault)) as refreshing:
        refreshing.source.answer("a", A)
        assert await refreshing.settled() == INTERVAL
        assert refreshing.names() == ["claim_find"]
        assert len(refreshing.events("cache_rejected", "refresh_fault")) == 1
        assert SECRET not in str(refreshing.events())


@pytest.mark.req("gateway/G1")
async def test_a_cache_of_which_nothing_was_adopted_rebuilds_nothing() -> None:
    async with Refreshing("a", cache=await warm_cache(b"garbage")) as refreshing:
        refreshing.source.hold("a")
        await refreshing.source.pulls(1)
        assert [event["event"] for event in refreshing.events()] == ["cache_rejected", "manifest_finding"]
        refreshing.source.release("a")
        await refreshing.settled()


class FaultyPolicy(ManifestPolicy):
    """A policy on which every check breaks."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> object:
        if name == "limits":
            raise RuntimeError(SECRET)
        return super().__getattribute__(name)


@pytest.mark.req("gateway/G3", "gateway/G6")
async def test_no_text_of_an_exception_reaches_the_log() -> None:
    async with Refreshing("a", "b") as refreshing:
        refreshing.source.answer("a", RuntimeError(SECRET))
        refreshing.observer_fault = RuntimeError(SECRET)
        await refreshing.settled()
        refreshing.source.answer("a", A)
        await refreshing.tick()
        details = [event.get("detail") for event in refreshing.events("manifest_pull_failed")]
        assert "unexpected fault in the source: RuntimeError" in details
        assert {event["error"] for event in refreshing.events("refresh_fault")} == {"RuntimeError"}
        assert SECRET not in str(refreshing.events())


@pytest.mark.req("gateway/G3", "gateway/G6")
async def test_no_text_of_an_exception_in_a_check_reaches_the_log() -> None:
    declared = bundle("a")
    broken = type(declared)(declared.id, enabled=True, policy=FaultyPolicy("a", "", declared.policy.endpoints))
    async with Refreshing(broken) as refreshing:
        refreshing.source.answer("a", A)
        await refreshing.settled()
        (failed,) = refreshing.events("manifest_pull_failed")
        assert failed["detail"] == "unexpected fault in a check: RuntimeError"
        assert SECRET not in str(refreshing.events())
