"""When the gateway pulls (gateway/G1, G2, G9) and how a miss is judged (gateway/X7); time moves only by hand."""

import asyncio
from datetime import datetime, timedelta

import pytest

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.ports import PullFailure
from axhub.gateway.usecases.refresh_catalogue import Schedule
from support.manifests import manifest
from support.refreshing import INTERVAL, Refreshing, bundle

ONE_TOOL = manifest("a", ["claim_find"])


def jittered(jitter: float = 5.0) -> Schedule:
    return Schedule(interval=INTERVAL, jitter=jitter, recheck_min_interval=1.0)


@pytest.mark.req("gateway/G1", "gateway/G2", "fault/F33")
@pytest.mark.parametrize(("random", "first"), [(0.0, 30), (0.5, 32.5), (0.75, 33.75)])
async def test_the_first_pull_is_at_once_and_only_the_next_one_is_jittered(random: float, first: float) -> None:
    async with Refreshing("a", schedule=jittered(), random=random) as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.source.pulls(1)
        assert refreshing.clock.monotonic() == 0
        assert await refreshing.settled() == first
        assert await refreshing.tick(first) == 30
        assert await refreshing.tick(30) == 30
        assert len(refreshing.source.asked) == 3


@pytest.mark.req("gateway/G1")
async def test_a_disabled_bundle_is_never_contacted() -> None:
    async with Refreshing("a", bundle("off", enabled=False)) as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        await refreshing.tick()
        assert {asked for asked, _ in refreshing.source.asked} == {"a"}
        assert refreshing.names() == ["claim_find"]


@pytest.mark.req("gateway/G1", "fault/F01")
async def test_a_failing_first_pull_ends_the_first_attempt_and_the_next_one_mends_it() -> None:
    async with Refreshing("a") as refreshing:
        assert not refreshing.first_attempt_over()
        await refreshing.settled()
        assert refreshing.first_attempt_over()
        assert refreshing.catalogue.snapshot is None
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.tick()
        assert refreshing.names() == ["claim_find"]


@pytest.mark.req("gateway/G2")
async def test_the_interval_runs_from_start_to_start() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.hold("a")
        await refreshing.source.pulls(1)
        refreshing.clock.advance(12)
        refreshing.source.release("a")
        assert await refreshing.settled() == INTERVAL - 12


@pytest.mark.req("gateway/G9")
async def test_a_refresh_that_outlasts_the_interval_is_followed_at_once_by_one_only() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.hold("a")
        await refreshing.source.pulls(1)
        refreshing.clock.advance(3.5 * INTERVAL)
        refreshing.source.release("a")
        assert await refreshing.settled() == INTERVAL
        assert len(refreshing.source.asked) == 2
        assert refreshing.clock.monotonic() == 3.5 * INTERVAL


@pytest.mark.req("gateway/G2", "fault/F25")
async def test_a_wall_clock_that_jumps_does_not_move_the_schedule() -> None:
    class JumpingClock(ManualClock):
        jump = timedelta()

        def now(self) -> datetime:
            return super().now() + self.jump

    clock = JumpingClock()
    async with Refreshing("a", clock=clock) as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        for jump in (timedelta(days=1), timedelta(hours=-1)):
            clock.jump = jump
            assert await refreshing.tick() == INTERVAL
        assert len(refreshing.source.asked) == 3
        assert not refreshing.state("a").stale


@pytest.mark.req("gateway/X7")
async def test_a_miss_is_judged_by_a_pull_that_started_within_the_floor() -> None:
    async with Refreshing("a", schedule=jittered()) as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.clock.advance(0.999)
        await refreshing.catalogue.recheck()
        assert len(refreshing.source.asked) == 1
        refreshing.clock.advance(0.001)
        await refreshing.catalogue.recheck()
        assert len(refreshing.source.asked) == 2


@pytest.mark.req("gateway/X7", "fault/F37")
async def test_a_recheck_pulls_all_enabled_bundles_and_brings_new_tools() -> None:
    async with Refreshing("a", "b") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        refreshing.source.answer("b", manifest("b", ["policy_find"]))
        await refreshing.settled()
        refreshing.source.answer("a", manifest("a", ["claim_find", "claim_new"]))
        refreshing.clock.advance(2)
        await refreshing.catalogue.recheck()
        assert refreshing.names() == ["claim_find", "claim_new", "policy_find"]
        assert [asked for asked, _ in refreshing.source.asked[2:]] == ["a", "b"]


