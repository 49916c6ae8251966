"""Pulls out of turn, by hand and by a scripted clock (gateway/P11)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.usecases.early_pulls import EarlyPulls

MINIMUM = 1.0


class Pulls:
    """Early pulls whose pulls take `seconds` each."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.early = EarlyPulls(self.clock, self._pull, MINIMUM)
        self.made: list[tuple[float, frozenset[str]]] = []
        self.seconds = 0.0
        self.marks = True

    async def _pull(self, bundle_ids: frozenset[str]) -> None:
        self.made.append((self.clock.monotonic(), bundle_ids))
        if self.marks:
            for bundle_id in bundle_ids:
                self.early.pull_started(bundle_id)
        if self.seconds:
            await self.clock.sleep(self.seconds)

    @property
    def times(self) -> list[float]:
        return [at for at, _ in self.made]

    async def pass_by(self, seconds: float, step: float = 0.25) -> None:
        """Let time go by in steps, and everybody have their turn in each."""
        for _ in range(round(seconds / step)):
            self.clock.advance(step)
            await settle()


async def settle() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


@asynccontextmanager
async def running() -> AsyncIterator[Pulls]:
    pulls = Pulls()
    task = asyncio.create_task(pulls.early.run())
    try:
        await settle()
        yield pulls
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.req("gateway/P11")
async def test_a_bundle_that_changed_is_pulled_at_once_and_once() -> None:
    async with running() as pulls:
        pulls.early.ask("a")
        await settle()
        assert pulls.made == [(0.0, frozenset({"a"}))]
        await pulls.pass_by(10)
        assert len(pulls.made) == 1


@pytest.mark.req("gateway/P11")
async def test_nothing_asked_is_nothing_pulled_and_no_timer() -> None:
    async with running() as pulls:
        await pulls.pass_by(5)
        assert pulls.made == []
        pulls.early.pull_started("a")
        await pulls.pass_by(5)
        assert pulls.made == []


@pytest.mark.req("gateway/P11")
async def test_a_word_that_comes_too_soon_waits_for_the_least_interval() -> None:
    async with running() as pulls:
        pulls.early.pull_started("a")
        await pulls.pass_by(0.5)
        for _ in range(100):
            pulls.early.ask("a")
        await settle()
        assert pulls.made == []
        await pulls.pass_by(3)
        assert pulls.times == [1.0]


@pytest.mark.req("gateway/P11")
async def test_bundles_that_are_due_together_are_pulled_together_and_others_are_not() -> None:
    async with running() as pulls:
        for bundle_id, seconds in (("a", 2.0), ("b", 2.0), ("c", 3.0)):
            pulls.early.ask(bundle_id, seconds)
        await pulls.pass_by(5)
        assert pulls.made == [(2.0, frozenset({"a", "b"})), (3.0, frozenset({"c"}))]


@pytest.mark.req("gateway/P11")
async def test_a_later_word_shortens_a_wait_and_never_lengthens_it() -> None:
    async with running() as pulls:
        pulls.early.ask("a", 5)
        pulls.early.ask("a", 60)
        await pulls.pass_by(2)
        pulls.early.ask("a", 1)
        pulls.early.ask("a", 2)
        await pulls.pass_by(10)
        assert pulls.times == [3.0]


@pytest.mark.req("gateway/P11")
async def test_a_pull_of_its_turn_is_instead_of_one_that_was_due() -> None:
    async with running() as pulls:
        pulls.early.ask("a", 5)
        await pulls.pass_by(4)
        pulls.early.pull_started("a")
        await pulls.pass_by(10)
        assert pulls.made == []


@pytest.mark.req("gateway/P11")
async def test_a_word_during_a_pull_has_it_pulled_again() -> None:
    async with running() as pulls:
        pulls.seconds = 3
        pulls.early.ask("a")
        await settle()
        await pulls.pass_by(1.5)
        pulls.early.ask("a")
        pulls.early.ask("a")
        assert pulls.times == [0.0]
        await pulls.pass_by(10)
        assert pulls.times == [0.0, 3.0]


@pytest.mark.req("gateway/P11")
async def test_a_bundle_that_is_not_pulled_after_all_is_not_asked_for_again_and_again() -> None:
    async with running() as pulls:
        pulls.marks = False
        pulls.early.ask("unknown")
        await settle()
        await pulls.pass_by(5)
        assert len(pulls.made) == 1


WORDS = st.lists(
    st.tuples(st.sampled_from(["ask", "turn"]), st.sampled_from(["a", "b"]), st.integers(0, 12), st.integers(0, 12)),
    max_size=15,
)


async def follow(words: list[tuple[str, str, int, int]]) -> list[tuple[float, str, str, float]]:
    """Return what happened, in order: when, `ask`, `turn` or `early`, which bundle, and in how many seconds."""
    log: list[tuple[float, str, str, float]] = []
    async with running() as pulls:
        for word, bundle_id, wait, until_next in words:
            told = len(pulls.made)
            if word == "turn":
                pulls.early.pull_started(bundle_id)
            else:
                pulls.early.ask(bundle_id, wait / 4)
            log.append((pulls.clock.monotonic(), word, bundle_id, wait / 4))
            await settle()
            await pulls.pass_by(until_next / 4)
            log += [(at, "early", one, 0.0) for at, made in pulls.made[told:] for one in sorted(made)]
        told = len(pulls.made)
        await pulls.pass_by(5)
        log += [(at, "early", one, 0.0) for at, made in pulls.made[told:] for one in sorted(made)]
    return log


@pytest.mark.req("gateway/P11")
@given(WORDS)
def test_each_word_is_followed_in_time_and_no_bundle_is_pulled_too_often_or_unasked(
    words: list[tuple[str, str, int, int]],
) -> None:
    log = asyncio.run(follow(words))
    for number, (at, kind, bundle_id, wait) in enumerate(log):
        before = [entry for entry in log[:number] if entry[2] == bundle_id]
        last = max((index for index, entry in enumerate(before) if entry[1] != "ask"), default=-1)
        earliest = before[last][0] + MINIMUM if last >= 0 else 0.0
        if kind == "early":
            assert at >= earliest
            assert before[last + 1 :] != []
        elif kind == "ask":
            due = max(at + wait, earliest)
            assert any(one == bundle_id and word != "ask" and time <= due for time, word, one, _ in log[number + 1 :])
