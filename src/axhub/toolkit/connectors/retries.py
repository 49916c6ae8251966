"""Trying again: bounded, with full jitter, and never past the deadline (toolkit/H2)."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from axhub.toolkit.errors import LegacyError

__all__ = ["PASSING", "TIMEOUT", "UNREACHABLE", "Chance", "Retries", "Sleep"]

TIMEOUT: Final = "timeout"
UNREACHABLE: Final = "unreachable"
PASSING: Final = frozenset({TIMEOUT, UNREACHABLE, "502", "503", "504"})
"""Codes of failures that may be over a moment later."""

FIRST_SECONDS: Final = 0.1
MOST_SECONDS: Final = 2.0

Chance = Callable[[], float]
"""Gives a number from 0 to 1."""
Sleep = Callable[[float], Awaitable[object]]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and when something is tried again."""

    most: int
    """Further tries; 0: it is done once."""
    chance: Chance = random.random
    sleep: Sleep = asyncio.sleep

    async def run(self, once: Callable[[], Awaitable[_T]], deadline: float) -> _T:
        """Do it, and again after a passing failure, as long as there is time.

        Args:
            once: one try.
            deadline: on the event loop's clock.

        Raises:
            LegacyError: of the last try.
        """
        loop = asyncio.get_running_loop()
        tries = 0
        while True:
            try:
                return await once()
            except LegacyError as failure:
                pause = self._pause(tries)
                tries += 1
                if tries > self.most or failure.code not in PASSING or loop.time() + pause >= deadline:
                    raise
            await self.sleep(pause)

    def _pause(self, tries: int) -> float:
        # Anything from nothing up to a bound that doubles: callers that failed together do not come back together.
        return self.chance() * min(MOST_SECONDS, FIRST_SECONDS * 2.0**tries)
