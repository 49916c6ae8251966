"""What every `Clock` promises."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from axhub.gateway.adapters.clock import ManualClock, SystemClock
from axhub.gateway.ports import Clock

STEP = 0.01


async def let_pass(clock: Clock, seconds: float) -> None:
    """Let that much time pass on the clock."""
    if isinstance(clock, ManualClock):
        clock.advance(seconds)
    await clock.sleep(0 if isinstance(clock, ManualClock) else seconds)


@pytest.fixture(params=[SystemClock, ManualClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    make: Callable[[], Clock] = request.param
    return make()


@pytest.mark.req("gateway/G2")
async def test_monotonic_moves_with_time_and_never_back(clock: Clock) -> None:
    before = clock.monotonic()
    assert clock.monotonic() >= before
    await let_pass(clock, STEP)
    assert clock.monotonic() >= before + STEP


async def test_now_is_in_utc(clock: Clock) -> None:
    before = clock.now()
    await let_pass(clock, STEP)
    assert before.utcoffset() == timedelta()
    assert clock.now() > before


async def test_a_sleeper_wakes_when_its_time_has_come_and_not_before(clock: Clock) -> None:
    start = clock.monotonic()
    sleeper = asyncio.create_task(clock.sleep(STEP))
    await asyncio.sleep(0)
    assert not sleeper.done()
    await let_pass(clock, STEP)
    await sleeper
    assert clock.monotonic() >= start + STEP


@pytest.mark.parametrize("seconds", [0, -1])
async def test_a_sleep_of_nothing_lets_other_tasks_run_once(clock: Clock, seconds: float) -> None:
    ran: list[bool] = []
    other = asyncio.create_task(_note(ran))
    await clock.sleep(seconds)
    assert ran == [True]
    await other


async def test_a_cancelled_sleeper_disturbs_no_other(clock: Clock) -> None:
    gone = asyncio.create_task(clock.sleep(STEP))
    stays = asyncio.create_task(clock.sleep(STEP))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait({gone})
    await let_pass(clock, STEP)
    await stays
    assert gone.cancelled()


async def test_sleepers_wake_in_the_order_of_their_times(clock: Clock) -> None:
    woken: list[float] = []
    sleepers = [asyncio.create_task(_sleep(clock, seconds, woken)) for seconds in (3 * STEP, STEP, 2 * STEP)]
    await asyncio.sleep(0)
    await let_pass(clock, 3 * STEP)
    await asyncio.gather(*sleepers)
    assert woken == [STEP, 2 * STEP, 3 * STEP]


async def test_a_manual_clock_tells_how_long_its_sleepers_still_sleep() -> None:
    clock = ManualClock()
    waiting = asyncio.create_task(clock.sleepers(2))
    tasks = [asyncio.create_task(clock.sleep(seconds)) for seconds in (5, 2, 9)]
    assert await waiting == [2, 5, 9]
    clock.advance(2)
    assert await clock.sleepers() == [3, 7]
    clock.advance(7)
    await asyncio.gather(*tasks)


async def _note(ran: list[bool]) -> None:
    ran.append(True)


async def _sleep(clock: Clock, seconds: float, woken: list[float]) -> None:
    await clock.sleep(seconds)
    woken.append(seconds)
