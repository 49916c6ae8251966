"""Lets small writes wait for the end of the loop's turn, so that they reach the system back to back.

A write to a peer that sleeps costs twice as much as one to a peer that is awake: the system must wake it. Sixteen
answers written one by one, each between two pieces of other work, wake the same load balancer or Tool Service sixteen
times; written together they wake it once. With nothing else under way nobody is made to wait: see the callers.
"""

import asyncio
from typing import Protocol


class Holding(Protocol):
    """A connection that holds bytes back."""

    def flush(self) -> None:
        """Write what is held back, if the connection is still open."""
        ...


class Outbox:
    """The connections that hold something back in this turn of the loop; one for all connections of a kind."""

    __slots__ = ("_holding", "_loop")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._holding: list[Holding] = []

    def add(self, connection: Holding) -> None:
        """Have `connection.flush` called before the loop waits for anything again."""
        if not self._holding:
            self._loop.call_soon(self._flush)
        self._holding.append(connection)

    def _flush(self) -> None:
        holding, self._holding = self._holding, []
        for connection in holding:
            connection.flush()
