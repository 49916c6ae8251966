"""A service with a hundred tools is checked whole, and its size alone is no finding."""

from pathlib import Path

from axhub.toolkit.check import check, find_project
from support.many_tools import many_tools

ALIKE = "TK314"
"""The copies read alike, and that is what this rule says; it is a hint."""


def test_a_hundred_tools_are_checked_without_an_error(tmp_path: Path) -> None:
    report = check(find_project(many_tools(tmp_path, 46)))
    assert (len(report.tools), report.errors, report.faults) == (100, 0, ())
    assert {found.rule for found in report.findings()} == {ALIKE}
