"""Counting calls, and the text that Prometheus reads; the parser of its official client library is the judge."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from axhub.gateway.adapters.exposition.render import render
from axhub.gateway.adapters.exposition.sources import GaugeSources
from axhub.gateway.adapters.metrics import BUCKETS, MAX_VANISHED, Metrics
from axhub.gateway.adapters.process_use import ProcessUse
from axhub.gateway.domain.bundle import BundleStatus, declared
from axhub.gateway.domain.catalogue import build_snapshot
from axhub.gateway.ports import CallRecord, Outcome

BUILT = datetime(2026, 3, 1, tzinfo=UTC)
CALLS = "axhub_tool_calls_total"
DURATION = "axhub_tool_call_duration_seconds"


@dataclass(frozen=True)
class Pool:
    active: int
    queued: int
    idle: int


GAUGES = GaugeSources(
    version="1.2.3",
    now=lambda: BUILT + timedelta(seconds=7.5),
    ready=lambda: True,
    bundles=list,
    snapshot=lambda: build_snapshot([], b"[]", BUILT),
    snapshot_stale=lambda: True,
    calls_in_flight=lambda: 9,
    pools=lambda: {"orders": Pool(active=3, queued=2, idle=5)},
    connections=lambda: 11,
    subscriptions=lambda: 6,
    process=lambda: ProcessUse(40_000_000, 12.5, 17, 1.7e9),
    log_lines_dropped=lambda: 4,
    log_write_failures=lambda: 2,
)


def record(tool: str | None, outcome: Outcome = Outcome.OK, seconds: float = 0.02) -> CallRecord:
    return CallRecord(tool, outcome, seconds, b"", b"", b"")


def counted(*records: CallRecord, tools: tuple[str, ...] = ("search",)) -> Metrics:
    metrics = Metrics()
    metrics.bind(tools)
    for entry in records:
        metrics.call_ended(entry)
    return metrics


def scrape(metrics: Metrics, gauges: GaugeSources = GAUGES) -> list[Sample]:
    text = render(metrics, gauges).decode()
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


def values(samples: list[Sample], name: str) -> dict[tuple[str, ...], float]:
    return {tuple(sample.labels.values()): sample.value for sample in samples if sample.name == name}


def value(samples: list[Sample], name: str, **labels: str) -> float | None:
    found = [sample.value for sample in samples if sample.name == name and sample.labels == labels]
    return found[0] if found else None


@pytest.mark.req("gateway/M3")
@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_call_is_counted_by_tool_and_outcome(outcome: Outcome) -> None:
    samples = scrape(counted(record("search", outcome), record("search", outcome)))
    assert value(samples, CALLS, tool="search", outcome=outcome.value) == 2


@pytest.mark.req("gateway/M3")
def test_the_outcomes_are_the_ten_of_the_specification() -> None:
    assert {outcome.value for outcome in Outcome} == {
        "ok",
        "tool_error",
        "timeout",
        "unreachable",
        "too_large",
        "invalid_result",
        "busy",
        "cancelled",
        "refused",
        "not_found",
    }


@pytest.mark.req("gateway/M3")
def test_a_tool_that_nobody_called_shows_one_zero_and_no_histogram() -> None:
    samples = scrape(counted())
    assert values(samples, CALLS) == {("other", "ok"): 0, ("search", "ok"): 0}
    assert values(samples, f"{DURATION}_count") == {}


@pytest.mark.req("gateway/M3")
def test_durations_fall_into_buckets_whose_bound_counts_as_inside() -> None:
    seconds = [0.0, 0.005, 0.00501, 0.2, 30.0, 31.0]
    samples = scrape(counted(*(record("search", seconds=each) for each in seconds)))
    cumulative = {sample.labels["le"]: sample.value for sample in samples if sample.name == f"{DURATION}_bucket"}
    assert cumulative == {
        **{str(bound): float(sum(each <= bound for each in seconds)) for bound in BUCKETS},
        "+Inf": 6.0,
    }
    assert value(samples, f"{DURATION}_count", tool="search") == 6
    assert value(samples, f"{DURATION}_sum", tool="search") == pytest.approx(sum(seconds))


@pytest.mark.req("gateway/M3")
def test_the_buckets_reach_from_five_milliseconds_to_the_default_time_out() -> None:
    assert (BUCKETS[0], BUCKETS[-1], sorted(set(BUCKETS))) == (0.005, 30.0, list(BUCKETS))


@pytest.mark.req("gateway/M3")
@pytest.mark.parametrize("outcome", [Outcome.REFUSED, Outcome.NOT_FOUND])
def test_a_call_that_was_never_made_has_no_duration(outcome: Outcome) -> None:
    samples = scrape(counted(record("search", outcome)))
    assert value(samples, CALLS, tool="search", outcome=outcome.value) == 1
    assert values(samples, f"{DURATION}_count") == {}


@pytest.mark.req("gateway/M3", "threat/T34")
def test_ten_thousand_unknown_names_add_one_series() -> None:
    metrics = counted(record("search"))
    before = len(scrape(metrics))
    for number in range(10_000):
        metrics.call_ended(record(None if number % 2 else f"name{number}", Outcome.NOT_FOUND))
    samples = scrape(metrics)
    assert len(samples) <= before + 1
    assert value(samples, CALLS, tool="other", outcome="not_found") == 10_000


@pytest.mark.req("gateway/M3")
def test_a_tool_keeps_its_counters_while_it_is_gone_and_when_it_comes_back() -> None:
    metrics = counted(record("search"))
    metrics.bind(["other_tool"])
    metrics.call_ended(record("search"))  # it was in flight when its tool left
    assert value(scrape(metrics), CALLS, tool="search", outcome="ok") == 2
    metrics.bind(["search"])
    metrics.call_ended(record("search"))
    assert value(scrape(metrics), CALLS, tool="search", outcome="ok") == 3


@pytest.mark.req("threat/T34")
def test_counters_of_vanished_tools_are_bounded_and_the_first_to_leave_go_first() -> None:
    metrics = Metrics()
    for generation in range(3):
        metrics.bind([f"tool_{generation}_{number}" for number in range(MAX_VANISHED)])
    names = [name for name, _ in metrics.tools()]
    assert len(names) == 1 + 2 * MAX_VANISHED
    assert "tool_0_0" not in names
    assert {"other", "tool_1_0", "tool_2_0"} <= set(names)


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=8), max_size=8))
def test_whatever_catalogues_follow_each_other_no_counter_of_a_listed_tool_is_lost(
    catalogues: list[set[str]],
) -> None:
    metrics = Metrics()
    calls: dict[str, int] = {}
    for names in catalogues:
        metrics.bind(names)
        for name in names:
            metrics.call_ended(record(name))
            calls[name] = calls.get(name, 0) + 1
    assert {name: series.outcomes[Outcome.OK] for name, series in metrics.tools() if name != "other"} == calls


@pytest.mark.req("gateway/M3")
def test_pulls_are_counted_by_bundle_and_outcome() -> None:
    metrics = counted()
    for outcome in ("ok", "TimedOut", "TimedOut"):
        metrics.refresh_ended("orders", outcome)
    samples = scrape(metrics)
    assert value(samples, "axhub_refreshes_total", bundle="orders", outcome="ok") == 1
    assert value(samples, "axhub_refreshes_total", bundle="orders", outcome="TimedOut") == 2


@pytest.mark.req("gateway/M3")
def test_the_catalogue_the_pools_and_the_log_are_read_at_the_moment_of_the_scrape() -> None:
    samples = scrape(counted())
    assert {
        name: value(samples, name)
        for name in (
            "axhub_ready",
            "axhub_snapshot_age_seconds",
            "axhub_snapshot_tools",
            "axhub_snapshot_bytes",
            "axhub_snapshot_stale",
            "axhub_client_connections",
            "axhub_tool_calls_in_flight",
            "axhub_subscriptions",
            "axhub_log_lines_dropped_total",
            "axhub_log_write_failures_total",
        )
    } == {
        "axhub_ready": 1,
        "axhub_snapshot_age_seconds": 7.5,
        "axhub_snapshot_tools": 0,
        "axhub_snapshot_bytes": 2,
        "axhub_snapshot_stale": 1,
        "axhub_client_connections": 11,
        "axhub_tool_calls_in_flight": 9,
        "axhub_subscriptions": 6,
        "axhub_log_lines_dropped_total": 4,
        "axhub_log_write_failures_total": 2,
    }
    assert value(samples, "axhub_upstream_connections", bundle="orders", state="active") == 3
    assert value(samples, "axhub_upstream_connections", bundle="orders", state="idle") == 5
    assert value(samples, "axhub_upstream_queued_calls", bundle="orders") == 2
    assert value(samples, "axhub_build_info", version="1.2.3") == 1


@pytest.mark.req("gateway/M3")
def test_without_a_snapshot_its_metrics_are_absent_and_the_gateway_is_not_ready() -> None:
    samples = scrape(counted(), replace(GAUGES, snapshot=lambda: None, ready=lambda: False))
    assert [sample.name for sample in samples if sample.name.startswith("axhub_snapshot")] == []
    assert value(samples, "axhub_ready") == 0


def test_a_wall_clock_that_was_set_back_gives_no_negative_age() -> None:
    samples = scrape(counted(), replace(GAUGES, now=lambda: BUILT - timedelta(hours=1)))
    assert value(samples, "axhub_snapshot_age_seconds") == 0


@pytest.mark.req("decision/D16", "gateway/K8")
def test_the_marks_of_a_bundle_are_gauges() -> None:
    state = replace(
        declared("orders", True, 0.0), status=BundleStatus.DEGRADED, shrunk=True, stale=True, consecutive_failures=3
    )
    samples = scrape(counted(), replace(GAUGES, bundles=lambda: [state]))
    assert {
        name: value(samples, f"axhub_bundle_{name}", bundle="orders")
        for name in ("shrunk", "stale", "consecutive_failures", "tools")
    } == {"shrunk": 1, "stale": 1, "consecutive_failures": 3, "tools": 0}
    assert value(samples, "axhub_bundle_status", bundle="orders", status="degraded") == 1


PROCESS = {
    "process_resident_memory_bytes": 40_000_000,
    "process_cpu_seconds_total": 12.5,
    "process_open_fds": 17,
    "process_start_time_seconds": 1.7e9,
}


def test_the_process_tells_of_itself_under_the_names_that_dashboards_know() -> None:
    samples = scrape(counted())
    assert {name: value(samples, name) for name in PROCESS} == PROCESS


def test_what_the_system_does_not_tell_of_the_process_is_left_out() -> None:
    samples = scrape(counted(), replace(GAUGES, process=ProcessUse))
    assert [sample.name for sample in samples if sample.name.startswith("process_")] == []
    assert value(samples, "axhub_ready") == 1


NAMES = st.text(st.sampled_from('ab"\\\n{},= #%\t가나') | st.characters(exclude_categories=["Cs"]), max_size=12)


@pytest.mark.req("gateway/M3")
@given(names=st.lists(NAMES, unique=True, max_size=4), bundle=NAMES, version=NAMES, seconds=st.floats(0, 100))
def test_names_of_tools_and_bundles_come_through_whatever_they_hold(
    names: list[str], bundle: str, version: str, seconds: float
) -> None:
    metrics = counted(*(record(name, seconds=seconds) for name in names), tools=tuple(names))
    metrics.refresh_ended(bundle, "ok")
    pools = {bundle: Pool(active=1, queued=2, idle=3)}
    state = declared(bundle, True, 0.0)
    gauges = replace(GAUGES, version=version, pools=lambda: pools, bundles=lambda: [state])
    samples = scrape(metrics, gauges)
    called = [name for name in names if name != "other"]
    assert {name for name, _ in values(samples, CALLS)} - {"other"} == set(called)
    assert [value(samples, f"{DURATION}_sum", tool=name) for name in called] == [seconds] * len(called)
    assert [value(samples, f"{DURATION}_bucket", tool=name, le="+Inf") for name in called] == [1] * len(called)
    assert value(samples, "axhub_refreshes_total", bundle=bundle, outcome="ok") == 1
    assert value(samples, "axhub_upstream_connections", bundle=bundle, state="idle") == 3
    assert value(samples, "axhub_bundle_tools", bundle=bundle) == 0
    assert value(samples, "axhub_build_info", version=version) == 1


def test_two_scrapes_in_a_row_say_the_same_of_calls() -> None:
    metrics = counted(record("search"), record(None, Outcome.NOT_FOUND))

    def calls(text: bytes) -> list[bytes]:
        return [line for line in text.splitlines() if line.startswith(b"axhub_tool")]

    assert calls(render(metrics, GAUGES)) == calls(render(metrics, GAUGES))
