"""Time, randomness, and who watches."""

from enum import StrEnum
from typing import Protocol

__all__ = ["Clock", "Ids", "Noted", "Observer"]


class Clock(Protocol):
    """Time that only grows; moments that people see come from the database."""

    def monotonic(self) -> float:
        """Return seconds."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class Ids(Protocol):
    """New names."""

    def new(self) -> str:
        """Return an id that nobody can guess: 32 hexadecimal digits."""
        ...


class Noted(StrEnum):
    """What an observer is told of."""

    TURN = "turn"
    CALL = "call"
    REJECTED = "rejected"
    UNMAPPED = "unmapped_capability"
    RUN = "run"


class Observer(Protocol):
    """Log and metrics; it is told names, counts and references, never texts or arguments."""

    def note(self, what: Noted, **facts: str | float) -> None:
        """Take note."""
        ...

    def fault(self, reference: str, error: BaseException, **facts: str) -> None:
        """Take an exception that nobody else may read, under the reference that was given out (agent/L5)."""
        ...
