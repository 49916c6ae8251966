"""A world in which nothing happens by itself: an actor, a clock that is moved by hand, numbered ids, kept notes."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from axhub.agent.main import Effects
from axhub.agent.ports.effects import Noted

__all__ = ["FakeActor", "FixedClock", "NumberedIds", "RecordingObserver", "fixed"]


@dataclass(frozen=True, slots=True)
class FakeActor:
    """Somebody who acts."""

    user_id: str = "user-1"
    tenant_id: str = "tenant-1"
    roles: frozenset[str] = field(default_factory=frozenset)


class FixedClock:
    """See `ports.effects.Clock`; who sleeps is woken by `advance`."""

    def __init__(self, now: float = 0.0) -> None:
        """Take the time on the monotonic clock, in seconds."""
        self._now = now
        self._asleep: list[tuple[float, asyncio.Future[None]]] = []

    def monotonic(self) -> float:
        """See `Clock`."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """See `Clock`."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asleep.append((self._now + seconds, woken))
        await woken

    def advance(self, seconds: float) -> None:
        """Let time go by."""
        self._now += seconds
        due = [one for one in self._asleep if one[0] <= self._now]
        self._asleep = [one for one in self._asleep if one[0] > self._now]
        for _, woken in due:
            if not woken.done():
                woken.set_result(None)


class NumberedIds:
    """See `ports.effects.Ids`: 1, 2, 3 and so on, with 32 digits."""

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> str:
        """See `Ids`."""
        self._last += 1
        return f"{self._last:032x}"


class RecordingObserver:
    """See `ports.effects.Observer`; keeps what it was told."""

    def __init__(self) -> None:
        self.notes: Final[list[tuple[Noted, dict[str, str | float]]]] = []
        self.faults: Final[dict[str, BaseException]] = {}
        """By reference."""

    def note(self, what: Noted, **facts: str | float) -> None:
        """See `Observer`."""
        self.notes.append((what, facts))

    def fault(self, reference: str, error: BaseException, **_facts: str) -> None:
        """See `Observer`."""
        self.faults[reference] = error


def fixed() -> Effects:
    """Return time, ids and an observer for one test."""
    return Effects(clock=FixedClock(), ids=NumberedIds(), observer=RecordingObserver())
