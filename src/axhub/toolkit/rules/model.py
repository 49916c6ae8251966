"""What a rule is: an id, its texts in two languages, and a pure function from facts to breaches.

The engine (`check`) collects facts, runs the rules and renders the findings; a rule knows neither files nor formats.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from axhub.configuration.languages import Language
from axhub.toolkit.facts.service import Facts, Place

__all__ = ["Breach", "Finding", "Message", "Rule", "SaidError", "Severity", "Stage", "Text"]


class Severity(Enum):
    """How much a finding matters."""

    ERROR = "error"
    """Stops the wheel and the start of a service."""
    WARNING = "warning"
    """Is shown and counted."""


class Stage(Enum):
    """The earliest moment at which a rule can be decided."""

    SOURCE = "source"
    """From the files alone; nothing is imported."""
    IMPORTED = "imported"
    """From the models after the package was imported in a process of its own."""
    SERVICE = "service"
    """From all tools together with the configuration."""


class Text(NamedTuple):
    """The same sentence in both languages; `{name}` is filled in from a breach's values."""

    en: str
    ko: str

    def said(self, language: Language) -> str:
        """Return it in one language."""
        return self.ko if language == "ko" else self.en


class SaidError(Exception):
    """Something that people are told in their language; `text` says what is wrong, and what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text

    def said(self, language: Language) -> str:
        """Return the message in one language."""
        return self.text.said(language)


class Message(NamedTuple):
    """What one kind of breach says: what is wrong, and how to mend it."""

    problem: Text
    mend: Text


@dataclass(frozen=True, slots=True)
class Breach:
    """One place where a rule does not hold."""

    place: Place
    variant: str = ""
    """Which of the rule's messages; empty for the only one."""
    values: Mapping[str, str | int] = field(default_factory=dict)
    """What the message's `{…}` stand for."""
    tool: str | None = None
    """The authored name of the tool it concerns; findings of a tool under development are warnings."""
    severity: Severity | None = None
    """Where it differs from the rule's."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, as `axhub explain` shows it."""

    id: str
    severity: Severity
    stage: Stage
    title: Text
    """What must hold, in one sentence."""
    why: Text
    """Why, in a few sentences, with the source: seed 003 §, decision."""
    messages: Mapping[str, Message]
    check: Callable[[Facts], Iterable[Breach]]
    bad: str = ""
    """A short sample that breaks it."""
    good: str = ""
    """The same, mended."""
    suppressible: bool = True
    heuristic: bool = False
    """Whether it may be wrong; such rules are warnings and come last."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A breach, rendered for people in one language."""

    rule: str
    severity: Severity
    place: Place
    problem: str
    mend: str
    tool: str | None = None
