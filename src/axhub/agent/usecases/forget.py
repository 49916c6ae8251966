"""Removes what has served its time: events that have left, keys of requests, wholes of results that were cut.

Read `Forget.once`: one bounded batch of each kind, called now and then by each process. The audit, conversations, and
whatever is not done yet are never touched.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from axhub.agent.ports.effects import Noted, Observer
from axhub.agent.ports.retention import RetentionStore, Spent

__all__ = ["Ages", "Forget", "Retention"]

_BATCHES: Final = {Spent.PUBLISHED_EVENTS: 500, Spent.REQUEST_KEYS: 500, Spent.FULL_RESULTS: 20}
"""Rows of a transaction: a small part of a second; a full result may have a megabyte."""
_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ages:
    """How long each kind is kept, in seconds; None: for ever."""

    published_events: float | None = 7 * _DAY
    """After they have left: as long as you may want to look at them."""
    request_keys: float | None = 30 * _DAY
    """As long as a client may send a request again; after that the same key is a new request."""
    full_results: float | None = 30 * _DAY

    def __post_init__(self) -> None:
        """Refuse ages that would remove what is still needed.

        Raises:
            ValueError: one is not above 0.
        """
        wrong = [what.value for what, age in self if not age > 0]
        if wrong:
            raise ValueError(f"{', '.join(wrong)}: an age above 0 is needed, or None to keep them")

    def __iter__(self) -> Iterator[tuple[Spent, float]]:
        """Iterate over the kinds that are removed, with their ages."""
        for what in Spent:
            age: float | None = getattr(self, what.value)
            if age is not None:
                yield what, age


@dataclass(frozen=True, slots=True)
class Retention:
    """Where old rows are, and how old they get."""

    store: RetentionStore
    ages: Ages = field(default_factory=Ages)


class Forget:
    """The use case; one a process."""

    def __init__(self, *, retention: Retention, observer: Observer) -> None:
        self._store = retention.store
        self._ages = retention.ages
        self._observer = observer

    async def once(self) -> bool:
        """Remove a batch of each kind; say whether there may be more."""
        is_more = False
        for what, age in self._ages:
            removed = await self._store.remove(what, age, _BATCHES[what])
            is_more |= removed == _BATCHES[what]
            if removed:
                self._observer.note(Noted.FORGOTTEN, kind=what.value, count=removed)
        return is_more
