"""One coarse timer for many deadlines, running only while one is pending.

A request sets a number and compares it with `wake`; a timer of its own for each would cost more than its parsing.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

NEVER: Final = float("inf")
_REST_SECONDS, _REST_SECONDS_AN_ITEM = 0.005, 0.00002
"""The least time between two looks at all items, so that looking never takes more than a hundredth of the time."""


class Expiring(Protocol):
    """Something with a deadline, which only `Deadlines.set` brings forward."""

    deadline: float

    def expire(self, now: float) -> None:
        """Act on the passed deadline: set another one, or leave the watch."""
        ...


@dataclass(slots=True, eq=False)
class Deadlines:
    """Calls `expire` on each item whose deadline has passed."""

    loop: asyncio.AbstractEventLoop
    now: Callable[[], float]
    items: set[Expiring] = field(default_factory=set)
    wake: float = NEVER
    """When the timer goes off."""
    _timer: asyncio.TimerHandle | None = None

    def set(self, item: Expiring, deadline: float) -> None:
        """Give a watched item another deadline."""
        item.deadline = deadline
        if deadline < self.wake:
            self._arm(deadline)

    def add(self, item: Expiring, deadline: float) -> None:
        """Watch `item` until it is discarded."""
        self.items.add(item)
        self.set(item, deadline)

    def report(self, message: str, error: Exception) -> None:
        """Tell the loop's exception handler of a fault of ours."""
        self.loop.call_exception_handler({"message": message, "exception": error})

    def stop(self) -> None:
        """Forget every item and the timer."""
        self.items.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self.wake = None, NEVER

    def _arm(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.wake = deadline
        rest = _REST_SECONDS + len(self.items) * _REST_SECONDS_AN_ITEM
        self._timer = self.loop.call_later(max(deadline - self.now(), rest), self._tick)

    def _tick(self) -> None:
        self._timer, self.wake = None, NEVER
        now = self.now()
        for item in [item for item in self.items if item.deadline <= now]:
            try:
                if item.deadline <= now and item in self.items:  # what expired before it may have changed that
                    item.expire(now)
            except Exception as error:  # noqa: BLE001 - one item's fault must not keep the others from expiring
                self.report("Ending what took too long failed.", error)
        earliest = min((item.deadline for item in self.items), default=NEVER)
        if earliest < self.wake:
            self._arm(earliest)
