"""Time: the system's clocks, and one that tests move by hand. Both implement `ports.Clock`."""

import asyncio
import heapq
import time
from datetime import UTC, datetime, timedelta
from itertools import count


class SystemClock:
    """The clocks of the operating system; `monotonic` is the one that the event loop schedules by."""

    __slots__ = ()

    monotonic = staticmethod(time.monotonic)

    @staticmethod
    def now() -> datetime:
        """Return the wall clock's time in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the one place where the system's clock is read

    async def sleep(self, seconds: float) -> None:
        """Return after at least that many seconds; zero or less lets other tasks run once."""
        until = self.monotonic() + seconds
        await asyncio.sleep(max(seconds, 0))
        if (left := until - self.monotonic()) > 0:  # an event loop's timer may be a millisecond early
            await self.sleep(left)


class ManualClock:
    """A clock that stands still until `advance` moves it; both its readings move together."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._seconds = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._changed = asyncio.Event()

    def monotonic(self) -> float:
        """Return the seconds advanced so far."""
        return self._seconds

    def now(self) -> datetime:
        """Return the start time plus the seconds advanced so far."""
        return self._start + timedelta(seconds=self._seconds)

    async def sleep(self, seconds: float) -> None:
        """Return once `advance` has moved the clock that far; zero or less lets other tasks run once."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        awake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._seconds + seconds, next(self._order), awake))
        self._changed.set()
        await awake

    def advance(self, seconds: float) -> None:
        """Move the clock forward and wake, in the order of their times, those whose time has come."""
        self._seconds += seconds
        while self._sleepers and self._sleepers[0][0] <= self._seconds:
            awake = heapq.heappop(self._sleepers)[2]
            if not awake.done():  # its task may have been cancelled
                awake.set_result(None)

    async def sleepers(self, number: int = 1) -> list[float]:
        """Wait until at least `number` tasks sleep; return the seconds each has left, ascending."""
        while len(left := self._left()) < number:
            self._changed.clear()
            await self._changed.wait()
        return left

    def _left(self) -> list[float]:
        return sorted(until - self._seconds for until, _, awake in self._sleepers if not awake.done())
