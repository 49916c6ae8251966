"""Lets small writes wait for the end of the loop's turn, so that they reach the system back to back.

A write to a peer that sleeps costs twice as much as one to a peer that is awake: the system must wake it. Sixteen
answers written one by one, each between two pieces of other work, wake the same load balancer or Tool Service sixteen
times; written together they wake it once. With nothing else under way nobody is made to wait: see the callers.
"""

import asyncio
from collections.abc import Callable


class Outbox:
    """What connections hold back in this turn of the loop; one for all connections of a kind."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._held: list[Callable[[], None]] = []

    def add(self, flush: Callable[[], None]) -> None:
        """Have `flush` called before the loop waits for anything again; it writes if the connection is still open."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.append(flush)

    def _flush(self) -> None:
        held, self._held = self._held, []
        for flush in held:
            flush()
