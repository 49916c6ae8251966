"""A report as text for people, as JSON for programs, and as annotations for GitHub."""

import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Final

from axhub.toolkit.check.render import shown
from axhub.toolkit.check.report import Language, Report, Result
from axhub.toolkit.check.wording import WORDS, summary, untried_lines
from axhub.toolkit.facts.service import Place
from axhub.toolkit.rules.model import Severity

__all__ = ["fault_lines", "github_lines", "json_text", "result_lines", "text_lines"]

_BOLD: Final = "\x1b[1m"
_PAINT: Final = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m"}
_RESET: Final = "\x1b[0m"


def text_lines(report: Report, language: Language = "en", *, prefix: str = "", colour: bool = False) -> Iterator[str]:
    """Yield the findings with their mends, which samples were not tried, and a summary.

    Args:
        report: what was found.
        language: of everything that is said.
        prefix: the project's folder as seen from the reader's, so that a terminal or an editor finds the file.
        colour: whether to paint for a terminal.
    """
    for result in report.results:
        yield from result_lines(result, language, prefix=prefix, colour=colour)
    yield from untried_lines(report, language)
    yield summary(report, language)


def result_lines(
    result: Result, language: Language = "en", *, prefix: str = "", colour: bool = False
) -> tuple[str, str]:
    """Return one finding as two lines: place, severity, rule and problem; then the mend."""
    words, finding = WORDS[language], result.finding(language)
    place = _painted(_seen_from(prefix, finding.place), _BOLD, colour)
    level = _painted(words[finding.severity.value], _PAINT[finding.severity], colour)
    return (
        f"{place}: {level} {finding.rule}: {finding.problem}",
        f"    {words['fix']}: {finding.mend}      (axhub explain {finding.rule})",
    )


def json_text(report: Report, language: Language = "en") -> str:
    """Return one JSON object; `docs/reference/check.md` says what each member is, and they stay."""
    document = {
        "project": report.project.name,
        "root": str(report.project.root),
        "tools": list(report.tools),
        "drafts": list(report.drafts),
        "errors": report.errors,
        "warnings": report.warnings,
        "findings": [_finding(result, language) for result in report.results],
        "allowed": [_finding(result, language) for result in report.allowed],
        "faults": [{"rule": fault.rule, "error": fault.error} for fault in report.faults],
        "untried": [{"tool": tool, "reason": reason} for tool, reason in report.untried.items()],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def github_lines(report: Report, language: Language = "en", *, prefix: str = "") -> Iterator[str]:
    """Yield workflow commands of GitHub Actions, which show each finding beside its line, and a summary.

    Args:
        report: what was found.
        language: of everything that is said.
        prefix: the project's folder as seen from the repository's.
    """
    words = WORDS[language]
    for result in report.results:
        finding = result.finding(language)
        place = finding.place
        where = {"file": _file(prefix, place), "line": str(place.line or 1), "col": str(place.column or 1)}
        fields = ",".join(f"{key}={_property(value)}" for key, value in {**where, "title": finding.rule}.items())
        said = f"{finding.problem} {words['fix']}: {finding.mend}"
        yield f"::{finding.severity.value} {fields}::{_data(said)}"
    yield from untried_lines(report, language)
    yield summary(report, language)


def fault_lines(report: Report, language: Language = "en") -> Iterator[str]:
    """Yield what is said about rules that could not be decided, for the error output."""
    for fault in report.faults:
        yield WORDS[language]["fault"].format(rule=fault.rule, error=shown(fault.error))
    if report.faults:
        yield WORDS[language]["our_fault"]


def _finding(result: Result, language: Language) -> dict[str, Any]:
    finding = result.finding(language)
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "file": finding.place.file,
        "line": finding.place.line,
        "column": finding.place.column,
        "tool": finding.tool,
        "problem": finding.problem,
        "mend": finding.mend,
        "draft": result.draft,
    }


def _seen_from(prefix: str, place: Place) -> str:
    return shown(str(place._replace(file=_file(prefix, place))))


def _file(prefix: str, place: Place) -> str:
    return PurePath(prefix, place.file).as_posix() if prefix else place.file


def _painted(text: str, paint: str, colour: bool) -> str:
    return f"{paint}{text}{_RESET}" if colour else text


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
