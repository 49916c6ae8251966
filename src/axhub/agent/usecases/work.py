"""What each process does without being asked: go on with decided runs, look after lost ones, remove what is old.

Read `Work.__call__`: each kind of work has a task of its own, so a slow model, a slow lookup or a store that is away
holds up nothing else.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from axhub.agent.ports.effects import Clock, Ids, Observer
from axhub.agent.ports.runs import LostLeaseError
from axhub.agent.usecases.forget import Forget
from axhub.agent.usecases.recover import Recover
from axhub.agent.usecases.resume import Resume

__all__ = ["RESUMES", "Work"]

RESUMES: Final = 8
"""Runs that one process goes on with at once, if nothing else is said."""
_IDLE_SECONDS: Final = 0.5
_RECOVER_SECONDS: Final = 5.0
_FORGET_SECONDS: Final = 3_600.0


class Work:
    """The use case; one a process."""

    def __init__(
        self,
        *,
        resume: Resume[Any, Any],
        recover: Recover[Any, Any],
        forget: Forget | None,
        clock: Clock,
        ids: Ids,
        observer: Observer,
        resumes: int = RESUMES,
    ) -> None:
        """Take the kinds of work; `resumes` says how many runs may go on here at once.

        Raises:
            ValueError: `resumes` is not above 0.
        """
        if resumes < 1:
            raise ValueError("resumes: a number above 0 is needed")
        self._resume = resume
        self._recover = recover
        self._forget = forget
        self._clock = clock
        self._ids = ids
        self._observer = observer
        self._resumes = resumes

    async def __call__(self) -> None:
        """Work until the caller is cancelled; runs that have begun go on then (`Resume.drain`)."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._again(self._look_after, _RECOVER_SECONDS))
            if self._forget is not None:
                group.create_task(self._again(self._forget.once, _FORGET_SECONDS))
            group.create_task(self._go_on())

    async def _look_after(self) -> bool:
        await self._recover.once()
        return False

    async def _again(self, once: Callable[[], Awaitable[bool]], seconds: float) -> None:
        """Do something now and then, and soon again where there is more of it."""
        while True:
            is_more = await self._told(once())
            await self._clock.sleep(_IDLE_SECONDS if is_more else seconds)

    async def _go_on(self) -> None:
        """Take one run after the other, as long as not too many go on."""
        slots, under_way = asyncio.Semaphore(self._resumes), set[asyncio.Task[Any]]()

        def ended(task: asyncio.Task[Any]) -> None:
            under_way.discard(task)
            slots.release()

        try:
            while True:
                await slots.acquire()
                looked = _Looked()
                task = asyncio.create_task(self._told(self._resume.next(looked.taken)))
                under_way.add(task)
                task.add_done_callback(ended)
                task.add_done_callback(looked.ended)
                await looked.is_over.wait()
                if not looked.is_taken:
                    await self._clock.sleep(_IDLE_SECONDS)
        finally:
            for task in under_way:
                task.cancel()

    async def _told(self, work: Awaitable[Any]) -> Any:
        """Return what comes of some work; one that fails must not keep all other waiting."""
        try:
            return await work
        except LostLeaseError:
            return None  # another process has the run
        except Exception as error:  # noqa: BLE001 -- see above
            self._observer.fault(self._ids.new(), error)
            return None


class _Looked:
    """Whether a look for a run that is ready is over, and found one."""

    def __init__(self) -> None:
        self.is_over = asyncio.Event()
        self.is_taken = False

    def taken(self) -> None:
        """Say that there is a run, which goes on from now on."""
        self.is_taken = True
        self.is_over.set()

    def ended(self, _task: object) -> None:
        """Say that nothing more comes of it."""
        self.is_over.set()
