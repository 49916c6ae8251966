"""`Pauses` over axhub's clock and the process's own chance."""

import random
from collections.abc import Callable
from typing import Final

from axhub.agent.ports.effects import Clock

__all__ = ["ClockPauses"]


class ClockPauses:
    """See `ports.payments.Pauses`."""

    def __init__(self, clock: Clock, chance: Callable[[], float] = random.random) -> None:
        self._clock: Final = clock
        self._chance: Final = chance

    async def sleep(self, seconds: float) -> None:
        """See `Pauses`."""
        await self._clock.sleep(seconds)

    def chance(self) -> float:
        """See `Pauses`."""
        return self._chance()
