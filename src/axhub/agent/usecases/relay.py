"""Lets events leave: at least once, in order per aggregate, on several replicas (agent/I4)."""

import asyncio
from collections.abc import Callable
from typing import Final

from axhub.agent.ports.effects import Clock, Ids, Noted, Observer
from axhub.agent.ports.events import OutboxItem, OutboxStore, Publisher

__all__ = ["Relay"]

_BATCH: Final = 50
_LEASE_SECONDS: Final = 30.0
_PUBLISH_SECONDS: Final = 10.0
"""How long the publisher may take for one event."""
_ATTEMPTS: Final = 12
"""After which an event is dead: half an hour to three quarters of one, with the pauses below."""
_FIRST_SECONDS: Final = 1.0
_MOST_SECONDS: Final = 900.0
_LAG_SECONDS: Final = 30.0
"""How often it is looked how old the oldest event is, and from which age on that is told."""


class Relay:
    """The use case; called again and again by each process."""

    def __init__(
        self,
        *,
        outbox: OutboxStore,
        publisher: Publisher,
        clock: Clock,
        ids: Ids,
        observer: Observer,
        chance: Callable[[], float],
        publish_seconds: float = _PUBLISH_SECONDS,
    ) -> None:
        """Take the ports.

        Args:
            outbox: where events are.
            publisher: where they go.
            clock: of this process.
            ids: for references in the log.
            observer: hears of events that did not leave, that are dead, and of how far events are behind.
            chance: returns 0 to 1, and spreads the pauses of several relays.
            publish_seconds: how long the publisher may take for one event; at most half the lease of 30 s.

        Raises:
            ValueError: `publish_seconds` is not above 0, or longer than that.
        """
        if not 0 < publish_seconds <= _LEASE_SECONDS / 2:
            raise ValueError(f"publish_seconds: above 0 and at most {_LEASE_SECONDS / 2:g}")
        self._outbox = outbox
        self._publisher = publisher
        self._clock = clock
        self._ids = ids
        self._observer = observer
        self._chance = chance
        self._publish_seconds = publish_seconds
        self._looked: float | None = None
        self._is_behind = False

    async def once(self) -> int:
        """Publish what is due; return how many events have left.

        An event that has not been handed over when the lease is nearly over goes back, and does not count as tried.
        """
        until = self._clock.monotonic() + _LEASE_SECONDS - self._publish_seconds
        left = 0
        given_back = []
        for item in await self._outbox.claim(_BATCH, _LEASE_SECONDS):
            if self._clock.monotonic() < until:
                left += await self._publish(item)
            else:
                given_back.append(item)
        if given_back:
            await self._outbox.give_back(given_back)
        await self._look_at_lag()
        return left

    async def _publish(self, item: OutboxItem) -> int:
        try:
            async with asyncio.timeout(self._publish_seconds):
                await self._publisher.publish(item.event)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the event stays
            self._observer.fault(self._ids.new(), error, event=item.event.id, type=item.event.type)
            pause = self._pause(item.attempts)
            await self._outbox.failed(item.event.id, pause)
            if pause is None:
                self._observer.note(Noted.EVENT_DEAD, event=item.event.id, type=item.event.type, attempts=item.attempts)
            return 0
        await self._outbox.published(item.event.id)
        return 1

    async def _look_at_lag(self) -> None:
        """Tell now and then how old the oldest event is: while that is much, and once when it is not any more."""
        now = self._clock.monotonic()
        if self._looked is not None and now - self._looked < _LAG_SECONDS:
            return
        self._looked = now
        lag = await self._outbox.lag_seconds()
        if lag >= _LAG_SECONDS or self._is_behind:
            self._observer.note(Noted.EVENTS_BEHIND, seconds=round(lag, 1))
        self._is_behind = lag >= _LAG_SECONDS

    def _pause(self, attempts: int) -> float | None:
        """Return how long to wait after so many attempts, half of it by chance; None: no more."""
        if attempts >= _ATTEMPTS:
            return None
        most = min(_MOST_SECONDS, _FIRST_SECONDS * 2.0**attempts)
        return most * (1 + self._chance()) / 2
