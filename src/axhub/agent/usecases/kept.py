"""Work that goes on when whoever asked for it goes away: what has begun ends, and is stored (agent/L4)."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

__all__ = ["Kept"]

T = TypeVar("T")


class Kept(Generic[T]):
    """Tasks under way."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[T]] = set()

    async def done(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what comes of some work; a cancelled caller leaves it running."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        await asyncio.wait({task})
        return task.result()

    def _ended(self, task: asyncio.Task[T]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # of a caller who has left nobody asks for it, and asyncio would log its text

    async def drain(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)
