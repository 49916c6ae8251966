"""The one timer behind all deadlines."""

import asyncio
from dataclasses import dataclass, field

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines
from support.wire import eventually


@dataclass(eq=False)
class Item:
    """Leaves the watch when it expires, and says when that was."""

    deadlines: Deadlines
    deadline: float = NEVER
    expired_at: list[float] = field(default_factory=list)
    expired: asyncio.Event = field(default_factory=asyncio.Event)

    def expire(self, now: float) -> None:
        self.expired_at.append(now)
        self.deadlines.items.discard(self)
        self.expired.set()


def make() -> Deadlines:
    loop = asyncio.get_running_loop()
    return Deadlines(loop, SystemClock.monotonic)


async def test_items_expire_at_their_deadlines_whatever_the_order_they_came_in() -> None:
    deadlines = make()
    start = deadlines.now()
    items = {seconds: Item(deadlines) for seconds in (0.06, 0.02, 0.1, 0.021)}
    for seconds, item in items.items():
        deadlines.add(item, start + seconds)
    for item in items.values():
        await item.expired.wait()
    for seconds, item in items.items():
        (at,) = item.expired_at
        assert seconds <= at - start < seconds + 1
    expired = [items[seconds].expired_at for seconds in sorted(items)]
    assert expired == sorted(expired)


async def test_a_deadline_that_moves_is_the_one_that_counts() -> None:
    deadlines = make()
    start = deadlines.now()
    later, earlier = Item(deadlines), Item(deadlines)
    deadlines.add(later, start + 0.02)
    deadlines.add(earlier, start + 10)
    deadlines.set(later, start + 0.08)
    deadlines.set(earlier, start + 0.04)
    await later.expired.wait()
    assert earlier.expired_at[0] < later.expired_at[0]
    assert later.expired_at[0] >= start + 0.08


async def test_the_timer_runs_only_while_something_is_pending() -> None:
    deadlines = make()
    item = Item(deadlines)
    assert deadlines.wake == NEVER
    deadlines.add(item, NEVER)
    assert deadlines.wake == NEVER
    deadlines.set(item, deadlines.now())
    assert deadlines.wake != NEVER
    await item.expired.wait()
    await asyncio.sleep(0)
    assert deadlines.wake == NEVER
    deadlines.add(Item(deadlines), deadlines.now() + 100)
    deadlines.stop()
    assert deadlines.wake == NEVER
    assert not deadlines.items


async def test_an_item_that_stays_past_its_deadline_is_asked_again_without_spinning() -> None:
    deadlines = make()
    asked: list[float] = []

    class Stubborn:
        deadline = 0.0

        def expire(self, now: float) -> None:
            asked.append(now)
            if len(asked) == 5:
                deadlines.items.clear()

    deadlines.add(Stubborn(), deadlines.now())
    await eventually(lambda: not deadlines.items)
    assert asked[-1] - asked[0] >= 4 * 0.004


async def test_an_item_that_fails_to_expire_is_reported_and_the_others_expire() -> None:
    reports: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reports.append(context["message"]))
    deadlines = make()
    good = [Item(deadlines) for _ in range(5)]

    class Broken:
        deadline = 0.0

        def expire(self, now: float) -> None:
            deadlines.items.discard(self)
            raise RuntimeError

    deadlines.add(Broken(), deadlines.now())
    for item in good:
        deadlines.add(item, deadlines.now())
    for item in good:
        await item.expired.wait()
    loop.set_exception_handler(None)
    assert reports == ["Ending what took too long failed."]
