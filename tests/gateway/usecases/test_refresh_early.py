"""Pulls before their turn: a source that says it has changed, or how long its list holds (gateway/P11)."""

import asyncio
from typing import Self

import pytest

from axhub.gateway.ports import Pulled, PullFailure
from axhub.gateway.usecases.refresh_catalogue import Schedule
from support.manifests import manifest
from support.refreshing import INTERVAL, Refreshing, bundle

ONE = manifest("a", ["claim_find"])
TWO = manifest("a", ["claim_find", "claim_new"])
OTHER = manifest("b", ["policy_find"])
MINIMUM = Schedule(interval=INTERVAL, jitter=0.0, recheck_min_interval=1.0)


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


class Both:
    """Bundles `a` and `b` after their first refresh."""

    def __init__(self) -> None:
        self.refreshing = Refreshing("a", "b", schedule=MINIMUM)
        self.source, self.clock = self.refreshing.source, self.refreshing.clock
        self.catalogue = self.refreshing.catalogue

    async def __aenter__(self) -> Self:
        self.source.answer("a", ONE)
        self.source.answer("b", OTHER)
        await self.refreshing.__aenter__()
        await self.refreshing.settled()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.refreshing.stop()

    @property
    def asked(self) -> list[str]:
        """Which bundles were pulled since the first refresh."""
        return [name for name, _ in self.source.asked[2:]]

    async def pass_by(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.5)):
            self.clock.advance(0.5)
            await settle()


@pytest.mark.req("gateway/P11")
async def test_a_bundle_that_changed_is_pulled_alone_and_its_tools_are_shown() -> None:
    async with Both() as both:
        both.source.answer("a", TWO)
        await both.pass_by(5)
        both.catalogue.changed("a")
        await settle()
        assert both.asked == ["a"]
        assert both.refreshing.names() == ["claim_find", "claim_new", "policy_find"]
        assert both.refreshing.outcomes[2:] == [("a", "ok")]


@pytest.mark.req("gateway/P11", "gateway/G2")
async def test_the_schedule_keeps_its_times() -> None:
    async with Both() as both:
        await both.pass_by(5)
        both.catalogue.changed("a")
        await settle()
        assert await both.refreshing.settled() == INTERVAL - 5
        await both.pass_by(INTERVAL - 5.5)
        assert both.asked == ["a"]
        await both.pass_by(0.5)
        assert both.asked == ["a", "a", "b"]


@pytest.mark.req("gateway/P11")
async def test_notices_come_as_often_as_they_like_and_pulls_do_not() -> None:
    async with Both() as both:
        for _ in range(20):
            both.catalogue.changed("a")
            await both.pass_by(0.5)
        assert 9 <= len(both.asked) <= 10
        assert set(both.asked) == {"a"}


@pytest.mark.req("gateway/P11")
async def test_a_notice_right_after_the_start_of_a_pull_waits_for_the_least_interval() -> None:
    async with Both() as both:
        both.catalogue.changed("a")
        await settle()
        await both.pass_by(0.5)
        assert both.asked == []
        await both.pass_by(0.5)
        assert both.asked == ["a"]
        await both.pass_by(20)
        assert both.asked == ["a"]


@pytest.mark.req("gateway/P11")
async def test_a_notice_during_a_pull_has_the_bundle_pulled_again() -> None:
    async with Both() as both:
        await both.pass_by(5)
        both.source.hold("a")
        both.catalogue.changed("a")
        await settle()
        await both.pass_by(3)
        both.catalogue.changed("a")
        await settle()
        assert both.asked == ["a"]
        both.source.answer("a", TWO)
        both.source.release("a")
        await settle()
        assert both.asked == ["a", "a"]


