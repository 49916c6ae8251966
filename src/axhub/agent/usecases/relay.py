"""Lets events leave: at least once, in order per aggregate, on several replicas (agent/I4)."""

from collections.abc import Callable
from typing import Final

from axhub.agent.ports.effects import Ids, Observer
from axhub.agent.ports.events import OutboxItem, OutboxStore, Publisher

__all__ = ["Relay"]

_BATCH: Final = 50
_LEASE_SECONDS: Final = 30.0
_ATTEMPTS: Final = 12
"""After which an event is dead: half an hour to three quarters of one, with the pauses below."""
_FIRST_SECONDS: Final = 1.0
_MOST_SECONDS: Final = 900.0


class Relay:
    """The use case; called again and again by each process."""

    def __init__(
        self,
        *,
        outbox: OutboxStore,
        publisher: Publisher,
        ids: Ids,
        observer: Observer,
        chance: Callable[[], float],
    ) -> None:
        """Take the ports; `chance` returns 0 to 1 and spreads the pauses of several relays."""
        self._outbox = outbox
        self._publisher = publisher
        self._ids = ids
        self._observer = observer
        self._chance = chance

    async def once(self) -> int:
        """Publish what is due; return how many events have left."""
        left = 0
        for item in await self._outbox.claim(_BATCH, _LEASE_SECONDS):
            left += await self._publish(item)
        return left

    async def _publish(self, item: OutboxItem) -> int:
        try:
            await self._publisher.publish(item.event)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the event stays
            self._observer.fault(self._ids.new(), error, event=item.event.id, type=item.event.type)
            await self._outbox.failed(item.event.id, self._pause(item.attempts))
            return 0
        await self._outbox.published(item.event.id)
        return 1

    def _pause(self, attempts: int) -> float | None:
        """Return how long to wait after so many attempts, half of it by chance; None: no more."""
        if attempts >= _ATTEMPTS:
            return None
        most = min(_MOST_SECONDS, _FIRST_SECONDS * 2.0**attempts)
        return most * (1 + self._chance()) / 2
