"""A service with nearly a hundred tools is checked whole, and its size alone is no finding."""

from pathlib import Path

from axhub.toolkit.check import check, find_project
from support.many_tools import many_tools

ALIKE = {"TK314", "TK923"}
"""The copies read alike, and that is what these rules say; they are hints."""


def test_nearly_a_hundred_tools_are_checked_without_an_error(tmp_path: Path) -> None:
    report = check(find_project(many_tools(tmp_path, 44)))
    assert (len(report.tools), report.errors, report.faults) == (99, 0, ())
    assert {found.rule for found in report.findings()} == ALIKE
