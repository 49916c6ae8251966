"""Counts calls and refreshes (gateway/M3): integers in lists and nothing else, since it happens on the hot path.

Labels come from the catalogue and the configuration only; any other tool name is `other` (threat/T34).
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from axhub.gateway.ports import CallRecord, Outcome

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds in seconds: from a tool that answers from memory to the default of `maxToolTimeoutMillis`."""
OTHER: Final = "other"
MAX_VANISHED: Final = 500
"""Tools that left the catalogue whose counters are kept; beyond it those that left first are forgotten."""

_BATCH: Final = 64
_NOT_CALLED: Final = frozenset({Outcome.REFUSED, Outcome.NOT_FOUND})
"""Ends of calls that never were made: counted, but kept out of the durations, which tell of tools."""


class ToolSeries:
    """The counters of one tool."""

    __slots__ = ("buckets", "outcomes", "seconds")

    def __init__(self) -> None:
        self.outcomes = dict.fromkeys(Outcome, 0)
        self.buckets = [0] * (len(BUCKETS) + 1)
        """Calls by duration: at most the bound of the same index, the last those over all bounds; not cumulative."""
        self.seconds = 0.0
        """Sum of the durations in `buckets`."""


class Metrics:
    """Counts calls, `call_ended` being a `CallObserver`, and refreshes. Only for the event loop's thread."""

    bounds = BUCKETS

    def __init__(self) -> None:
        self.refreshes: dict[tuple[str, str], int] = {}
        """By bundle id and outcome."""
        self._other = ToolSeries()
        self._series: dict[str | None, ToolSeries] = {None: self._other}
        self._vanished: dict[str, None] = {}
        """Names of tools that left the catalogue, in the order they left."""
        self._ended: list[CallRecord] = []
        """Calls that are not counted yet: together that takes a quarter of the time."""

    def bind(self, tool_names: Iterable[str]) -> None:
        """Take the names of a new snapshot as the only labels for calls from now on; once a snapshot."""
        self._count()
        names = frozenset(tool_names)
        known = frozenset(name for name in self._series if name is not None)
        for name in sorted(names - known):
            self._series[name] = ToolSeries()
        for name in sorted(known - names):
            self._vanished.setdefault(name)
        for name in names & self._vanished.keys():
            del self._vanished[name]
        while len(self._vanished) > MAX_VANISHED:
            name = next(iter(self._vanished))
            del self._vanished[name], self._series[name]

    def call_ended(self, record: CallRecord) -> None:
        """Count a call."""
        ended = self._ended
        ended.append(record)
        if len(ended) >= _BATCH:
            self._count()

    def refresh_ended(self, bundle: str, outcome: str) -> None:
        """Count one pull of a declared bundle; `outcome` is of a small set, `ok` or the name of a failure."""
        key = (bundle, outcome)
        self.refreshes[key] = self.refreshes.get(key, 0) + 1

    def tools(self) -> Iterator[tuple[str, ToolSeries]]:
        """Return the counters by label, tools in the order they were first seen, `other` first."""
        self._count()
        return ((OTHER if name is None else name, series) for name, series in self._series.items())

    def _count(self) -> None:
        ended, self._ended = self._ended, []
        for record in ended:
            series = self._series.get(record.tool, self._other)
            outcome, seconds = record.outcome, record.seconds
            series.outcomes[outcome] += 1
            if outcome not in _NOT_CALLED:
                series.buckets[bisect_left(BUCKETS, seconds)] += 1
                series.seconds += seconds