@pytest.mark.req("gateway/P11")
async def test_a_notice_about_a_bundle_that_is_not_pulled_pulls_nothing() -> None:
    async with Refreshing("a", bundle("off", enabled=False), schedule=MINIMUM) as refreshing:
        refreshing.source.answer("a", ONE)
        await refreshing.settled()
        for name in ("off", "unknown"):
            refreshing.catalogue.changed(name)
        await settle()
        refreshing.clock.advance(5)
        await settle()
        assert [name for name, _ in refreshing.source.asked] == ["a"]


@pytest.mark.req("gateway/P11", "gateway/G9")
async def test_one_refresh_at_a_time_whatever_it_pulls() -> None:
    async with Both() as both:
        await both.pass_by(INTERVAL - 1)
        both.source.hold("a")
        both.catalogue.changed("a")
        await settle()
        assert both.asked == ["a"]
        await both.pass_by(2)  # the scheduled refresh is due, and waits
        assert both.asked == ["a"]
        both.source.release("a")
        await settle()
        assert both.asked == ["a", "a", "b"]
        both.catalogue.changed("b")
        await settle()
        assert both.asked == ["a", "a", "b"]
        await both.pass_by(1)
        assert both.asked == ["a", "a", "b", "b"]


@pytest.mark.req("gateway/P11", "gateway/G9")
async def test_an_early_pull_waits_for_the_refresh_that_runs() -> None:
    async with Both() as both:
        both.source.hold("b")
        await both.pass_by(INTERVAL)
        assert both.asked == ["a", "b"]
        await both.pass_by(2)
        both.catalogue.changed("a")
        await settle()
        assert both.asked == ["a", "b"]
        both.source.release("b")
        await settle()
        assert both.asked == ["a", "b", "a"]


@pytest.mark.req("gateway/P11", "gateway/X7")
async def test_a_miss_is_judged_by_a_pull_of_all_bundles_never_by_one_of_some() -> None:
    async with Both() as both:
        await both.pass_by(5)
        both.source.hold("a")
        both.catalogue.changed("a")
        await settle()
        both.source.answer("b", manifest("b", ["policy_find", "policy_new"]))
        miss = asyncio.create_task(both.catalogue.recheck())
        await settle()
        assert not miss.done()
        both.source.release("a")
        await miss
        assert both.asked == ["a", "a", "b"]
        assert "policy_new" in both.refreshing.names()


@pytest.mark.req("gateway/P11", "gateway/X7")
async def test_after_an_early_pull_a_miss_still_has_all_bundles_pulled() -> None:
    async with Both() as both:
        await both.pass_by(5)
        both.catalogue.changed("a")
        await settle()
        await both.catalogue.recheck()
        assert both.asked == ["a", "a", "b"]


@pytest.mark.req("gateway/P11", "gateway/X7", "fault/F32")
async def test_many_misses_during_an_early_pull_share_one_refresh() -> None:
    async with Both() as both:
        await both.pass_by(5)
        both.source.hold("a")
        both.catalogue.changed("a")
        await settle()
        misses = [asyncio.create_task(both.catalogue.recheck()) for _ in range(50)]
        await settle()
        both.source.release("a")
        await asyncio.gather(*misses)
        assert both.asked == ["a", "a", "b"]


def fresh(seconds: float, body: bytes = ONE) -> Pulled:
    return Pulled(body=body, fresh_seconds=seconds)


@pytest.mark.req("gateway/P11")
async def test_a_list_that_holds_for_a_while_is_pulled_when_that_is_over() -> None:
    async with Refreshing("a", schedule=MINIMUM) as refreshing:
        refreshing.source.answer("a", fresh(8))
        await refreshing.source.pulls(1)
        await settle()
        assert await refreshing.clock.sleepers(2) == [8, INTERVAL]
        refreshing.clock.advance(7.5)
        await settle()
        assert len(refreshing.source.asked) == 1
        refreshing.clock.advance(0.5)
        await settle()
        assert len(refreshing.source.asked) == 2
        assert await refreshing.clock.sleepers(2) == [8, INTERVAL - 8]


