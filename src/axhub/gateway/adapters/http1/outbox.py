"""Lets small writes wait for the end of the loop's turn, so that they reach the system back to back.

A write to a peer that sleeps costs twice as much as one to a peer that is awake: the system must wake it. Sixteen
answers written one by one, each between two pieces of other work, wake the same load balancer or Tool Service sixteen
times; written together they wake it once. With nothing else under way nobody is made to wait: see the callers.
"""

import asyncio
from typing import Protocol


class Holding(Protocol):
    """A connection that holds something back."""

    def flush(self) -> None:
        """Write it, if the connection is still open."""
        ...


class Outbox(list[Holding]):
    """Who holds something back in this turn of the loop; one for all connections of a kind.

    Who appends the first one calls `empty_soon`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()

    def empty_soon(self) -> None:
        """Have all items flushed and removed before the loop waits for anything again."""
        self._loop.call_soon(self._empty)

    def _empty(self) -> None:
        held, self[:] = self.copy(), ()
        for one in held:
            one.flush()
