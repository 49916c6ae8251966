"""The tables and the document of the bench."""

import pytest

from bench.compare import Round
from bench.goals import ours_failed, speeds
from bench.plan import CALL_1, CALL_16, FULL, LATENCY, QUICK, SERVICE_16, Case, Goal
from bench.report import Measured, case_text, document, figure, goals_text, span, table
from bench.service_suts import BARE, SDK_TOOL, TOOLKIT
from bench.suts import NGINX, OURS, OURS_MODERN, SDK_AIOHTTP, SDK_HTTPX

ROUND = Round(requests=2000, rate=1000.0, p50=100.0, p99=200.0, cpu=20.0, busy=0.99, resident=30.0, errors=0)
GOAL = Goal("speed", reach=0.4, aim=0.6, unit="x")


def test_a_table_is_aligned_markdown() -> None:
    assert table(("system", "req/s"), [("nginx", "12,345"), ("a longer name", "7")]) == (
        "| system        |  req/s |\n|---------------|--------|\n| nginx         | 12,345 |\n| a longer name |      7 |"
    )


def test_a_figure_has_the_digits_it_is_worth() -> None:
    assert [figure(value) for value in (12345.6, 99.94, 10, 9.994, 0.456)] == ["12,346", "99.9", "10.0", "9.99", "0.46"]


def test_a_span_runs_from_the_least_to_the_most() -> None:
    assert span([3, 1, 2]) == "1.00..3.00"


def test_a_case_shows_every_system_its_ratio_and_what_was_not_run() -> None:
    rounds = {OURS: [ROUND], NGINX: [ROUND._replace(cpu=10.0, rate=2000.0)]}
    text = case_text(CALL_16, rounds, {SDK_HTTPX: "its environment is not installed"})
    assert text.splitlines()[0] == "## tools/call @16"
    assert f"| {OURS} / {NGINX} |  0.50x | 0.50..0.50 |    0.50x | 0.50..0.50 |" in text
    assert text.count("not run") == 10
    assert f"{SDK_HTTPX} was not run: its environment is not installed" in text


def test_a_system_with_errors_is_marked_in_its_row_and_below() -> None:
    text = case_text(CALL_16, {OURS: [ROUND._replace(errors=5)]}, {})
    assert f"| {OURS} (!) |" in text
    assert f"(!) {OURS}: 5 errors" in text


def test_a_case_that_nobody_ran_says_so() -> None:
    assert f"{OURS} was not run: no wrk" in case_text(CALL_1, {}, {OURS: "no wrk"})


def test_a_goal_is_aimed_reached_missed_or_not_measured() -> None:
    verdicts = [Measured(GOAL, value).verdict for value in (0.7, 0.5, 0.3)]
    assert verdicts == ["as aimed at", "reached", "MISSED"]
    assert Measured(GOAL, None, "no nginx").verdict == "not measured: no nginx"


def test_less_is_better_for_latency() -> None:
    assert [Measured(LATENCY, value).verdict for value in (20, 40, 50)] == ["as aimed at", "reached", "MISSED"]


def test_the_goals_stand_in_one_table() -> None:
    text = goals_text([Measured(GOAL, 0.5), Measured(LATENCY, None, "no nginx")])
    speed = next(line for line in text.splitlines() if line.startswith("| speed "))
    assert speed.split() == ["|", "speed", "|", "0.50x", "|", ">=", "0.40x", "|", "0.60x", "|", "reached", "|"]
    assert "|        - | <= 45.0us | 25.0us | not measured: no nginx |" in text


def test_the_document_holds_every_round_with_its_units_and_every_reason() -> None:
    found = document(
        {"date": "2026-11-30"},
        {CALL_16: {OURS: [ROUND, ROUND._replace(errors=1)]}},
        {CALL_16: {NGINX: "not installed"}},
        [Measured(GOAL, 0.5)],
    )
    case = found["cases"]["tools/call @16"]
    assert case["systems"][OURS][0] == {
        "requests": 2000,
        "requestsPerSecond": 1000.0,
        "p50Micros": 100.0,
        "p99Micros": 200.0,
        "cpuMicrosPerRequest": 20.0,
        "busy": 0.99,
        "residentMB": 30.0,
        "errors": 0,
    }
    assert case["marks"] == {OURS: ["1 errors"]}
    assert case["notRun"] == {NGINX: "not installed"}
    assert found["date"] == "2026-11-30"
    goal = {"name": "speed", "measured": 0.5, "unit": "x", "reach": 0.4, "aim": 0.6, "verdict": "reached"}
    assert found["goals"] == [goal]


def test_the_full_run_measures_everyone_on_everything_in_at_least_seven_rounds() -> None:
    assert FULL.rounds >= 7
    everyone = (NGINX, OURS, OURS_MODERN, SDK_HTTPX, SDK_AIOHTTP)
    assert all(FULL.takes_part(name, case) for name in everyone for case in FULL.cases)


