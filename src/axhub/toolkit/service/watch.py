"""Runs a use case as a task of its own, until its end, its deadline, or until its caller has gone (toolkit/S5).

The use case cannot hold up the answer: what goes on although it was cancelled is left behind, and counted.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from itertools import islice
from time import monotonic
from typing import Any, Final

__all__ = ["Abandoned", "Receive", "Watch", "is_being_cancelled"]

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

_LOOK_AFTER: Final = 0.01
"""Seconds after which a call is long enough that looking for its caller is worth a task."""
_GRACE: Final = 0.1
"""Seconds that a cancelled use case has to end before it is left behind."""
_AGAIN: Final = 1.0
"""Seconds after which a use case that swallowed its cancellation is cancelled once more."""


def is_being_cancelled() -> bool:
    """Say whether somebody cancelled the current task, such as a server that stops.

    A `CancelledError` alone does not say that: a use case or an adapter may raise one.
    """
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class Abandoned:
    """The use cases that go on although they were cut off."""

    __slots__ = ("_since",)

    def __init__(self) -> None:
        self._since: dict[asyncio.Task[None], float] = {}

    def __len__(self) -> int:
        return len(self._since)

    def add(self, task: asyncio.Task[None]) -> None:
        """Count a task until it ends."""
        self._since[task] = monotonic()
        task.add_done_callback(lambda done: self._since.pop(done, None))

    def seconds_of(self, count: int) -> float:
        """Return for how long the same use cases, at least so many of them, have been going on; 0 if they are fewer."""
        began = next(islice(self._since.values(), count - 1, None), None)
        return 0.0 if began is None else monotonic() - began


class Watch:
    """One run of a use case: `result` or `failure` say how it ended, `expired`, `gone` or `stopped` who cut it off."""

    __slots__ = (
        "_abandoned", "_deadline", "_done", "_loop", "_receive", "_task", "_timer", "_watching", "expired", "failure",
        "gone", "left_behind", "result", "stopped",
    )  # fmt: skip

    def __init__(
        self, loop: asyncio.AbstractEventLoop, receive: Receive | None, deadline: float, abandoned: Abandoned
    ) -> None:
        """Get ready to watch.

        Args:
            loop: the running one.
            receive: of the ASGI request whose body was read; None: there is no caller to go away.
            deadline: on the loop's clock.
            abandoned: counts what goes on after it was cut off.
        """
        self.result: Any = None
        self.failure: BaseException | None = None
        self.expired = False
        self.gone = False
        self.stopped = False
        """Whether the task that waits was cancelled, as a server does that stops."""
        self.left_behind = False
        """Whether the use case did not end when it was cut off."""
        self._loop = loop
        self._receive = receive
        self._deadline = deadline
        self._abandoned = abandoned
        self._done: asyncio.Future[None] = loop.create_future()
        self._task: asyncio.Task[None]
        self._timer: asyncio.TimerHandle
        self._watching: asyncio.Task[None] | None = None

    async def run(self, call: Callable[[Any, Any], Awaitable[Any]], request: Any, context: Any) -> None:
        """Run `call` until it ends or is cut off; it never raises."""
        loop = self._loop
        self._task = loop.create_task(self._kept(call, request, context))
        self._task.add_done_callback(self._wake)
        self._timer = loop.call_at(self._deadline, self._expire)
        look = loop.call_later(_LOOK_AFTER, self._start) if self._receive is not None else None
        try:
            await self._done
        except asyncio.CancelledError:
            self.stopped = True
            self._task.cancel()
            self._leave()
        finally:
            if look is not None:
                look.cancel()
            if self._watching is not None:
                self._watching.cancel()
            if not self.left_behind:
                self._timer.cancel()
        if not self.gone and loop.time() >= self._deadline:  # a use case that blocks the loop holds up the timer too
            self.expired = True

    async def _kept(self, call: Callable[[Any, Any], Awaitable[Any]], request: Any, context: Any) -> None:
        """Keep what comes out, whatever it is: some exceptions would end the event loop if a task raised them."""
        try:
            self.result = await call(request, context)
        except BaseException as error:  # noqa: BLE001 - see above
            self.failure = error

    def _wake(self, _task: asyncio.Task[None]) -> None:
        if not self._done.done():
            self._done.set_result(None)

    def _expire(self) -> None:
        self.expired = True
        self._cut()

    def _start(self) -> None:
        self._watching = self._loop.create_task(self._until_gone())

    async def _until_gone(self) -> None:
        receive = self._receive
        while receive is not None:
            message = await receive()
            if message["type"] == "http.disconnect":
                if not self.expired:
                    self.gone = True
                    self._timer.cancel()
                    self._cut()
                return

    def _cut(self) -> None:
        self._task.cancel()
        self._timer = self._loop.call_later(_GRACE, self._leave)

    def _leave(self) -> None:
        """Go on without the use case, if it has not ended."""
        if self._task.done():
            return
        self.left_behind = True
        self._timer.cancel()
        self._abandoned.add(self._task)
        self._again()
        self._wake(self._task)

    def _again(self) -> None:
        """Cancel the use case once more, as long as it goes on as if nothing had happened."""
        if not self._task.done():
            self._timer = self._loop.call_later(_AGAIN, self._again)
            self._task.cancel()
