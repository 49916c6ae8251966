"""Events for others in the same process; a broker takes this place where there is one (agent/I4)."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from axhub.agent.ports.events import Event

__all__ = ["InProcessPublisher", "logged"]

_LOG: Final = logging.getLogger("order_service.events")


class InProcessPublisher:
    """See `axhub.agent.ports.events.Publisher`: hands each event to all listeners, in the order of the list."""

    def __init__(self, *listeners: Callable[[Event], Awaitable[None]]) -> None:
        """Take the listeners; one that raises gets the event again later, and so do all before it."""
        self._listeners = listeners

    async def publish(self, event: Event) -> None:
        """See `Publisher`."""
        for listener in self._listeners:
            await listener(event)


async def logged(event: Event) -> None:
    """Write a line that says what left: names, no contents."""
    _LOG.info("event type=%s aggregate=%s id=%s", event.type, event.aggregate, event.id)