@pytest.mark.req("gateway/P11", "gateway/G2")
async def test_a_list_that_holds_longer_than_the_interval_is_pulled_in_its_turn() -> None:
    async with Refreshing("a", schedule=MINIMUM) as refreshing:
        refreshing.source.answer("a", fresh(3600))
        await refreshing.source.pulls(1)
        for _ in range(4):
            await settle()
            refreshing.clock.advance(INTERVAL)
        await settle()
        assert len(refreshing.source.asked) == 5


@pytest.mark.req("gateway/P11")
@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.5])
async def test_a_list_that_hardly_holds_is_not_pulled_more_often_than_the_least_interval(seconds: float) -> None:
    async with Refreshing("a", schedule=MINIMUM) as refreshing:
        refreshing.source.answer("a", fresh(seconds))
        await refreshing.source.pulls(1)
        for _ in range(40):
            await settle()
            refreshing.clock.advance(0.25)
        await settle()
        assert len(refreshing.source.asked) == 11


@pytest.mark.req("gateway/P11", "gateway/G5")
async def test_what_was_not_adopted_shortens_nothing() -> None:
    async with Refreshing("a", schedule=MINIMUM) as refreshing:
        refreshing.source.answer("a", fresh(2, b"{}"))
        await refreshing.source.pulls(1)
        await settle()
        refreshing.clock.advance(20)
        await settle()
        assert len(refreshing.source.asked) == 1


@pytest.mark.req("gateway/P11", "gateway/M1")
async def test_an_early_pull_is_not_the_first_attempt() -> None:
    async with Refreshing("a", "b", schedule=MINIMUM) as refreshing:
        refreshing.source.answer("a", ONE)
        refreshing.source.answer("b", OTHER)
        refreshing.source.hold("b")
        refreshing.catalogue.changed("a")
        await settle()
        assert not refreshing.first_attempt_over()
        refreshing.source.release("b")
        await settle()
        assert refreshing.first_attempt_over()


@pytest.mark.req("gateway/P11", "gateway/G3")
async def test_an_early_pull_that_fails_is_a_failed_pull_and_the_next_notice_is_followed() -> None:
    async with Both() as both:
        await both.pass_by(5)
        both.source.answer("a", PullFailure.TIMED_OUT)
        both.catalogue.changed("a")
        await settle()
        assert both.refreshing.state("a").consecutive_failures == 1
        assert both.refreshing.state("b").consecutive_failures == 0
        both.source.answer("a", RuntimeError("secret"))
        await both.pass_by(2)
        both.catalogue.changed("a")
        await settle()
        assert both.refreshing.state("a").consecutive_failures == 2
        both.source.answer("a", TWO)
        await both.pass_by(2)
        both.catalogue.changed("a")
        await settle()
        assert both.refreshing.state("a").consecutive_failures == 0
        assert "claim_new" in both.refreshing.names()


@pytest.mark.req("gateway/P11", "gateway/C6")
async def test_the_end_of_the_run_ends_an_early_pull() -> None:
    async with Both() as both:
        await both.pass_by(5)
        both.source.hold("a")
        both.catalogue.changed("a")
        await settle()
        async with asyncio.timeout(5):
            await both.refreshing.stop()
        both.catalogue.changed("b")
        await settle()
        assert both.asked == ["a"]


@pytest.mark.req("gateway/P11", "gateway/G2", "gateway/X7")
async def test_a_bundle_that_never_stops_announcing_does_not_keep_the_others_from_their_turn() -> None:
    """Its pulls last longer than the least interval, so the next one is due before the last has ended."""
    async with Both() as both:
        await both.pass_by(5)
        both.source.hold("a")
        both.catalogue.changed("a")
        await settle()
        missed = asyncio.create_task(both.catalogue.recheck())
        await settle()
        for _ in range(3):
            both.catalogue.changed("a")
            await both.pass_by(2)
        both.source.release("a")
        await settle()
        assert both.asked[:3] == ["a", "a", "b"]
        await asyncio.wait_for(missed, 5)
