"""What the wired gateway does beside its parts: it watches its schedule, and all its fronts agree on readiness."""

import asyncio
import itertools
import json

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.domain.catalogue import Snapshot, build_snapshot
from axhub.gateway.main import Gateway, wire
from axhub.gateway.ports import HttpRequest, ReplyHead
from axhub.gateway.usecases.local_catalogue import LocalCatalogue
from support.gateway import settings


class Catalogue(LocalCatalogue):
    """A catalogue in any state, whose schedule ends as it is told."""

    def __init__(self, snapshot: Snapshot | None = None, fault: Exception | None = None) -> None:
        self.snapshot = snapshot
        self._bundles = ()
        self._fault = fault

    async def run(self) -> None:
        if self._fault is not None:
            raise self._fault


def wired(lines: list[bytes]) -> Gateway:
    clock = SystemClock()
    return wire(settings(), JsonLog(lines.append, clock), clock)


@pytest.mark.req("gateway/G2")
@pytest.mark.parametrize(("fault", "named"), [(RuntimeError("10.1.2.3 secret"), "RuntimeError"), (None, None)])
async def test_a_schedule_that_ends_by_itself_is_told_at_once(fault: Exception | None, named: str | None) -> None:
    lines: list[bytes] = []
    gateway = wired(lines)
    gateway.refresh = Catalogue(fault=fault)
    async with gateway.refreshing():
        while not lines:  # noqa: ASYNC110 -- as soon as the task has ended; the test's bound ends what hangs
            await asyncio.sleep(0)
        (event,) = map(json.loads, lines)
    assert (event["level"], event["event"], event["error"]) == ("error", "refresh_ended", named)
    assert len(lines) == 1


@pytest.mark.req("gateway/G2")
async def test_a_schedule_that_is_stopped_is_not_told() -> None:
    lines: list[bytes] = []
    async with wired(lines).refreshing():
        await asyncio.sleep(0)
    assert "refresh_ended" not in str(lines)


def answered(gateway: Gateway, path: bytes) -> tuple[int, bytes]:
    answers: list[tuple[int, bytes]] = []

    def reply(head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        assert not more
        answers.append((head.status, body + tail))

    gateway.management()(HttpRequest(b"GET", path, {}, frozenset(), b""), reply)
    (answer,) = answers
    return answer


@pytest.mark.req("gateway/M1", "gateway/M3")
@pytest.mark.parametrize(("over", "has_snapshot", "draining"), list(itertools.product([True, False], repeat=3)))
async def test_the_metric_says_ready_exactly_when_the_health_does(
    over: bool, has_snapshot: bool, draining: bool
) -> None:
    gateway = wired([])
    catalogue = Catalogue(build_snapshot([], b"[]", SystemClock().now()) if has_snapshot else None)
    catalogue.first_attempt_over = over
    gateway.refresh, gateway.draining = catalogue, draining
    ready = over and has_snapshot and not draining
    assert answered(gateway, b"/actuator/health/readiness")[0] == (200 if ready else 503)
    assert b"\naxhub_ready %d\n" % ready in answered(gateway, b"/actuator/prometheus")[1].replace(b".0\n", b"\n")
