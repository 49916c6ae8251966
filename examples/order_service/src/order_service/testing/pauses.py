"""Pauses that are written down instead of waited for."""

from typing import Final

__all__ = ["RecordedPauses"]


class RecordedPauses:
    """See `ports.payments.Pauses`."""

    def __init__(self, chance: float = 0.0) -> None:
        """Take what chance says, from 0 to 1."""
        self._chance: Final = chance
        self.seconds: Final[list[float]] = []
        """Of each pause, in order."""

    async def sleep(self, seconds: float) -> None:
        """See `Pauses`."""
        self.seconds.append(seconds)

    def chance(self) -> float:
        """See `Pauses`."""
        return self._chance
