"""Lets small writes wait for the end of the loop's turn, so that they reach the system back to back.

A write to a peer that sleeps costs twice as much as one to a peer that is awake: the system must wake it. Sixteen
answers written one by one, each between two pieces of other work, wake the same load balancer or Tool Service sixteen
times; written together they wake it once. With nothing else under way nobody is made to wait: see the callers.
"""

import asyncio
from collections.abc import Callable


class Outbox(list[Callable[[], None]]):
    """Who holds something back in this turn of the loop; one for all connections of a kind.

    Each item writes, if its connection is still open. Who appends the first one calls `empty_soon`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()

    def empty_soon(self) -> None:
        """Have all items called and removed before the loop waits for anything again."""
        self._loop.call_soon(self._empty)

    def _empty(self) -> None:
        held = self.copy()
        self.clear()
        for flush in held:
            flush()
