"""Shows counters, and gauges read at the moment of the scrape, as Prometheus text (gateway/M3, K8, decision/D16).

This is the one place of the names, the help texts and the labels.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from axhub.gateway.adapters.exposition import text
from axhub.gateway.adapters.exposition.sources import Counters, GaugeSources, PoolUse, ProcessUse
from axhub.gateway.domain.bundle import BundleState
from axhub.gateway.ports import Outcome

Pieces = Iterator[bytes]
"""A family's text in pieces."""

_ALWAYS_SHOWN: Final = Outcome.OK
"""So that a tool nobody called is one line, not ten and not none."""


def render(counters: Counters, gauges: GaugeSources) -> bytes:
    """Return all metrics as text, format 0.0.4."""
    groups = (
        _calls(counters),
        _refreshes(counters),
        _catalogue(gauges),
        _bundles(gauges.bundles()),
        _pools(gauges.pools()),
        _gateway(gauges),
        _process(gauges.process()),
    )
    return b"".join(chain.from_iterable(chain.from_iterable(groups)))


def _calls(counters: Counters) -> Iterator[Pieces]:
    tools = list(counters.tools())
    yield text.counter(
        "axhub_tool_calls_total",
        "Calls by tool and how they ended.",
        (
            ((tool, outcome), count)
            for tool, counts in tools
            for outcome, count in counts.outcomes.items()
            if count or outcome is _ALWAYS_SHOWN
        ),
        ("tool", "outcome"),
    )
    yield text.histogram(
        "axhub_tool_call_duration_seconds",
        "Seconds from request to answer, of calls that were made (not those refused or not found).",
        counters.bounds,
        (((tool,), counts.buckets, counts.seconds) for tool, counts in tools if any(counts.buckets)),
        ("tool",),
    )


def _refreshes(counters: Counters) -> Iterator[Pieces]:
    yield text.counter(
        "axhub_refreshes_total",
        "Pulls of a bundle's manifest by how they ended.",
        counters.refreshes.items(),
        ("bundle", "outcome"),
    )


def _catalogue(gauges: GaugeSources) -> Iterator[Pieces]:
    yield _gauge("axhub_ready", "1 if readiness is UP.", gauges.ready())
    snapshot = gauges.snapshot()
    if snapshot is None:  # absent, not 0: an alert on `absent()` can tell the two apart
        return
    age = (gauges.now() - snapshot.built_at).total_seconds()
    yield _gauge("axhub_snapshot_age_seconds", "Seconds since the catalogue in use was built.", max(age, 0.0))
    yield _gauge("axhub_snapshot_tools", "Tools listed, without disabled ones.", snapshot.tool_count)
    yield _gauge("axhub_snapshot_bytes", "Length of the tools array of revision 2025-11-25.", snapshot.size_bytes)
    yield _gauge(
        "axhub_snapshot_stale", "1 if a bundle is stale or the last rebuild was refused.", gauges.snapshot_stale()
    )


def _bundles(states: Sequence[BundleState]) -> Iterator[Pieces]:
    for name, meaning, values in (
        ("tools", "Tools of the last-good manifest, with disabled ones.", [state.tool_count for state in states]),
        (
            "consecutive_failures",
            "Pulls that failed since the last that did not.",
            [state.consecutive_failures for state in states],
        ),
        (
            "shrunk",
            "1 if the last-good dropped more than half of the tools before it.",
            [state.shrunk for state in states],
        ),
        ("stale", "1 if no pull succeeded for ten refresh intervals.", [state.stale for state in states]),
    ):
        samples = [((state.id,), value) for state, value in zip(states, values, strict=True)]
        yield text.gauge(f"axhub_bundle_{name}", meaning, samples, ("bundle",))
    yield text.gauge(
        "axhub_bundle_status",
        "1 for the status a bundle is in.",
        [((state.id, state.status.value), 1) for state in states],
        ("bundle", "status"),
    )


def _pools(pools: Mapping[str, PoolUse]) -> Iterator[Pieces]:
    yield text.gauge(
        "axhub_upstream_connections",
        "Connections to a bundle's tools by what they do.",
        (
            ((bundle, state), count)
            for bundle, use in pools.items()
            for state, count in (("active", use.active), ("idle", use.idle))
        ),
        ("bundle", "state"),
    )
    yield text.gauge(
        "axhub_upstream_queued_calls",
        "Calls that wait for a connection.",
        (((bundle,), use.queued) for bundle, use in pools.items()),
        ("bundle",),
    )


def _gateway(gauges: GaugeSources) -> Iterator[Pieces]:
    yield _gauge("axhub_client_connections", "Open connections of callers.", gauges.connections())
    yield _gauge("axhub_tool_calls_in_flight", "Calls that have begun and not ended.", gauges.calls_in_flight())
    yield _gauge("axhub_subscriptions", "Callers that listen for changes of the list.", gauges.subscriptions())
    yield _counter(
        "axhub_log_lines_dropped_total",
        "Log lines that had no room while nobody read them.",
        gauges.log_lines_dropped(),
    )
    yield _counter(
        "axhub_log_write_failures_total",
        "Writes of the log that failed, each tried again.",
        gauges.log_write_failures(),
    )
    yield text.gauge("axhub_build_info", "1, labelled with the version.", [((gauges.version,), 1)], ("version",))


def _process(use: ProcessUse) -> Iterator[Pieces]:
    """Return what official client libraries show under these names; what the system does not tell is left out."""
    if use.resident_bytes is not None:
        yield _gauge("process_resident_memory_bytes", "Resident memory size in bytes.", use.resident_bytes)
    if use.cpu_seconds is not None:
        yield _counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", use.cpu_seconds)
    if use.open_files is not None:
        yield _gauge("process_open_fds", "Number of open file descriptors.", use.open_files)
    if use.started_at is not None:
        yield _gauge(
            "process_start_time_seconds", "Start time of the process since unix epoch in seconds.", use.started_at
        )


def _gauge(name: str, meaning: str, value: float) -> Pieces:
    return text.gauge(name, meaning, [((), value)])


def _counter(name: str, meaning: str, value: float) -> Pieces:
    return text.counter(name, meaning, [((), value)])
