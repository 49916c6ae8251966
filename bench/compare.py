"""Compares systems round by round: what another tenant of the machine takes away hits both sides of a pair alike."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple


class Round(NamedTuple):
    """One timed stretch of one system on one case."""

    requests: int
    rate: float
    """Requests per second."""
    p50: float
    """Microseconds."""
    p99: float
    cpu: float
    """Microseconds of CPU per request: user and system time of the process with its children."""
    busy: float
    """CPU time over elapsed time: 1 is one full core."""
    resident: float
    """Megabytes at the end of the stretch."""
    errors: int
    """Failed or refused requests, and answers of another size than the one that was checked."""


Rounds = Mapping[str, Sequence[Round]]
"""The rounds of one case by system; round i of each was measured side by side."""


class Ratio(NamedTuple):
    """How many times one is as fast as the other: the median of the rounds' ratios, and their range."""

    median: float
    low: float
    high: float


def ratio(pairs: Sequence[tuple[float, float]]) -> Ratio | None:
    """Return upper over lower for each pair; None if no pair has two positive values."""
    values = [upper / lower for upper, lower in pairs if upper > 0 and lower > 0]
    return Ratio(median(values), min(values), max(values)) if values else None


def speed_by_cpu(ours: Sequence[Round], other: Sequence[Round]) -> Ratio | None:
    """Return how many requests we serve with the CPU time in which the other serves one."""
    return ratio([(theirs.cpu, mine.cpu) for mine, theirs in zip(ours, other, strict=False)])


def speed_by_rate(ours: Sequence[Round], other: Sequence[Round]) -> Ratio | None:
    """Return our requests per second over the other's."""
    return ratio([(mine.rate, theirs.rate) for mine, theirs in zip(ours, other, strict=False)])


def added_latency(ours: Sequence[Round], other: Sequence[Round]) -> float | None:
    """Return the median of our p50 less the other's, in microseconds; None without a common round."""
    differences = [mine.p50 - theirs.p50 for mine, theirs in zip(ours, other, strict=False)]
    return median(differences) if differences else None


def middle(rounds: Sequence[Round], field: str) -> float:
    """Return the median of one field over the rounds."""
    return float(median(getattr(one, field) for one in rounds))


def errors_of(rounds: Sequence[Round]) -> int:
    """Return the errors of all rounds; one without a single request counts as one, whatever was reported."""
    return sum(one.errors or int(one.requests == 0) for one in rounds)


def marks(rounds: Sequence[Round], connections: int) -> list[str]:
    """Say why a system's figures are not to be quoted: errors, or a core that was not busy under load."""
    found = []
    if errors := errors_of(rounds):
        found.append(f"{errors} errors")
    if connections > 1 and middle(rounds, "busy") < 0.9:
        found.append("its core was not busy: something else on the machine set its requests/s")
    return found
