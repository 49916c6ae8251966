"""What a rule says about facts, whole and in both languages."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from axhub.toolkit.facts.service import Facts
from axhub.toolkit.rules.model import Breach, Rule

_FOLDER: Final = "src/my_tools/"
"""Of the package; left out of places to keep them short."""


class Told(NamedTuple):
    """What is said about one breach: where in the package and how much it matters, then problem and mend."""

    at: str
    """`biz/cmm/usecase.py:11:10 error`."""
    en: str
    ko: str


@dataclass(frozen=True, slots=True)
class Case:
    """Facts with what a rule says about them."""

    what: str
    facts: Facts
    told: tuple[Told, ...] = ()

    def __str__(self) -> str:
        return self.what


def told(rule: Rule, found: Facts) -> tuple[Told, ...]:
    """Return what a rule says about some facts, whole and in both languages."""
    return tuple(
        Told(
            f"{str(breach.place).removeprefix(_FOLDER)} {(breach.severity or rule.severity).value}",
            _sentence(rule, breach, "en"),
            _sentence(rule, breach, "ko"),
        )
        for breach in rule.check(found)
    )


def breaches(rule: Rule, found: Facts) -> list[Breach]:
    """Return what a rule finds."""
    return list(rule.check(found))


def said(rule: Rule, found: Facts, language: str = "en") -> list[str]:
    """Return what a rule says about some facts, whole: `file:line:column: severity: problem mend`."""
    return [
        f"{breach.place}: {(breach.severity or rule.severity).value}: {_sentence(rule, breach, language)}"
        for breach in rule.check(found)
    ]


def expect(rule: Rule, found: Facts, english: str, korean: str) -> None:
    """Assert that a rule says one thing about some facts, whole and in both languages."""
    assert said(rule, found) == [english]
    assert said(rule, found, "ko") == [korean]


def _sentence(rule: Rule, breach: Breach, language: str) -> str:
    message = rule.messages[breach.variant]
    return " ".join(getattr(text, language).format_map(breach.values) for text in message)
