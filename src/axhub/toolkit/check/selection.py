"""How well a service's tools are told apart by their descriptions: from the definitions alone, without any import."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axhub.toolkit.check.collect import files
from axhub.toolkit.check.held_out import read_queries
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.facts.service import Definition, Facts
from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.rules.choosing import asked, described
from axhub.toolkit.rules.telling.authored import squeezed
from axhub.toolkit.selection import Measurement, Ranked, measured

__all__ = ["METHOD", "SelectionReport", "select", "selection_json"]

METHOD = "bm25-characters-1-2"
"""Names how it is measured, for who compares figures of two versions."""


@dataclass(frozen=True, slots=True)
class SelectionReport:
    """What a measurement of one service came to."""

    project: ToolProject
    measurement: Measurement
    titles: Mapping[str, str]
    """By tool."""
    unmeasured: tuple[Definition, ...] = ()
    """Definitions that cannot be read, or whose texts are not written yet."""
    queries: Path | None = None
    """The file that the queries are from; None: they are the example queries of the definitions."""
    repeated: int = 0
    """How many queries of the file are example queries too, which makes the figures better than they are."""

    @property
    def missed(self) -> tuple[Ranked, ...]:
        """The queries that another tool is first for, the worst first."""
        return tuple(sorted((one for one in self.measurement.ranked if one.rank > 1), key=lambda one: -one.rank))


def select(project: ToolProject, queries: Path | None = None) -> SelectionReport:
    """Rank queries against the descriptions of a project's tools.

    Args:
        project: as `find_project` returns it.
        queries: a file of queries with their tools; None: the example queries of the definitions.

    Raises:
        CannotCheckError: the file cannot be used; every fault of it is named.
    """
    facts = Facts(project.facts, definitions=_definitions(project))
    tools, examples = described(facts), asked(facts)
    names = {tool.name: tool.title for tool in tools}
    chosen = examples if queries is None else read_queries(queries, names)
    known = {squeezed(example.query) for example in examples}
    return SelectionReport(
        project,
        measured(tools, chosen),
        names,
        tuple(one for one in facts.definitions if one.stem not in names),
        queries,
        0 if queries is None else sum(squeezed(one.query) in known for one in chosen),
    )


def _definitions(project: ToolProject) -> tuple[Definition, ...]:
    found = ((files.shown(project, file), files.content_of(file)) for file in files.definition_files(project))
    return tuple(read_definition(b"" if isinstance(content, str) else content, path) for path, content in found)


def selection_json(report: SelectionReport) -> str:
    """Return one JSON object; `docs/reference/check.md` says what each member is, and they stay."""
    found = report.measurement
    document = {
        "project": report.project.name,
        "root": str(report.project.root),
        "method": METHOD,
        "source": None if report.queries is None else str(report.queries),
        "queries": len(found.ranked),
        "repeated": report.repeated,
        "r1": found.recall(1),
        "r3": found.recall(3),
        "tools": [_tool(report, name) for name in found.tools],
        "ranked": [_ranked(one) for one in found.ranked],
        "confusion": [
            {"tool": tool, "first": first, "queries": count} for (tool, first), count in found.confusion.items()
        ],
        "confused": [list(pair) for pair in found.mutual],
        "unmeasured": [one.path for one in report.unmeasured],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _tool(report: SelectionReport, name: str) -> dict[str, Any]:
    found = report.measurement
    near = found.nearest.get(name)
    return {
        "tool": name,
        "title": report.titles[name],
        "r1": found.recall(1, name),
        "r3": found.recall(3, name),
        "ranks": list(found.ranks(name)),
        "nearest": None if near is None else {"tool": near.tool, "share": round(near.share, 3)},
    }


def _ranked(one: Ranked) -> dict[str, Any]:
    return {
        "tool": one.asked.tool,
        "query": one.asked.query,
        "file": one.asked.place.file,
        "line": one.asked.place.line,
        "rank": one.rank,
        "first": one.first,
        "missing": list(one.missing),
    }
