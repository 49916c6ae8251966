"""What stays the same of a finding while its file is edited: an id that survives lines above it, and moving it.

It is made of the rule, the file, the tool and the text of the line. Of the message's values only those are in it that
stand on the line, since others name lines or counts; where no line is known all are, without numbers. Findings that are
equal in all of that are counted, so that each has an id of its own.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

from axhub.toolkit.check.report import Result

__all__ = ["fingerprints", "line_at"]

_NUMBERS: Final = re.compile(r"[0-9]+")
_COMMENT: Final = re.compile(r"#[ \t]*axhub[ \t]*:.*", re.IGNORECASE)
"""What allows a finding; the finding stays the same with it."""
_SIZE: Final = 32  # hexadecimal digits


def fingerprints(results: Iterable[Result], lines_of: Callable[[str], Sequence[str]]) -> list[str]:
    """Return the id of each finding, in order; no two are the same.

    Args:
        results: those that are reported and those that are allowed, which keeps an id when a comment comes or goes.
        lines_of: returns the lines of a file of the project; none of one that cannot be read.
    """
    said = [_said(result, lines_of) for result in results]
    seen: Counter[tuple[str, ...]] = Counter()
    found: list[str] = []
    for one in said:
        found.append(_digest((*one, str(seen[one]))))
        seen[one] += 1
    return found


def line_at(lines: Sequence[str], number: int) -> str:
    """Return a line by its number, from 1; empty where there is none."""
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _said(result: Result, lines_of: Callable[[str], Sequence[str]]) -> tuple[str, ...]:
    breach = result.breach
    place = breach.place
    whole = line_at(lines_of(place.file), place.line)
    line = " ".join(_COMMENT.sub("", whole).split())
    texts = [value for _, value in sorted(breach.values.items()) if isinstance(value, str)]
    values = [text for text in texts if text in whole] if line else [_NUMBERS.sub("#", text) for text in texts]
    return (result.rule.id, breach.variant, place.file, breach.tool or "", line, *values)


def _digest(parts: tuple[str, ...]) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_SIZE]
