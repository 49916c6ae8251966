"""One check from the project to the report: the flow in a nutshell."""

from collections.abc import Sequence

from axhub.toolkit.check.imports import importing
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.check.report import Report
from axhub.toolkit.rules.model import Rule

__all__ = ["check"]


def check(project: ToolProject, rules: Sequence[Rule] | None = None) -> Report:
    """Check a project: read its files, import its package in a process of its own, and decide every rule.

    Args:
        project: as `find_project` returns it.
        rules: those to decide; None: all.
    """
    with importing(project) as inspection:
        from axhub.toolkit.check import deciding  # noqa: PLC0415 - all rules, loaded while the package is imported

        return deciding.decide(project, inspection, rules)
