"""The reference of all rules as Markdown, written from the rules themselves, so that it cannot drift.

`python -m axhub.toolkit.check.reference FOLDER` writes `rules.md` and `rules.ko.md`; `make docs` runs it.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from axhub.toolkit.check.explaining import by_problem
from axhub.toolkit.check.report import LANGUAGES, Language
from axhub.toolkit.check.wording import WORDS
from axhub.toolkit.rules.all import ALL
from axhub.toolkit.rules.model import Rule

__all__ = ["FILES", "main", "reference_markdown"]

FILES: Final[Mapping[Language, str]] = {"en": "rules.md", "ko": "rules.ko.md"}
_CODE: Final = re.compile(r"(`[^`]*`)")
_SIGNS: Final = re.compile(r"[*~<>\[\]|#]|(?<!\w)_|_(?!\w)")
_TITLES: Final[Mapping[Language, str]] = {"en": "# Rules of `axhub check`", "ko": "# `axhub check`의 규칙"}
_ABOUT: Final[Mapping[Language, str]] = {
    "en": """\
Written from the rules by `make docs`; `axhub explain TK101` shows the same. An error stops the wheel and the start of a
service; a warning is shown and counted. [한국어](rules.ko.md)""",
    "ko": """\
규칙에서 `make docs`로 생성한 문서이며, `axhub explain TK101 --lang ko`로도 볼 수 있습니다. 오류가 있으면 wheel이
만들어지지 않고 서비스가 시작되지 않습니다. 경고는 표시하고 집계합니다. [English](rules.md)""",
}
_COLUMNS: Final[Mapping[Language, str]] = {"en": "| rule | | what must hold |", "ko": "| 규칙 | | 지켜야 할 것 |"}


def reference_markdown(language: Language, rules: Sequence[Rule] = ALL) -> str:
    """Return the page in one language: a table of all rules, then a section for each."""
    lines = [_TITLES[language], "", _ABOUT[language], "", _COLUMNS[language], "|---|---|---|"]
    lines += [_row(rule, language) for rule in rules]
    for rule in rules:
        lines += ["", *_section(rule, language)]
    return "\n".join((*lines, ""))


def main(folder: Path) -> None:
    """Write the page in each language into a folder."""
    for language in LANGUAGES:
        (folder / FILES[language]).write_text(reference_markdown(language), encoding="utf-8")


def _row(rule: Rule, language: Language) -> str:
    level = WORDS[language][rule.severity.value]
    title = _prose(rule.title.said(language))
    return f"| [{rule.id}](#{rule.id.lower()}) | {level} | {title} |"


def _section(rule: Rule, language: Language) -> Iterator[str]:
    words = WORDS[language]
    yield f"## {rule.id}"
    yield ""
    yield f"**{words[rule.severity.value]}** · {_prose(rule.title.said(language))}"
    yield ""
    yield _prose(rule.why.said(language)) + (f" {words['heuristic']}" if rule.heuristic else "")
    yield from ("", f"{words['says']}:", "")
    for problem, mends in by_problem(rule, language).items():
        lines = [_prose(problem), *(f"*{words['fix']}:* {_prose(mend)}" for mend in mends)]
        yield "- " + "\\\n  ".join(line.replace("\n", "\n  ") for line in lines)
    yield from _block(words["bad"], rule.bad)
    yield from _block(words["good"], rule.good)
    if not rule.suppressible:
        yield ""
        yield words["never"]


def _prose(text: str) -> str:
    """Return a text whose signs mean themselves in Markdown, but for code between backticks."""
    parts = _CODE.split(text)
    return "".join(part if index % 2 else _SIGNS.sub(r"\\\g<0>", part) for index, part in enumerate(parts))


def _block(title: str, text: str) -> Iterator[str]:
    if text:
        yield from ("", f"{title}:", "", "```text", text.strip("\n"), "```")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
