"""Old rows are removed in bounded batches, by every process, beside its other work."""

import asyncio
from typing import Final

import pytest

from axhub.agent.adapters.memory import MemoryData, MemoryRunStore
from axhub.agent.main import Agent, build_agent
from axhub.agent.ports.effects import Noted
from axhub.agent.ports.retention import Spent
from axhub.agent.ports.runs import StoreUnavailableError
from axhub.agent.testing import FakeActor, FixedClock, RecordingObserver, ScriptedTurns, fixed
from axhub.agent.usecases.forget import Ages, Forget, Retention
from support.agents import SETTINGS

DAY: Final = 86_400.0


class Rows:
    """Old rows by kind, and how they were asked for."""

    def __init__(self, **counts: int) -> None:
        self.left = {Spent(name): count for name, count in counts.items()}
        self.asked: list[tuple[Spent, float, int]] = []
        self.is_away = False

    async def remove(self, what: Spent, older_than_seconds: float, most: int) -> int:
        self.asked.append((what, older_than_seconds, most))
        if self.is_away:
            raise StoreUnavailableError
        removed = min(most, self.left.get(what, 0))
        self.left[what] = self.left.get(what, 0) - removed
        return removed


def forget(rows: Rows, ages: Ages | None = None) -> tuple[Forget, RecordingObserver]:
    observer = RecordingObserver()
    return Forget(retention=Retention(rows, ages or Ages()), observer=observer), observer


async def test_a_batch_of_each_kind_is_removed_and_told_and_more_is_said_to_be_there() -> None:
    rows = Rows(published_events=1250, request_keys=3, full_results=20)
    one, observer = forget(rows)
    assert [await one.once() for _ in range(4)] == [True, True, False, False]
    assert rows.left == {Spent.PUBLISHED_EVENTS: 0, Spent.REQUEST_KEYS: 0, Spent.FULL_RESULTS: 0}
    assert [facts for what, facts in observer.notes if what is Noted.FORGOTTEN] == [
        {"kind": "published_events", "count": 500},
        {"kind": "request_keys", "count": 3},
        {"kind": "full_results", "count": 20},
        {"kind": "published_events", "count": 500},
        {"kind": "published_events", "count": 250},
    ]
    assert {(what.value, most) for what, _, most in rows.asked} == {
        ("published_events", 500),
        ("request_keys", 500),
        ("full_results", 20),
    }


async def test_each_kind_has_its_age_and_one_without_is_kept_for_ever() -> None:
    rows = Rows()
    await forget(rows)[0].once()
    assert [one[:2] for one in rows.asked] == [
        (Spent.PUBLISHED_EVENTS, 7 * DAY),
        (Spent.REQUEST_KEYS, 30 * DAY),
        (Spent.FULL_RESULTS, 30 * DAY),
    ]
    rows = Rows()
    await forget(rows, Ages(published_events=None, request_keys=60.0, full_results=None))[0].once()
    assert [one[:2] for one in rows.asked] == [(Spent.REQUEST_KEYS, 60.0)]


@pytest.mark.parametrize("age", [0.0, -1.0, float("nan")])
def test_an_age_that_removes_what_is_needed_is_refused(age: float) -> None:
    with pytest.raises(ValueError, match=r"^request_keys: an age above 0 is needed, or None to keep them$"):
        Ages(request_keys=age)


async def test_a_process_removes_what_is_old_once_an_hour_and_more_of_it_at_once() -> None:
    rows, effects = Rows(published_events=750), fixed()
    clock = effects.clock
    assert isinstance(clock, FixedClock)
    agent: Agent[object, FakeActor] = build_agent(
        turns=ScriptedTurns(),
        sources=[],
        store=MemoryRunStore[FakeActor](MemoryData(clock.monotonic)),
        settings=SETTINGS,
        retention=Retention(rows),
        effects=effects,
    )
    working = asyncio.create_task(agent.work())

    async def later(seconds: float) -> int:
        """Let time go by; return how often each kind was asked for by now."""
        for _ in range(20):
            await asyncio.sleep(0)
        clock.advance(seconds)
        for _ in range(20):
            await asyncio.sleep(0)
        return len(rows.asked) // len(Spent)

    assert await later(0) == 1
    assert await later(1) == 2, "there was more"
    assert await later(1) == 2
    assert await later(3598) == 2
    rows.is_away = True
    assert await later(2) == 2, "the first kind was asked for, and the store is away"
    assert len(rows.asked) == 7
    assert await later(2) == 2
    assert len(rows.asked) == 7, "it is asked an hour later; other work goes on"
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
