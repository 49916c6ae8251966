"""The good sample service is clean, and broken in one way exactly the rule for it fires, at the right place."""

from pathlib import Path

import pytest

from axhub.toolkit.check import Report, check, find_project
from axhub.toolkit.rules.all import ALL
from support.breaks import Break, all_breaks, copy_sample

BREAKS = tuple(all_breaks())


@pytest.fixture(autouse=True)
def _unmeasured_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process of each import run without coverage, which makes it twice as slow; other tests measure it."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


def checked(root: Path) -> Report:
    report = check(find_project(root))
    assert report.faults == ()
    return report


def said(report: Report) -> list[str]:
    return [f"{found.place}: {found.severity.value} {found.rule}: {found.problem}" for found in report.findings()]


def test_the_sample_service_has_no_finding(tmp_path: Path) -> None:
    assert said(checked(copy_sample(tmp_path))) == []


@pytest.mark.parametrize("broken", BREAKS, ids=str)
def test_the_sample_broken_in_one_way_gives_exactly_that_finding(broken: Break, tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    broken.plant(root)
    report = checked(root)
    assert {found.rule for found in report.findings()} == {broken.rule}, said(report)
    severity = broken.severity or next(rule.severity.value for rule in ALL if rule.id == broken.rule)
    assert {found.severity.value for found in report.findings()} == {severity}
    expected = broken.place(root)
    assert [tuple(found.place)[: len(expected)] for found in report.findings()] == [expected], said(report)


def test_every_rule_is_broken_at_least_once() -> None:
    assert sorted({rule.id for rule in ALL} - {broken.rule for broken in BREAKS}) == []


def test_every_entry_names_a_rule() -> None:
    assert sorted({broken.rule for broken in BREAKS} - {rule.id for rule in ALL}) == []
