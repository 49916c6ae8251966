"""What a check found out: results by rule, rendered for people in either language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from axhub.configuration.languages import LANGUAGES, Language
from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.rules.model import Breach, Finding, Rule, Severity

__all__ = ["CLEAN", "ERRORS", "LANGUAGES", "UNUSABLE", "Language", "Report", "Result", "RuleFault"]

CLEAN: Final = 0
ERRORS: Final = 1
UNUSABLE: Final = 2
"""Exit codes of `axhub check`: nothing or warnings only; errors; it could not be checked."""


@dataclass(frozen=True, slots=True)
class Result:
    """One breach of one rule, with how much it matters here."""

    rule: Rule
    breach: Breach
    severity: Severity
    texts: Mapping[str, tuple[str, str]]
    """Problem and mend by language."""
    draft: bool = False
    """Whether it would be an error if the tool were not under development."""
    reason: str = ""
    """Why a comment allows it; empty where none does."""

    def finding(self, language: Language) -> Finding:
        """Return it as people read it."""
        problem, mend = self.texts[language]
        return Finding(self.rule.id, self.severity, self.breach.place, problem, mend, self.breach.tool)


@dataclass(frozen=True, slots=True)
class RuleFault:
    """A rule that could not be decided: a fault of axhub, never of the service that is checked."""

    rule: str
    error: str
    """Type and text of what went wrong."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one check."""

    project: ToolProject
    results: tuple[Result, ...]
    """What counts, in the order in which it is shown."""
    allowed: tuple[Result, ...] = ()
    """What comments allow."""
    faults: tuple[RuleFault, ...] = ()
    tools: tuple[str, ...] = ()
    """Authored names of all tools, ascending."""
    drafts: tuple[str, ...] = ()
    """Those under development."""
    untried: Mapping[str, str] = field(default_factory=dict)
    """Tools that were not run on their samples, by name ascending, with why; see `Imported.untried`."""

    @property
    def errors(self) -> int:
        """How many findings stop a build."""
        return sum(result.severity is Severity.ERROR for result in self.results)

    @property
    def warnings(self) -> int:
        """How many findings are only shown."""
        return len(self.results) - self.errors

    def findings(self, language: Language = "en") -> tuple[Finding, ...]:
        """Return all that counts, in one language."""
        return tuple(result.finding(language) for result in self.results)

    def exit_code(self, *, strict: bool = False) -> int:
        """Return 2 if a rule could not be decided, 1 for errors (with `strict` for warnings too), else 0."""
        if self.faults:
            return UNUSABLE
        return ERRORS if self.errors or (strict and self.results) else CLEAN
