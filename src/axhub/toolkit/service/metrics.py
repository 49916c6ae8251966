"""What a Tool Service counts, for Prometheus (toolkit/S6): labels come from the manifest only."""

from collections.abc import Callable, Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from axhub.toolkit.service.answers import Outcome

__all__ = ["BUCKETS", "OTHER", "Metrics"]

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds in seconds, as the gateway's."""
OTHER: Final = "other"
"""The label of calls of a name that no tool has."""
_NOT_RUN: Final = frozenset({Outcome.NOT_FOUND, Outcome.BUSY, Outcome.INVALID_ARGUMENTS})
"""Ends of calls that never reached a use case: counted, but kept out of the durations."""


class Metrics:
    """Counters of one service, in a registry of its own."""

    def __init__(self, tools: Iterable[str]) -> None:
        """Take the published names."""
        self.registry = CollectorRegistry()
        calls = Counter(
            "axhub_service_tool_calls", "Calls by how they ended.", ["tool", "outcome"], registry=self.registry
        )
        seconds = Histogram(
            "axhub_service_tool_call_duration_seconds",
            "Seconds that calls took which reached a use case.",
            ["tool"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        names = [OTHER, *tools]
        self._count = {(name, end): calls.labels(name, end.value).inc for name in names for end in Outcome}
        self._observe = {name: seconds.labels(name).observe for name in names}
        running = Gauge("axhub_service_calls_in_flight", "Calls that are running.", registry=self.registry)
        self.watch_in_flight: Callable[[Callable[[], float]], None] = running.set_function
        left = Gauge(
            "axhub_service_calls_abandoned",
            "Use cases that go on although they were cut off.",
            registry=self.registry,
        )
        self.watch_abandoned: Callable[[Callable[[], float]], None] = left.set_function
        self.header_conflict = Counter(
            "axhub_service_header_conflicts",
            "Calls whose two families of headers say different things.",
            registry=self.registry,
        ).inc

    def ended(self, tool: str | None, outcome: Outcome, seconds: float) -> None:
        """Count a call; `tool` is the published name, None if there is no such tool."""
        name = tool or OTHER
        self._count[name, outcome]()
        if outcome not in _NOT_RUN:
            self._observe[name](seconds)

    def text(self) -> bytes:
        """Return all of it in Prometheus' text format."""
        return generate_latest(self.registry)
