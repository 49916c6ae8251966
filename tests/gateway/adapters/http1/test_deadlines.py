"""The one timer behind all deadlines."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.deadlines import NEVER, Deadlines, Expiring
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


async def test_what_expires_first_may_still_save_or_end_what_was_due_with_it() -> None:
    """A call that ends may give its place to one whose own deadline passed in the same moment (gateway/X9)."""
    deadlines = make()
    saved, ended = Item(deadlines), Item(deadlines)

    @dataclass(eq=False)
    class First(Item):
        def expire(self, now: float) -> None:
            for other in (saved, ended):
                other.deadline = NEVER if other is saved else other.deadline
            self.deadlines.items.discard(ended)
            super().expire(now)

    firsts = [First(deadlines) for _ in range(2)]
    due = deadlines.now() - 1
    for item in (*firsts, saved, ended):
        item.deadline = due
    deadlines.items = _InOrder((*firsts, saved, ended))
    deadlines._tick()
    assert [len(item.expired_at) for item in (*firsts, saved, ended)] == [1, 1, 0, 0]
    deadlines.stop()


class _InOrder(set[Expiring]):
    """A set that is read in the order it was filled in."""

    def __init__(self, items: Iterable[Expiring]) -> None:
        self._order = list(items)
        super().__init__(self._order)

    def __iter__(self) -> Iterator[Expiring]:
        return iter([item for item in self._order if item in self])