@pytest.mark.req("gateway/X7", "gateway/G9", "fault/F32")
async def test_a_thousand_misses_at_once_share_one_pull_and_wait_for_its_end() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.clock.advance(2)
        refreshing.source.hold("a")
        misses = [asyncio.create_task(refreshing.catalogue.recheck()) for _ in range(1000)]
        await refreshing.source.pulls(2)
        late = asyncio.create_task(refreshing.catalogue.recheck())
        await asyncio.sleep(0)
        assert not any(miss.done() for miss in [*misses, late])
        refreshing.source.release("a")
        await asyncio.gather(*misses, late)
        assert len(refreshing.source.asked) == 2


@pytest.mark.req("gateway/X7")
async def test_a_miss_long_after_the_start_of_a_pull_that_still_runs_waits_for_that_one() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.source.hold("a")
        refreshing.clock.advance(INTERVAL)
        await refreshing.source.pulls(2)
        refreshing.clock.advance(5)
        miss = asyncio.create_task(refreshing.catalogue.recheck())
        await asyncio.sleep(0)
        assert not miss.done()
        refreshing.source.release("a")
        await miss
        assert len(refreshing.source.asked) == 2


@pytest.mark.req("gateway/G9")
async def test_a_scheduled_refresh_that_meets_a_recheck_shares_its_pull_and_keeps_its_own_times() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.clock.advance(INTERVAL - 1)
        refreshing.source.hold("a")
        miss = asyncio.create_task(refreshing.catalogue.recheck())
        await refreshing.source.pulls(2)
        refreshing.clock.advance(1)
        await asyncio.sleep(0)
        refreshing.clock.advance(4)
        refreshing.source.release("a")
        await miss
        assert await refreshing.settled() == INTERVAL - 4
        assert len(refreshing.source.asked) == 2


@pytest.mark.req("gateway/X7")
async def test_a_caller_that_gives_up_waiting_does_not_end_the_pull() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.clock.advance(2)
        refreshing.source.hold("a")
        gone, stays = (asyncio.create_task(refreshing.catalogue.recheck()) for _ in range(2))
        await refreshing.source.pulls(2)
        gone.cancel()
        await asyncio.wait({gone})
        refreshing.source.answer("a", manifest("a", ["claim_new"]))
        refreshing.source.release("a")
        await stays
        assert refreshing.names() == ["claim_new"]


@pytest.mark.req("gateway/X7", "gateway/K7")
async def test_without_a_snapshot_a_miss_waits_for_nothing_and_pulls_nothing() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.hold("a")
        await refreshing.source.pulls(1)
        await refreshing.catalogue.recheck()
        refreshing.source.release("a")
        await refreshing.settled()
        refreshing.clock.advance(5)
        await refreshing.catalogue.recheck()
        assert len(refreshing.source.asked) == 1


@pytest.mark.req("gateway/X7", "gateway/G5")
async def test_a_recheck_counts_as_a_pull_everywhere() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.source.answer("a", PullFailure.TIMED_OUT)
        refreshing.clock.advance(2)
        await refreshing.catalogue.recheck()
        state = refreshing.state("a")
        assert (state.status, state.consecutive_failures, state.last_failure_reason) == ("degraded", 1, "TimedOut")
        assert state.last_attempt_at == refreshing.clock.now()
        assert refreshing.outcomes == [("a", "ok"), ("a", "TimedOut")]


@pytest.mark.req("gateway/C6")
async def test_the_end_of_the_run_ends_pulls_and_frees_who_waits_for_them() -> None:
    async with Refreshing("a") as refreshing:
        refreshing.source.answer("a", ONE_TOOL)
        await refreshing.settled()
        refreshing.clock.advance(2)
        refreshing.source.hold("a")
        miss = asyncio.create_task(refreshing.catalogue.recheck())
        await refreshing.source.pulls(2)
        await refreshing.stop()
        await miss
        await refreshing.catalogue.recheck()
        assert len(refreshing.source.asked) == 2
