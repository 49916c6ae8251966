"""The management port's answers, path by path and method by method."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from axhub.gateway.adapters.management_http import Info, ManagementHandler, StatusSources, refusal
from axhub.gateway.domain.bundle import declared
from axhub.gateway.domain.catalogue import build_snapshot
from axhub.gateway.ports import HttpRequest, ReplyHead

SNAPSHOT = build_snapshot([], b"[]", datetime(2026, 3, 1, tzinfo=UTC))
SOURCES = StatusSources(
    bundles=lambda: [declared("orders", True, 0.0)],
    snapshot=lambda: SNAPSHOT,
    snapshot_stale=lambda: False,
    first_attempt_over=lambda: True,
    draining=lambda: False,
    metrics=lambda: b"axhub_ready 1.0\n",
)
PATHS = [
    "/actuator/health",
    "/actuator/health/liveness",
    "/actuator/health/readiness",
    "/actuator/info",
    "/actuator/toolBundles",
    "/actuator/prometheus",
]
UP = {"status": "UP"}
DOWN = {"status": "DOWN"}


def handler(sources: StatusSources = SOURCES) -> ManagementHandler:
    return ManagementHandler(Info(name="axhub", version="1.2.3", identity="회원 MCP"), sources)


class Replies:
    """Keeps what was answered."""

    def __init__(self) -> None:
        self.all: list[tuple[ReplyHead, bytes]] = []

    def __call__(self, head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        assert not more
        self.all.append((head, body + tail))


def request(path: bytes, method: bytes = b"GET") -> HttpRequest:
    return HttpRequest(method, path, {}, frozenset(), b"")


def answer(path: str | bytes, method: bytes = b"GET", sources: StatusSources = SOURCES) -> tuple[ReplyHead, bytes]:
    replies = Replies()
    handler(sources)(request(path.encode() if isinstance(path, str) else path, method), replies)
    (only,) = replies.all
    return only


def document(path: str, sources: StatusSources = SOURCES) -> tuple[int, object]:
    head, body = answer(path, sources=sources)
    assert dict(head.headers)[b"content-type"] == b"application/json"
    return head.status, json.loads(body)


@pytest.mark.req("gateway/M1")
def test_liveness_is_up_even_where_nothing_else_is() -> None:
    nothing = replace(SOURCES, snapshot=lambda: None, first_attempt_over=lambda: False, draining=lambda: True)
    assert document("/actuator/health/liveness", nothing) == (200, UP)


NOT_READY = [
    pytest.param(replace(SOURCES, first_attempt_over=lambda: False), "first_attempt", id="before the first attempt"),
    pytest.param(replace(SOURCES, snapshot=lambda: None), "no_snapshot", id="no snapshot"),
    pytest.param(
        replace(SOURCES, draining=lambda: True), "draining", id="draining", marks=pytest.mark.req("gateway/C6")
    ),
]


@pytest.mark.req("gateway/M1")
@pytest.mark.parametrize(("sources", "reason"), NOT_READY)
def test_not_ready_is_503_and_down_and_the_whole_health_says_why(sources: StatusSources, reason: str) -> None:
    assert document("/actuator/health/readiness", sources) == (503, DOWN)
    assert document("/actuator/health", sources) == (
        503,
        {**DOWN, "components": {"livenessState": UP, "readinessState": {**DOWN, "details": {"reason": reason}}}},
    )


@pytest.mark.req("gateway/M1")
def test_ready_is_200_and_up_in_both_places() -> None:
    assert document("/actuator/health/readiness") == (200, UP)
    assert document("/actuator/health") == (200, {**UP, "components": {"livenessState": UP, "readinessState": UP}})


@pytest.mark.req("gateway/M1")
def test_each_request_looks_anew() -> None:
    over = iter([False, True])
    port, replies = handler(replace(SOURCES, first_attempt_over=lambda: next(over))), Replies()
    for _ in range(2):
        port(request(b"/actuator/health/readiness"), replies)
    assert [head.status for head, _ in replies.all] == [503, 200]


@pytest.mark.req("gateway/M1")
def test_info_tells_name_version_and_identity() -> None:
    expected = {"name": "axhub", "version": "1.2.3", "identity": "회원 MCP"}
    assert document("/actuator/info") == (200, expected)


@pytest.mark.req("gateway/M2")
def test_tool_bundles_shows_the_snapshot_and_the_bundles() -> None:
    status, body = document("/actuator/toolBundles")
    assert status == 200
    assert isinstance(body, dict)
    assert (body["snapshot"]["digest"], body["snapshot"]["toolCount"]) == (SNAPSHOT.digest, 0)
    assert [bundle["id"] for bundle in body["bundles"]] == ["orders"]


@pytest.mark.req("gateway/M2")
def test_tool_bundles_without_a_snapshot_is_still_200() -> None:
    status, body = document("/actuator/toolBundles", replace(SOURCES, snapshot=lambda: None))
    assert (status, isinstance(body, dict) and body["snapshot"]) == (200, None)


@pytest.mark.req("gateway/M3")
def test_the_metrics_come_as_prometheus_text() -> None:
    head, body = answer("/actuator/prometheus")
    assert (head.status, body) == (200, b"axhub_ready 1.0\n")
    assert dict(head.headers)[b"content-type"] == b"text/plain; version=0.0.4; charset=utf-8"


@pytest.mark.req("gateway/M1", "input/B61")
@pytest.mark.parametrize(
    "path",
    [
        b"/",
        b"/actuator",
        b"/actuator/",
        b"/actuator/health/",
        b"/actuator//health",
        b"/actuator/./health",
        b"/mcp/../actuator/health",
        b"/actuator/%68ealth",
        b"/%61ctuator/health",
        b"/ACTUATOR/health",
        b"/actuator/toolbundles",
        b"//actuator/info",
        b"/actuator/refresh",
        b"/mcp",
        b"\xff\xfe",
    ],
)
def test_a_path_that_is_not_exactly_one_of_ours_is_404(path: bytes) -> None:
    head, body = answer(path)
    assert head.status == 404
    assert "/actuator/health/readiness" in json.loads(body)["error"]


@pytest.mark.req("gateway/M1")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", [b"POST", b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"get"])
def test_every_method_but_get_and_head_is_405_and_told_what_is_allowed(path: str, method: bytes) -> None:
    head, body = answer(path, method)
    assert (head.status, dict(head.headers)[b"allow"]) == (405, b"GET, HEAD")
    assert list(json.loads(body)) == ["error"]


@pytest.mark.req("gateway/M1")
@pytest.mark.parametrize("path", PATHS)
def test_head_is_answered_as_get_is_so_that_the_length_is_right(path: str) -> None:
    assert answer(path, b"HEAD") == answer(path)


@pytest.mark.parametrize("path", PATHS)
def test_no_answer_is_stored_by_a_cache_on_the_way(path: str) -> None:
    assert dict(answer(path)[0].headers)[b"cache-control"] == b"no-store"


def test_the_head_of_a_status_is_one_object_so_that_a_front_can_keep_its_bytes() -> None:
    assert answer("/actuator/info")[0] is answer("/actuator/health")[0]
    assert refusal(400, "no")[0] is refusal(400, "why")[0]


@pytest.mark.req("gateway/M1")
def test_what_the_front_refuses_is_small_json_too() -> None:
    head, body = refusal(431, "too many headers")
    assert (head.status, json.loads(body)) == (431, {"error": "too many headers"})
    assert dict(head.headers)[b"content-type"] == b"application/json"
