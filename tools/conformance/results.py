"""Reads what the suite wrote: one `checks.json` a scenario; and what the baselines expect to fail."""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

BAD = ("FAILURE", "WARNING")
"""A warning counts as failing, as it does in the suite when there is a baseline."""


class Check(NamedTuple):
    """One check of one scenario."""

    scenario: str
    id: str
    status: str
    message: str


class Summary(NamedTuple):
    """The checks of one revision, and which of them the baseline does not expect."""

    counts: Counter[str]
    expected: int
    """Checks that fail as the baseline says."""
    unexpected: tuple[Check, ...]


def expected_failures(baseline: str) -> frozenset[str]:
    """Return the entries of a baseline file: `scenario` or `scenario:check`, each on a line after a dash."""
    lines = (line.split("#", 1)[0].strip() for line in baseline.splitlines())
    return frozenset(line.removeprefix("- ").strip().strip("\"'") for line in lines if line.startswith("- "))


def read_checks(folder: Path) -> list[Check]:
    """Return every check below a result folder; the suite names a scenario's folder `server-NAME-TIME`."""
    checks = []
    for file in sorted(folder.rglob("checks.json")):
        scenario = scenario_of(file.parent.name)
        checks += [
            Check(scenario, one["id"], one["status"], one.get("errorMessage") or "")
            for one in json.loads(file.read_text(encoding="utf-8"))
        ]
    return checks


def scenario_of(folder: str) -> str:
    """Return the scenario of a result folder such as `server-tools-list-2026-11-30T11-45-12-123Z`."""
    name, _, _ = folder.removeprefix("server-").rpartition("T")
    return name[: -len("-2026-11-30")] if name else folder.removeprefix("server-")


def summarise(checks: list[Check], expected: frozenset[str]) -> Summary:
    """Count the checks and set apart those that fail without being expected to."""
    bad = [check for check in checks if check.status in BAD]
    unexpected = [one for one in bad if not {one.scenario, f"{one.scenario}:{one.id}"} & expected]
    return Summary(Counter(one.status for one in checks), len(bad) - len(unexpected), tuple(unexpected))
