"""Points between the steps of a process at which it kills itself; no code of ours knows of them.

`before settle`, `in settle` (all is written and nothing committed), `after settle`: so for each method of a store, and
of the provider that pays (`before pay_out`); and `before save of the refund` for each step of a transaction.
"""

import os
import signal
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import event

from axhub.agent.adapters.sql.database import Database

__all__ = ["Points", "Watched"]

_PARTS: Final = MappingProxyType({"due_payout": "claim", "order": "settlement"})
"""Which transaction of a payout begins with a step."""


class Points:
    """Where a process is; it dies, as by `kill -9`, when it comes to one of them."""

    def __init__(self, at: str | None = None, act: Callable[[], None] | None = None) -> None:
        """Take the point, and what happens at it instead of death, once."""
        self._at = at
        self._act = act
        self._within = ""
        self._part = ""

    def reach(self, point: str) -> None:
        """Say that a point is reached."""
        if point != self._at:
            return
        if self._act is None:
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            self._at = None
            self._act()

    async def in_refund(self, step: str) -> None:
        """Say that the transaction of a change comes to a step; see `order_service.testing`."""
        self.reach(f"before {step} of the refund")

    async def in_payout(self, step: str) -> None:
        """Say that one of the two transactions of a payout comes to a step."""
        self._part = _PARTS.get(step, self._part)
        self.reach(f"before {step} of the {self._part}")

    async def in_compensation(self, step: str) -> None:
        """Say that the transaction that takes a refund back comes to a step."""
        self.reach(f"before {step} of the compensation")

    def enter(self, name: str) -> None:
        """Say that a method of a store begins."""
        self.reach(f"before {name}")
        self._within = name

    def leave(self, name: str) -> None:
        """Say that it has ended."""
        self._within = ""
        self.reach(f"after {name}")

    def watch_commits(self, database: Database) -> None:
        """Look at the moment before each commit."""
        for engine in filter(None, (database.engine.sync_engine, database._plain)):
            event.listen(engine, "commit", lambda _connection: self.reach(f"in {self._within}"))


class Watched:
    """Stands before a store, and says when each of its methods begins and ends."""

    def __init__(self, inner: object, points: Points) -> None:
        self._inner = inner
        self._points = points

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)

        async def watched(*arguments: Any, **more: Any) -> Any:
            self._points.enter(name)
            result = await method(*arguments, **more)
            self._points.leave(name)
            return result

        return watched
