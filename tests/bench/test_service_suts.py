"""The Tool Service of the bench and its peer do the same work: answer, log line, metrics. Real processes."""

import json
import os
from collections.abc import Callable

from bench import answers, service_suts
from bench.check_speed import CheckTimes
from bench.measure import calls_in_metrics
from bench.processes import choose_cores
from bench.servers import Running, start
from bench.service_suts import ANSWER, BARE, SDK_TOOL, TOOLKIT
from bench.suts import Contestant

MAKERS = dict(service_suts.contestants())


def call_once(make: Callable[[], Contestant]) -> tuple[float, list[str]]:
    """Start a contestant and call it; return what its metrics count, and the names in the line of its log."""
    contestant = make()
    running: list[Running] = []
    try:
        one = start(contestant.server, choose_cores(os.sched_getaffinity(0)).sut, running.append)
        answers.check_call(contestant, one.server.port, ANSWER)
        counted = calls_in_metrics(one)
        last = one.log
    finally:
        running[0].stop()
    lines = last.tail().splitlines()
    return counted, next(list(json.loads(line)) for line in lines if b'"event":"tool_call"' in line)


def test_our_service_and_its_peer_answer_log_and_count_the_same() -> None:
    ours, bare = call_once(MAKERS[TOOLKIT]), call_once(MAKERS[BARE])
    assert ours == bare
    assert ours[0] == 1
    assert {"tool", "outcome", "status", "durationMs", "guid", "xRequestId", "traceId"} <= set(ours[1])


def test_everyone_has_a_name() -> None:
    assert list(MAKERS) == [TOOLKIT, BARE, SDK_TOOL]


def test_the_times_of_checks_are_told_in_a_sentence() -> None:
    times = CheckTimes((2.0, 4.5, 3.0), 2.5)
    assert times.middle == 3.0
    assert times.sentence() == (
        "axhub check of a service with 99 tools, 3 times on one core: 3.00 s (2.00..4.50), of it 2.50 s of CPU."
    )
