"""Pulls out of turn: a bundle whose source said that it has changed, or that its list holds only so long (gateway/P11).

Such a word shortens the wait for one bundle. It never lengthens it, and never makes a bundle pulled more often than
`min_interval`, whatever its source says.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from axhub.gateway.ports import Clock

Pull = Callable[[frozenset[str]], Coroutine[Any, Any, None]]
_NEVER: Final = float("inf")


class EarlyPulls:
    """When which bundle is due before its turn. Made inside a loop."""

    def __init__(self, clock: Clock, pull: Pull, min_interval: float) -> None:
        """`pull` pulls some bundles by their ids; `min_interval` is in seconds."""
        self._clock = clock
        self._pull = pull
        self._min_interval = min_interval
        self._due: dict[str, float] = {}
        self._started: dict[str, float] = {}
        self._news = asyncio.Event()

    def pull_started(self, bundle_id: str) -> None:
        """Take note of a pull, whatever made it: what was due until now is done with it."""
        self._started[bundle_id] = self._clock.monotonic()
        self._due.pop(bundle_id, None)

    def ask(self, bundle_id: str, seconds: float = 0.0) -> None:
        """Have a bundle pulled in so many seconds, if not before."""
        earliest = self._started.get(bundle_id, -_NEVER) + self._min_interval
        due = max(self._clock.monotonic() + seconds, earliest)
        if due < self._due.get(bundle_id, _NEVER):
            self._due[bundle_id] = due
            self._news.set()

    async def run(self) -> None:
        """Pull what is due, until cancelled."""
        while True:
            self._news.clear()
            now = self._clock.monotonic()
            ready = frozenset(bundle_id for bundle_id, due in self._due.items() if due <= now)
            for bundle_id in ready:
                del self._due[bundle_id]
            if ready:
                await self._pull(ready)
            else:
                await self._wait(min(self._due.values(), default=_NEVER) - now)

    async def _wait(self, seconds: float) -> None:
        """Return after so many seconds, or when something is asked for."""
        alarm = None if seconds == _NEVER else asyncio.create_task(self._ring(seconds))
        try:
            await self._news.wait()
        finally:
            if alarm is not None:
                alarm.cancel()

    async def _ring(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._news.set()
