"""Turns the rounds of a run into tables for people and one document for machines."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bench.compare import Ratio, Round, Rounds, errors_of, marks, middle, speed_by_cpu, speed_by_rate
from bench.plan import Case, Goal

HEADINGS = ("system", "req/s", "min..max", "p50 us", "p99 us", "CPU us", "min..max", "busy", "RSS MB", "errors")
RATIO_HEADINGS = ("against", "by CPU", "range", "by req/s", "range")
GOAL_HEADINGS = ("goal", "measured", "to reach", "aim", "")


class Measured(NamedTuple):
    """A goal with what was measured of it, or why nothing was."""

    goal: Goal
    value: float | None
    note: str = ""
    spoiled: bool = False
    """Nothing was measured because of errors under load, ours or the other's."""

    @property
    def verdict(self) -> str:
        """Say in a word how it stands."""
        if self.value is None:
            return f"not measured: {self.note}"
        if self.goal.aimed(self.value):
            return "as aimed at"
        return "reached" if self.goal.reached(self.value) else "MISSED"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out columns as Markdown that also reads well as it is: the first to the left, the others to the right."""
    widths = [max(len(row[index]) for row in [headings, *rows]) for index in range(len(headings))]

    def line(cells: Sequence[str]) -> str:
        padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
        return "| " + " | ".join([cells[0].ljust(widths[0]), *padded[1:]]) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(headings), rule, *(line(row) for row in rows)])


def figure(value: float) -> str:
    """Write a number with as many digits as it is worth."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def span(values: Sequence[float]) -> str:
    """Write the range of some values."""
    return f"{figure(min(values))}..{figure(max(values))}"


def case_rows(case: Case, rounds: Rounds, missing: Mapping[str, str]) -> list[list[str]]:
    """Return a row for each system of a case, those that were not run too."""
    rows = []
    for name, of_one in rounds.items():
        mark = " (!)" if marks(of_one, case.connections) else ""
        rates, cpus = [one.rate for one in of_one], [one.cpu for one in of_one]
        medians = {field: figure(middle(of_one, field)) for field in ("rate", "p50", "p99", "cpu", "busy", "resident")}
        rows.append(
            [
                name + mark,
                medians["rate"],
                span(rates),
                medians["p50"],
                medians["p99"],
                medians["cpu"],
                span(cpus),
                medians["busy"],
                medians["resident"],
                str(errors_of(of_one)),
            ]
        )
    return rows + [[name, *["not run"] * (len(HEADINGS) - 1)] for name in missing]


def ratio_rows(case: Case, rounds: Rounds) -> list[list[str]]:
    """Return how each of our lines compares with each of the others'."""
    rows = []
    for ours in case.ours:
        for name in rounds:
            if ours in rounds and name not in case.ours:
                by_cpu = speed_by_cpu(rounds[ours], rounds[name])
                by_rate = speed_by_rate(rounds[ours], rounds[name])
                rows.append([f"{ours} / {name}", *_ratio_cells(by_cpu), *_ratio_cells(by_rate)])
    return rows


def _ratio_cells(value: Ratio | None) -> list[str]:
    if value is None:
        return ["-", "-"]
    return [f"{figure(value.median)}x", span((value.low, value.high))]


def case_text(case: Case, rounds: Rounds, missing: Mapping[str, str]) -> str:
    """Return all there is to say on one case."""
    parts = [f"## {case.name}", "", table(HEADINGS, case_rows(case, rounds, missing))]
    if rows := ratio_rows(case, rounds):
        parts += ["", table(RATIO_HEADINGS, rows)]
    notes = [f"(!) {name}: {mark}" for name, of_one in rounds.items() for mark in marks(of_one, case.connections)]
    notes += [f"{name} was not run: {reason}" for name, reason in missing.items()]
    return "\n".join([*parts, *([""] if notes else []), *notes, ""])


def goals_text(measured: Sequence[Measured]) -> str:
    """Return the table of goals."""
    rows = [
        [
            one.goal.name,
            "-" if one.value is None else f"{figure(one.value)}{one.goal.unit}",
            f"{'>=' if one.goal.more else '<='} {figure(one.goal.reach)}{one.goal.unit}",
            f"{figure(one.goal.aim)}{one.goal.unit}",
            one.verdict,
        ]
        for one in measured
    ]
    return "\n".join(["## Goals", "", table(GOAL_HEADINGS, rows), ""])


def round_document(one: Round) -> dict[str, float]:
    """Return one round with the units in the names."""
    return {
        "requests": one.requests,
        "requestsPerSecond": round(one.rate, 1),
        "p50Micros": one.p50,
        "p99Micros": one.p99,
        "cpuMicrosPerRequest": round(one.cpu, 2),
        "busy": round(one.busy, 3),
        "residentMB": round(one.resident, 1),
        "errors": one.errors,
    }


def document(
    about: Mapping[str, Any],
    results: Mapping[Case, Rounds],
    missing: Mapping[Case, Mapping[str, str]],
    measured: Sequence[Measured],
) -> dict[str, Any]:
    """Return the whole run: what it ran on, every round, every goal."""
    cases = {
        case.name: {
            "systems": {name: [round_document(one) for one in of_one] for name, of_one in rounds.items()},
            "marks": {name: found for name, of_one in rounds.items() if (found := marks(of_one, case.connections))},
            "notRun": dict(missing.get(case, {})),
        }
        for case, rounds in results.items()
    }
    goals = [
        {
            "name": one.goal.name,
            "measured": one.value,
            "unit": one.goal.unit,
            "reach": one.goal.reach,
            "aim": one.goal.aim,
            "verdict": one.verdict,
        }
        for one in measured
    ]
    return {**about, "cases": cases, "goals": goals}
