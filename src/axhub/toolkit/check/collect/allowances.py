"""Reads comments that switch a rule off where they stand: `# axhub: allow TK105 -- reason`."""

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import yaml

from axhub.toolkit.facts.service import Allowance, Place

__all__ = ["allowances_in"]

_MARKER: Final = re.compile(r"#[ \t]*axhub[ \t]*:(?P<rest>[^\n]*)", re.IGNORECASE)
_FORM: Final = re.compile(
    r"\s*allow\s+(?P<ids>TK[0-9]{3}(?:\s*,\s*TK[0-9]{3})*)\s*(?:--\s*(?P<reason>\S.*?)?\s*)?", re.IGNORECASE
)
_WORD: Final = re.compile(r"\w")


def allowances_in(path: str, text: str) -> tuple[Allowance, ...]:
    """Return the comments of a Python, YAML or TOML file that begin with `axhub:`."""
    if _MARKER.search(text) is None:
        return ()
    lines = _Lines(text)
    comments = _python_comments(text) if path.endswith(".py") else _yaml_comments(text, path.endswith(".toml"))
    return tuple(_allowance(path, lines, line, column, match["rest"]) for line, column, match in comments)


def _allowance(path: str, lines: "_Lines", line: int, column: int, rest: str) -> Allowance:
    alone = not lines.texts[line - 1][:column].strip()
    last = lines.next_content(line) if alone else line
    found = _FORM.fullmatch(rest)
    ids = tuple(re.split(r"\s*,\s*", found["ids"].upper())) if found else ()
    reason = (found["reason"] or "") if found else ""
    return Allowance(Place(path, line, column + 1), ids, reason if _WORD.search(reason) else "", line, last)


class _Lines:
    """The lines of a file; there may be many comments in a row."""

    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")
        stripped = enumerate((one.lstrip() for one in self.texts), 1)
        self._contents = [number for number, one in stripped if one and not one.startswith("#")]

    def next_content(self, line: int) -> int:
        """Return the number of the next line that is neither blank nor a comment; the line's own if there is none."""
        at = bisect_right(self._contents, line)
        return self._contents[at] if at < len(self._contents) else line


def _python_comments(text: str) -> Iterator[tuple[int, int, re.Match[str]]]:
    with suppress(tokenize.TokenError, SyntaxError):  # up to where it can be read
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and (match := _MARKER.search(token.string)):
                yield token.start[0], token.start[1] + match.start(), match


def _yaml_comments(text: str, is_toml: bool) -> Iterator[tuple[int, int, re.Match[str]]]:
    texts = [] if is_toml else list(_scalars(text))
    for match in _MARKER.finditer(text):
        before = text[: match.start()]
        if before and not before[-1].isspace():
            continue
        if not any(start <= match.start() < end for start, end in texts):
            yield before.count("\n") + 1, match.start() - (before.rfind("\n") + 1), match


def _scalars(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the values of a YAML file begin and end, in characters: what stands in them is no comment."""
    with suppress(yaml.YAMLError):  # up to where it can be read
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, yaml.ScalarToken):
                yield token.start_mark.index, token.end_mark.index
