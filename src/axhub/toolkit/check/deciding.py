"""What of a check is done while the package is imported in the background: reading its files; then deciding the rules.

Only here all rules are loaded; neither the importing process needs them nor the start of it.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future

from axhub.toolkit.check.collect.gather import gather
from axhub.toolkit.check.engine import judge
from axhub.toolkit.check.imports import with_import
from axhub.toolkit.check.inspection import InspectionResult
from axhub.toolkit.check.manifest import manifest_of
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.check.report import Report
from axhub.toolkit.facts.service import Facts
from axhub.toolkit.rules.all import ALL
from axhub.toolkit.rules.model import Rule

__all__ = ["decide", "read", "report_on"]


def decide(project: ToolProject, inspection: Future[InspectionResult], rules: Sequence[Rule] | None) -> Report:
    """Read a project's files, wait for the import, and decide every rule.

    Args:
        project: as `find_project` returns it.
        inspection: what the import of its package comes to.
        rules: those to decide; None: all.
    """
    return report_on(project, read(project, inspection), rules)


def read(project: ToolProject, inspection: Future[InspectionResult]) -> Facts:
    """Read a project's files, wait for the import, and put both together."""
    gathered = gather(project)
    return with_import(gathered, inspection.result())


def report_on(project: ToolProject, facts: Facts, rules: Sequence[Rule] | None = None) -> Report:
    """Decide every rule about some facts.

    Args:
        project: whose facts they are.
        facts: as `read` returns them.
        rules: those to decide; None: all.
    """
    judged = judge(facts, ALL if rules is None else rules, manifest_of)
    names = {found.name for found in facts.declared if found.name is not None}
    return Report(
        project,
        judged.results,
        judged.allowed,
        judged.faults,
        tools=tuple(sorted(names)),
        drafts=tuple(sorted(name for name in names if facts.is_draft(name))),
        untried=dict(_untried(facts)),
    )


def _untried(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the tools with samples that were not run on them, with why; what rule/TK503 tells is not among it."""
    for name, tool in sorted((facts.imported or {}).items()):
        if tool.untried and facts.samples.get(name):
            yield name, tool.untried
