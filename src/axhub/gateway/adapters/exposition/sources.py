"""What is read for a scrape, as the renderer sees it: whoever has these attributes will do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from axhub.gateway.domain.bundle import BundleState
from axhub.gateway.domain.catalogue import Snapshot
from axhub.gateway.ports import Outcome


class PoolUse(Protocol):
    """What one bundle's connections do at the moment."""

    @property
    def active(self) -> int:
        """Connections with a call on them."""
        ...

    @property
    def queued(self) -> int:
        """Calls that wait for one."""
        ...

    @property
    def idle(self) -> int:
        """Connections kept open."""
        ...


class ToolCounts(Protocol):
    """The counters of one tool."""

    @property
    def outcomes(self) -> Mapping[Outcome, int]:
        """Calls by how they ended."""
        ...

    @property
    def buckets(self) -> Sequence[int]:
        """Calls by duration, one more than there are bounds, not cumulative."""
        ...

    @property
    def seconds(self) -> float:
        """Sum of the durations."""
        ...


class Counters(Protocol):
    """What has been counted since the start."""

    @property
    def bounds(self) -> Sequence[float]:
        """Upper bounds of the duration buckets, in seconds, ascending."""
        ...

    @property
    def refreshes(self) -> Mapping[tuple[str, str], int]:
        """Pulls by bundle id and outcome."""
        ...

    def tools(self) -> Iterable[tuple[str, ToolCounts]]:
        """Return the counters of each tool by its label."""
        ...


class ProcessUse(Protocol):
    """What the process itself takes; None for what the system does not tell."""

    @property
    def resident_bytes(self) -> int | None:
        """Memory of the process that is in RAM."""
        ...

    @property
    def cpu_seconds(self) -> float | None:
        """Processor time used since the start, by the program and by the kernel for it."""
        ...

    @property
    def open_files(self) -> int | None:
        """Open file descriptors."""
        ...

    @property
    def started_at(self) -> float | None:
        """Seconds from the Unix epoch to the start of the process."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GaugeSources:
    """What is read at the moment of a scrape."""

    version: str
    now: Callable[[], datetime]
    ready: Callable[[], bool]
    bundles: Callable[[], Sequence[BundleState]]
    snapshot: Callable[[], Snapshot | None]
    snapshot_stale: Callable[[], bool]
    calls_in_flight: Callable[[], int]
    """Calls that have begun and not ended."""
    pools: Callable[[], Mapping[str, PoolUse]]
    """By bundle id."""
    connections: Callable[[], int]
    """Open connections of callers."""
    subscriptions: Callable[[], int]
    """Callers that listen for a change of the list of tools."""
    process: Callable[[], ProcessUse]
    log_lines_dropped: Callable[[], int]
    log_write_failures: Callable[[], int] = lambda: 0
    """Writes of the log that failed and were tried again."""
