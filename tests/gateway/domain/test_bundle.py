"""What each event does to a bundle, against the sentences of gateway/M2 and decision/D16."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.gateway.domain.bundle import (
    STALE_AFTER_INTERVALS,
    TRANSITIONS,
    BundleEvent,
    BundleState,
    BundleStatus,
    CacheAdopted,
    Content,
    FallbackAdopted,
    Moment,
    NotModified,
    PullFailed,
    RemoteAdopted,
    TransitionError,
    advance,
    at_time,
    declared,
    revision_to_match,
)
from axhub.gateway.ports import PullFailure
from support.catalogues import made_manifest

START = datetime(2026, 1, 1, tzinfo=UTC)
FIRST = made_manifest("b", ["a", "b", "c", "d"], revision="r1")
SECOND = made_manifest("b", ["a", "b", "c"], revision="r2")
LOCAL = made_manifest("b", ["local"])


def moment(seconds: float) -> Moment:
    return Moment(START + timedelta(seconds=seconds), seconds)


def after(*events: BundleEvent) -> BundleState:
    state = declared("b", enabled=True, monotonic=0.0)
    for event in events:
        state = advance(state, event)
    return state


@pytest.mark.req("gateway/M2")
def test_a_bundle_that_was_never_pulled_is_unreachable_and_knows_nothing() -> None:
    assert after() == BundleState(
        id="b",
        status=BundleStatus.UNREACHABLE,
        refreshed=0.0,
        content=Content.NONE,
        manifest=None,
        last_attempt_at=None,
        last_success_at=None,
        consecutive_failures=0,
        last_failure_reason=None,
        shrunk=False,
        stale=False,
    )


@pytest.mark.req("gateway/M2", "gateway/G5")
def test_a_success_ends_all_failures() -> None:
    failed = PullFailed(PullFailure.TIMED_OUT, moment(1))
    assert after(failed, failed, RemoteAdopted(FIRST, moment(5))) == BundleState(
        id="b",
        status=BundleStatus.HEALTHY,
        refreshed=5.0,
        content=Content.REMOTE,
        manifest=FIRST,
        last_attempt_at=moment(5).wall,
        last_success_at=moment(5).wall,
    )


@pytest.mark.req("gateway/M2", "gateway/G5", "gateway/K6")
def test_a_failure_after_a_success_keeps_the_manifest_and_counts() -> None:
    state = after(
        RemoteAdopted(FIRST, moment(1)),
        PullFailed(PullFailure.HTTP_STATUS, moment(2)),
        PullFailed(PullFailure.INVALID_MANIFEST, moment(3)),
    )
    assert state == BundleState(
        id="b",
        status=BundleStatus.DEGRADED,
        refreshed=1.0,
        content=Content.REMOTE,
        manifest=FIRST,
        last_attempt_at=moment(3).wall,
        last_success_at=moment(1).wall,
        consecutive_failures=2,
        last_failure_reason="InvalidManifest",
    )
    assert (state.tool_count, state.revision) == (4, "r1")


@pytest.mark.req("gateway/M2", "gateway/G8")
def test_a_local_file_is_no_success_and_failures_count_on() -> None:
    failed = PullFailed(PullFailure.CONNECT_FAILED, moment(1))
    state = after(failed, FallbackAdopted(LOCAL), failed)
    assert state == BundleState(
        id="b",
        status=BundleStatus.FALLBACK,
        refreshed=0.0,
        content=Content.FALLBACK,
        manifest=LOCAL,
        last_attempt_at=moment(1).wall,
        consecutive_failures=2,
        last_failure_reason="ConnectFailed",
    )
    assert advance(state, RemoteAdopted(FIRST, moment(2))).content is Content.REMOTE


@pytest.mark.req("gateway/M2", "gateway/G1")
def test_what_the_cache_had_is_shown_as_degraded_until_a_pull_succeeds() -> None:
    state = after(CacheAdopted(FIRST))
    assert (state.status, state.content, state.last_success_at) == (BundleStatus.DEGRADED, Content.CACHE, None)
    assert advance(state, PullFailed(PullFailure.TIMED_OUT, moment(1))).status is BundleStatus.DEGRADED
    assert advance(state, RemoteAdopted(FIRST, moment(1))).status is BundleStatus.HEALTHY


@pytest.mark.req("decision/D9")
def test_not_modified_confirms_what_is_there() -> None:
    degraded = after(RemoteAdopted(FIRST, moment(1)), PullFailed(PullFailure.TIMED_OUT, moment(2)))
    assert advance(degraded, NotModified(moment(3))) == replace(
        after(RemoteAdopted(FIRST, moment(1))),
        refreshed=3.0,
        last_attempt_at=moment(3).wall,
        last_success_at=moment(3).wall,
    )


@pytest.mark.req("decision/D9")
def test_only_the_revision_of_an_adopted_remote_manifest_is_asked_for() -> None:
    cached = made_manifest("b", ["a"], revision="cached")
    failed = PullFailed(PullFailure.TIMED_OUT, moment(1))
    assert revision_to_match(after()) is None
    assert revision_to_match(after(CacheAdopted(cached))) is None
    assert revision_to_match(after(failed, FallbackAdopted(cached))) is None
    assert revision_to_match(after(RemoteAdopted(FIRST, moment(1)), failed)) == "r1"
    assert revision_to_match(after(RemoteAdopted(LOCAL, moment(1)))) is None


@pytest.mark.req("gateway/G8", "gateway/K6")
@pytest.mark.parametrize("stand_in", [FallbackAdopted(LOCAL), CacheAdopted(LOCAL)])
@pytest.mark.parametrize(
    "history",
    [
        (RemoteAdopted(FIRST, moment(1)),),
        (RemoteAdopted(FIRST, moment(1)), PullFailed(PullFailure.TIMED_OUT, moment(2))),
        (CacheAdopted(FIRST),),
        (FallbackAdopted(FIRST),),
    ],
)
def test_nothing_local_ever_replaces_a_last_good(history: tuple[BundleEvent, ...], stand_in: BundleEvent) -> None:
    with pytest.raises(TransitionError, match="cannot happen to a bundle that is"):
        after(*history, stand_in)


@pytest.mark.req("gateway/G1")
def test_nothing_can_happen_to_a_disabled_bundle() -> None:
    disabled = declared("b", enabled=False, monotonic=0.0)
    assert not disabled.enabled
    assert TRANSITIONS[disabled.status] == {}
    with pytest.raises(TransitionError):
        advance(disabled, RemoteAdopted(FIRST, moment(1)))


@pytest.mark.req("decision/D16", "gateway/K8")
@pytest.mark.parametrize(
    ("before", "later", "shrunk"),
    [
        ("abcd", "abcd", False),
        ("abcd", "ab", False),
        ("abcd", "a", True),
        ("abcd", "", True),
        ("abcd", "aefgh", True),
        ("abc", "ab", False),
        ("abc", "a", True),
        ("a", "b", True),
        ("", "", False),
        ("", "a", False),
    ],
)
def test_a_manifest_that_removes_more_than_half_of_the_names_shrinks(before: str, later: str, shrunk: bool) -> None:
    state = after(
        RemoteAdopted(made_manifest("b", before), moment(1)), RemoteAdopted(made_manifest("b", later), moment(2))
    )
    assert state.shrunk is shrunk
    assert state.tool_count == len(later)


@pytest.mark.req("decision/D16", "gateway/M2")
def test_shrunk_stays_until_a_manifest_with_other_content() -> None:
    small = made_manifest("b", "a", revision="r2")
    shrunk = after(RemoteAdopted(FIRST, moment(1)), RemoteAdopted(small, moment(2)))
    same = advance(shrunk, RemoteAdopted(replace(small, revision="r3"), moment(3)))
    assert same.shrunk
    assert advance(same, PullFailed(PullFailure.TIMED_OUT, moment(4))).shrunk
    assert advance(same, NotModified(moment(4))).shrunk
    assert not advance(same, RemoteAdopted(made_manifest("b", "ab"), moment(4))).shrunk


@pytest.mark.req("decision/D16", "gateway/K8")
@pytest.mark.parametrize(("seconds", "stale"), [(304.9, False), (305, True), (400, True)])
def test_ten_intervals_without_a_success_are_stale(seconds: float, stale: bool) -> None:
    healthy = after(RemoteAdopted(FIRST, moment(5)))
    assert at_time(healthy, seconds, interval=30).stale is stale
    assert STALE_AFTER_INTERVALS == 10


@pytest.mark.req("decision/D16")
def test_stale_ends_with_a_success_and_never_comes_to_a_disabled_bundle() -> None:
    stale = at_time(after(), 1000, interval=30)
    assert stale.stale
    assert not advance(stale, RemoteAdopted(FIRST, moment(1000))).stale
    assert not at_time(replace(stale, refreshed=1000.0), 1000, interval=30).stale
    assert not at_time(declared("b", enabled=False, monotonic=0.0), 1e9, interval=30).stale


EVENTS = st.sampled_from(
    [
        RemoteAdopted(FIRST, moment(1)),
        RemoteAdopted(SECOND, moment(2)),
        NotModified(moment(3)),
        PullFailed(PullFailure.TIMED_OUT, moment(4)),
        FallbackAdopted(LOCAL),
        CacheAdopted(LOCAL),
    ]
)


@pytest.mark.req("gateway/K6", "gateway/G5")
@given(events=st.lists(EVENTS, max_size=12))
def test_no_event_takes_a_manifest_away_and_only_an_adoption_changes_it(events: list[BundleEvent]) -> None:
    state = declared("b", enabled=True, monotonic=0.0)
    for event in events:
        if type(event) not in TRANSITIONS[state.status]:
            continue
        before, state = state, advance(state, event)
        adopted = event.manifest if isinstance(event, RemoteAdopted | FallbackAdopted | CacheAdopted) else None
        assert state.manifest is (adopted or before.manifest)
        assert (state.manifest is None) == (state.status is BundleStatus.UNREACHABLE)
        assert (state.content is Content.NONE) == (state.manifest is None)
