"""A report as SARIF 2.1.0, which code scanners and editors read (docs.oasis-open.org/sarif/sarif/v2.1.0)."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from axhub import __version__
from axhub.toolkit.check.explaining import explained
from axhub.toolkit.check.fingerprints import fingerprints, line_at
from axhub.toolkit.check.render import shown
from axhub.toolkit.check.report import Language, Report, Result, RuleFault
from axhub.toolkit.check.wording import WORDS
from axhub.toolkit.facts.service import Place
from axhub.toolkit.rules.model import Rule

__all__ = ["FINGERPRINT", "sarif_text"]

FINGERPRINT: Final = "axhubFinding/v1"
"""The name of the id of a finding; a later way to make it gets another number."""
_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE: Final = "%SRCROOT%"  # a name that readers know


def sarif_text(report: Report, language: Language = "en", *, base: Path | None = None) -> str:
    """Return one SARIF log with one run; `docs/reference/check.md` says what is in it.

    Args:
        report: what was found.
        language: of everything that is said.
        base: the folder that paths count from, at or above the project's; None: the project's.
    """
    root = report.project.root
    return json.dumps(_Log(report, language, root if base is None else base).document(), ensure_ascii=False, indent=2)


class _Log:
    """One report while it is written."""

    def __init__(self, report: Report, language: Language, base: Path) -> None:
        self._report = report
        self._language = language
        self._base = base
        self._below = report.project.root.relative_to(base)
        self._lines = cache(_lines_below(report.project.root))
        self._all = (*report.results, *report.allowed)
        self._rules = list({result.rule.id: result.rule for result in self._all}.values())

    def document(self) -> dict[str, Any]:
        return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [self._run()]}

    def _run(self) -> dict[str, Any]:
        ids = fingerprints(self._all, self._lines)
        driver = {"name": "axhub check", "version": __version__, "rules": list(map(self._rule, self._rules))}
        return {
            "tool": {"driver": driver},
            "language": self._language,
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {_BASE: {"uri": f"{self._base.as_uri().rstrip('/')}/"}},
            "invocations": [
                {
                    "executionSuccessful": not self._report.faults,
                    "toolExecutionNotifications": list(map(self._fault, self._report.faults)),
                }
            ],
            "results": [self._result(result, id_) for result, id_ in zip(self._all, ids, strict=True)],
        }

    def _rule(self, rule: Rule) -> dict[str, Any]:
        return {
            "id": rule.id,
            "shortDescription": {"text": rule.title.said(self._language)},
            "fullDescription": {"text": rule.why.said(self._language)},
            "help": {"text": "\n".join(explained(rule, self._language))},
            "defaultConfiguration": {"level": rule.severity.value},
            "properties": {
                "precision": "medium" if rule.heuristic else "very-high",
                "problem.severity": rule.severity.value,
            },
        }

    def _result(self, result: Result, id_: str) -> dict[str, Any]:
        finding = result.finding(self._language)
        allowed = [{"kind": "inSource", "justification": shown(result.reason)}] if result.reason else []
        return {
            "ruleId": finding.rule,
            "ruleIndex": self._rules.index(result.rule),
            "level": finding.severity.value,
            "message": {"text": _plain(f"{finding.problem} {WORDS[self._language]['fix']}: {finding.mend}")},
            "locations": [{"physicalLocation": self._location(finding.place)}],
            "partialFingerprints": {FINGERPRINT: id_},
            "suppressions": allowed,
            "properties": {"tool": finding.tool, "draft": result.draft},
        }

    def _location(self, place: Place) -> dict[str, Any]:
        """Return where it is; what has no line is shown at the first one, since readers want one."""
        region = {"startLine": max(place.line, 1), "startColumn": max(place.column, 1)}
        last = len(line_at(self._lines(place.file), place.line).rstrip()) + 1
        if last > region["startColumn"]:
            region["endColumn"] = last
        uri = quote((self._below / place.file).as_posix())
        return {"artifactLocation": {"uri": uri, "uriBaseId": _BASE}, "region": region}

    def _fault(self, fault: RuleFault) -> dict[str, Any]:
        text = WORDS[self._language]["fault"].format(rule=fault.rule, error=shown(fault.error))
        return {"level": "error", "message": {"text": _plain(text)}, "associatedRule": {"id": fault.rule}}


def _plain(text: str) -> str:
    """Return a message in which no brace stands for an argument."""
    return text.replace("{", "{{").replace("}", "}}") if _has_argument(text) else text


def _has_argument(text: str) -> bool:
    return any(part[:1].isdigit() for part in text.split("{")[1:])


def _lines_below(root: Path) -> Callable[[str], Sequence[str]]:
    def lines(file: str) -> Sequence[str]:
        try:
            return (root / file).read_text(encoding="utf-8-sig", errors="replace").split("\n")
        except OSError:
            return ()

    return lines
