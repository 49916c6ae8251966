"""The documents operators read: health, and the state of the catalogue and its bundles."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from axhub.contract.manifest import Manifest, Tool
from axhub.gateway.domain.bundle import (
    BundleState,
    BundleStatus,
    CacheAdopted,
    FallbackAdopted,
    Moment,
    PullFailed,
    RemoteAdopted,
    advance,
    at_time,
    declared,
)
from axhub.gateway.domain.catalogue import CatalogueTool, build_snapshot
from axhub.gateway.ports import PullFailure
from axhub.gateway.usecases.report_status import NotReady, health, not_ready, rfc3339, status, tool_bundles

START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
BUNDLE_MEMBERS = [
    "id",
    "status",
    "toolCount",
    "revision",
    "lastAttemptAt",
    "lastSuccessAt",
    "consecutiveFailures",
    "lastFailureReason",
    "shrunk",
    "stale",
]


def at(seconds: float) -> Moment:
    return Moment(START + timedelta(seconds=seconds), seconds)


def tool(name: str, *, enabled: bool = True) -> Tool:
    return Tool(name, "1.0.0", {"name": json.dumps(name).encode()}, None, 1000, enabled, ())


def manifest(*tools: Tool, revision: str | None = None) -> Manifest:
    names = ",".join(entry.name for entry in tools)
    return Manifest("orders", revision, tools, f"digest of {names}")


def shown(state: BundleState) -> dict[str, object]:
    document: dict[str, object] = tool_bundles([state], None, False)["bundles"][0]
    return document


@pytest.mark.req("gateway/M1")
@pytest.mark.parametrize(("draining", "attempted", "usable"), list(product([False, True], repeat=3)))
def test_ready_is_only_who_has_tried_once_has_a_snapshot_and_is_not_draining(
    draining: bool, attempted: bool, usable: bool
) -> None:
    problem = not_ready(draining=draining, first_attempt_over=attempted, has_snapshot=usable)
    assert (problem is None) == (attempted and usable and not draining)


@pytest.mark.req("gateway/M1")
@pytest.mark.parametrize(
    ("draining", "attempted", "usable", "reason"),
    [
        (True, False, False, NotReady.DRAINING),
        (False, False, True, NotReady.FIRST_ATTEMPT),
        (False, True, False, NotReady.NO_SNAPSHOT),
    ],
)
def test_the_reason_for_not_being_ready_is_the_one_that_tells_most(
    draining: bool, attempted: bool, usable: bool, reason: NotReady
) -> None:
    assert not_ready(draining=draining, first_attempt_over=attempted, has_snapshot=usable) is reason


@pytest.mark.req("gateway/M1")
def test_a_state_is_a_document_of_one_member() -> None:
    assert (status(True), status(False)) == ({"status": "UP"}, {"status": "DOWN"})


@pytest.mark.req("gateway/M1")
def test_the_whole_health_lists_its_components_and_names_the_one_that_is_down() -> None:
    up = {"status": "UP"}
    assert health(None) == {"status": "UP", "components": {"livenessState": up, "readinessState": up}}
    assert health(NotReady.NO_SNAPSHOT) == {
        "status": "DOWN",
        "components": {
            "livenessState": up,
            "readinessState": {"status": "DOWN", "details": {"reason": "no_snapshot"}},
        },
    }


@pytest.mark.req("gateway/M2")
def test_a_bundle_that_was_never_pulled_shows_null_wherever_something_never_was() -> None:
    assert shown(declared("orders", True, 0.0)) == {
        "id": "orders",
        "status": "unreachable",
        "toolCount": 0,
        "revision": None,
        "lastAttemptAt": None,
        "lastSuccessAt": None,
        "consecutiveFailures": 0,
        "lastFailureReason": None,
        "shrunk": False,
        "stale": False,
    }


@pytest.mark.req("gateway/M2")
def test_a_healthy_bundle_counts_its_disabled_tools_too() -> None:
    adopted = RemoteAdopted(manifest(tool("a"), tool("b", enabled=False), revision="r7"), at(1.5))
    assert shown(advance(declared("orders", True, 0.0), adopted)) == {
        "id": "orders",
        "status": "healthy",
        "toolCount": 2,
        "revision": "r7",
        "lastAttemptAt": "2026-03-01T09:30:01.500Z",
        "lastSuccessAt": "2026-03-01T09:30:01.500Z",
        "consecutiveFailures": 0,
        "lastFailureReason": None,
        "shrunk": False,
        "stale": False,
    }


FAILED = PullFailed(PullFailure.TIMED_OUT, at(1))


@pytest.mark.req("gateway/M2")
@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param(
            [FAILED, FallbackAdopted(manifest(tool("a"))), PullFailed(PullFailure.HTTP_STATUS, at(2))],
            {
                "status": "fallback",
                "toolCount": 1,
                "lastSuccessAt": None,
                "consecutiveFailures": 2,
                "lastFailureReason": "HttpStatus",
            },
            id="the local file stands in: no success, failures count on",
        ),
        pytest.param(
            [RemoteAdopted(manifest(tool("a")), at(1)), PullFailed(PullFailure.INVALID_MANIFEST, at(31))],
            {
                "status": "degraded",
                "toolCount": 1,
                "lastAttemptAt": "2026-03-01T09:30:31.000Z",
                "lastSuccessAt": "2026-03-01T09:30:01.000Z",
                "consecutiveFailures": 1,
                "lastFailureReason": "InvalidManifest",
            },
            id="the last-good is still shown",
        ),
        pytest.param(
            [CacheAdopted(manifest(tool("a"))), FAILED],
            {"status": "degraded", "toolCount": 1, "lastSuccessAt": None},
            id="so is that of the cache",
        ),
        pytest.param(
            [FAILED, FAILED],
            {"status": "unreachable", "toolCount": 0, "consecutiveFailures": 2, "lastFailureReason": "TimedOut"},
            id="never a success",
        ),
        pytest.param(
            [FAILED, RemoteAdopted(manifest(tool("a")), at(2))],
            {"status": "healthy", "consecutiveFailures": 0, "lastFailureReason": None},
            id="a success forgets the failures",
        ),
    ],
)
def test_a_bundle_shows_what_its_pulls_made_of_it(events: list[PullFailed], expected: dict[str, object]) -> None:
    state = declared("orders", True, 0.0)
    for event in events:
        state = advance(state, event)
    document = shown(state)
    assert {name: document[name] for name in expected} == expected


@pytest.mark.req("gateway/M2")
@pytest.mark.parametrize("reason", list(PullFailure))
def test_a_failure_is_shown_by_its_name_only(reason: PullFailure) -> None:
    state = advance(declared("orders", True, 0.0), PullFailed(reason, at(0)))
    assert json.loads(json.dumps(shown(state)))["lastFailureReason"] == reason.value


@pytest.mark.req("decision/D16", "gateway/K8", "gateway/M2")
def test_the_marks_for_a_drop_and_for_age_are_shown() -> None:
    state = advance(declared("orders", True, 0.0), RemoteAdopted(manifest(tool("a"), tool("b"), tool("c")), at(0)))
    state = advance(state, RemoteAdopted(manifest(tool("a")), at(30)))
    late = shown(at_time(state, 330.0, 30.0))
    assert (late["shrunk"], late["stale"], late["status"]) == (True, True, "healthy")


@pytest.mark.req("gateway/M2")
def test_every_declared_bundle_is_shown_in_the_order_of_the_configuration() -> None:
    states = [declared("z", True, 0.0), declared("off", False, 0.0), declared("a", True, 0.0)]
    document = tool_bundles(states, None, False)
    assert document["snapshot"] is None
    assert [(bundle["id"], bundle["status"]) for bundle in document["bundles"]] == [
        ("z", "unreachable"),
        ("off", "disabled"),
        ("a", "unreachable"),
    ]


@pytest.mark.req("gateway/M2")
@pytest.mark.parametrize("stale", [False, True])
def test_the_snapshot_counts_only_the_tools_it_shows(stale: bool) -> None:
    tools = [CatalogueTool("orders", tool("a")), CatalogueTool("orders", tool("b", enabled=False))]
    snapshot = build_snapshot(tools, b'[{"name":"a"}]', START)
    assert tool_bundles([], snapshot, stale) == {
        "snapshot": {
            "digest": snapshot.digest,
            "toolCount": 1,
            "sizeBytes": 14,
            "builtAt": "2026-03-01T09:30:00.000Z",
            "stale": stale,
        },
        "bundles": [],
    }


@pytest.mark.req("gateway/M2", "threat/T12")
@pytest.mark.parametrize("bundle_status", list(BundleStatus))
def test_a_bundle_shows_these_members_and_nothing_else_in_any_status(bundle_status: BundleStatus) -> None:
    state = replace(declared("orders", True, 0.0), status=bundle_status, last_failure_reason="TimedOut")
    assert list(shown(state)) == BUNDLE_MEMBERS


def test_a_moment_is_written_in_utc_with_milliseconds() -> None:
    assert rfc3339(datetime(2026, 3, 1, 9, 30, 0, 7999, tzinfo=UTC)) == "2026-03-01T09:30:00.007Z"
