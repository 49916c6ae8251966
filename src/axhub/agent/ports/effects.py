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
    UNREADABLE = "unreadable_run"
    """A stored run that this process passes over: damaged, or for a newer version."""
    CALL_FOR_A_PERSON = "call_for_a_person"
    """A call of unknown outcome that no tool can look up: it blocks its key until a person settles it."""
    FORGOTTEN = "forgotten"
    EVENT_DEAD = "event_dead"
    """An event of the outbox that was tried too often, and will not be tried again."""
    EVENTS_BEHIND = "events_behind"
    """How old the oldest event of the outbox is: told while that is much, and once when it no longer is."""
    DECISION_REFUSED = "decision_refused"
    """Somebody tried to decide, or to see what is to be decided, and it was not taken."""
    TOOL_NOT_OFFERED = "tool_not_offered"
    """A tool that the application wants of a catalogue and that may not be offered; told once for each reason."""
    CATALOGUE_READ = "catalogue_read"
    CATALOGUE_FAILED = "catalogue_failed"
    """The last list of it is used on."""
    CALL_NOT_TAKEN = "call_not_taken"
    """A call to another system that was not sent, or that the system refused to begin."""


class Observer(Protocol):
    """Log and metrics; it is told names, counts and references, never texts or arguments."""

    def note(self, what: Noted, **facts: str | float) -> None:
        """Take note."""
        ...

    def fault(self, reference: str, error: BaseException, **facts: str) -> None:
        """Take an exception that nobody else may read, under the reference that was given out (agent/L5)."""
        ...
