"""Columns of text for people: every character as wide as it is drawn.

Texts come from elsewhere, so nothing in a cell may move the cursor or turn the reading direction (`safe_text`). Widths
are those of Unicode's East Asian Width and grapheme rules (wcwidth), which is what Korean, emoji and combining marks
need.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from wcwidth import iter_graphemes, width

GAP: Final = "  "
ELLIPSIS: Final = "…"
_UNSAFE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_BLANKS: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, and the number of terminal columns below which it is not narrowed."""

    title: str
    least: int = 8


def safe_text(text: str) -> str:
    """Remove what a terminal would obey instead of print; LF and TAB stay."""
    return _UNSAFE.sub("", text)


def one_line(text: str) -> str:
    """Return `text` as a cell: safe, and every run of white space one space."""
    return _BLANKS.sub(" ", safe_text(_BLANKS.sub(" ", text))).strip()


def text_width(text: str) -> int:
    """Return how many terminal columns `text` takes; it must be safe and on one line."""
    return width(text, control_codes="ignore")


def cut(text: str, limit: int) -> str:
    """Return `text` if it fits into `limit` columns, else its beginning with an ellipsis; characters stay whole."""
    if text_width(text) <= limit:
        return text
    kept, used = [], 0
    for cluster in iter_graphemes(text):
        used += text_width(cluster)
        if used > limit - 1:
            break
        kept.append(cluster)
    return ("".join(kept) + ELLIPSIS) if limit > 0 else ""


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], limit: int | None = None) -> list[str]:
    """Lay out `rows` under their titles and return the lines.

    With a `limit` (the terminal's columns) the last columns give way first, down to their `least`;
    if that is not enough, lines are cut.
    """
    cells = [[column.title for column in columns], *[[one_line(cell) for cell in row] for row in rows]]
    natural = [max(text_width(row[index]) for row in cells) for index in range(len(columns))]
    widths = natural if limit is None else _narrowed(natural, columns, limit)
    lines = [GAP.join(_padded(cell, size) for cell, size in zip(row, widths, strict=True)).rstrip() for row in cells]
    return lines if limit is None else [cut(line, limit) for line in lines]


def _narrowed(natural: Sequence[int], columns: Sequence[Column], limit: int) -> list[int]:
    widths = list(natural)
    over = sum(widths) + len(GAP) * (len(widths) - 1) - limit
    for index in reversed(range(len(widths))):
        give = max(0, min(over, widths[index] - columns[index].least))
        widths[index] -= give
        over -= give
    return widths


def _padded(cell: str, size: int) -> str:
    shown = cut(cell, size)
    return shown + " " * (size - text_width(shown))