def test_the_quick_run_has_the_python_sdk_on_calls_only() -> None:
    assert QUICK.takes_part(SDK_HTTPX, CALL_16)
    assert not QUICK.takes_part(SDK_HTTPX, Case("list", 50, 16))
    assert QUICK.takes_part(NGINX, Case("list", 50, 16))


def test_every_goal_of_speed_is_measured_on_both_wires() -> None:
    rounds = {OURS: [ROUND], OURS_MODERN: [ROUND._replace(cpu=40.0)], NGINX: [ROUND._replace(cpu=10.0, p50=70.0)]}
    found = {one.goal.name: one for one in speeds({CALL_16: rounds, CALL_1: rounds})}
    assert found["tools/call @16 against nginx"].value == 0.5
    assert found["tools/call @16 against nginx, 2026-07-28 wire"].value == 0.25
    assert found["p50 of tools/call @1 above nginx"].value == 30
    assert found[f"tools/call @16 against {SDK_HTTPX}"].verdict == f"not measured: {OURS} or {SDK_HTTPX} was not run"


FAULTY = {"errors": ROUND._replace(errors=3), "nothing answered": ROUND._replace(requests=0)}


@pytest.mark.parametrize("bad", FAULTY.values(), ids=FAULTY)
@pytest.mark.parametrize("failing", [OURS, OURS_MODERN, NGINX])
def test_a_goal_is_not_judged_from_rounds_with_errors_on_either_side(failing: str, bad: Round) -> None:
    rounds = {name: [ROUND, ROUND] for name in (OURS, OURS_MODERN, NGINX)} | {failing: [ROUND, bad]}
    against_nginx = [one for one in speeds({CALL_16: rounds, CALL_1: rounds}) if "nginx" in one.goal.name]
    touched = {
        one.goal.name: one
        for one in against_nginx
        if "tools/call" in one.goal.name and (failing == NGINX or one.goal.name.endswith("wire") == (failing != OURS))
    }
    assert len(touched) == (4 if failing == NGINX else 2)
    for one in touched.values():
        assert (one.value, one.spoiled) == (None, True)
        assert one.verdict == f"not measured: {failing} had {bad.errors or 1} errors"
    others = [one for one in against_nginx if "tools/call" in one.goal.name and one.goal.name not in touched]
    assert all(one.value is not None and not one.spoiled for one in others)


@pytest.mark.parametrize("bad", FAULTY.values(), ids=FAULTY)
def test_any_error_of_ours_in_any_case_breaks_a_run_and_errors_of_others_do_not(bad: Round) -> None:
    good = {name: [ROUND] for name in (OURS, OURS_MODERN, NGINX)}
    assert not ours_failed({CALL_16: good, CALL_1: good}, {})
    for ours in (OURS, OURS_MODERN):
        assert ours_failed({CALL_16: good, CALL_1: good | {ours: [ROUND, bad]}}, {})
    assert not ours_failed({CALL_16: good | {NGINX: [bad]}}, {CALL_1: {NGINX: "not installed"}})
    assert ours_failed({CALL_16: good}, {CALL_1: {OURS: "gave another answer"}})


def test_the_goals_of_the_toolkit_are_measured_once_and_those_of_cases_that_were_not_run_are_not_listed() -> None:
    rounds = {TOOLKIT: [ROUND], BARE: [ROUND._replace(cpu=12.0)], SDK_TOOL: [ROUND._replace(cpu=100.0)]}
    assert [(one.goal.name, one.value, one.verdict) for one in speeds({SERVICE_16: rounds})] == [
        (f"Tool Service call @16 against {BARE}", 0.6, "reached"),
        (f"Tool Service call @16 against {SDK_TOOL}", 5.0, "reached"),
    ]


def test_a_tool_service_that_fails_breaks_a_run_and_its_peers_do_not() -> None:
    assert ours_failed({SERVICE_16: {TOOLKIT: [ROUND._replace(errors=1)]}}, {})
    assert ours_failed({}, {SERVICE_16: {TOOLKIT: "gave another answer"}})
    assert not ours_failed(
        {SERVICE_16: {TOOLKIT: [ROUND], BARE: [ROUND._replace(errors=1)]}}, {SERVICE_16: {SDK_TOOL: "x"}}
    )


def test_the_part_about_the_toolkit_has_its_case_and_leaves_the_gateway_out() -> None:
    part = QUICK.of_the_toolkit()
    assert (part.cases, part.memory_seconds, part.checks) == ((SERVICE_16,), 0, QUICK.checks)
    assert all(part.takes_part(name, SERVICE_16) for name in (TOOLKIT, BARE, SDK_TOOL))
    assert SERVICE_16 in FULL.cases
