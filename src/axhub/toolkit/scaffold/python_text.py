"""Writes Python as a formatter would leave it: on one line what fits, else one item a line (width 120)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from axhub.contract.columns import text_width

__all__ = ["Bracketed", "imported", "literal"]

_WIDTH: Final = 120
_STEP: Final = 4
_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A call, a subscript or a display."""

    head: str
    """Ends with the opening bracket."""
    items: Sequence["str | Bracketed"]
    tail: str
    """Begins with the closing bracket."""

    def __str__(self) -> str:
        """Return it on one line."""
        return f"{self.head}{', '.join(str(item) for item in self.items)}{self.tail}"

    def written(self, column: int, after: int = 0) -> str:
        """Return it as it is written from a column on, with so many characters after it on its last line."""
        if text_width(str(self)) + column + after <= _WIDTH:
            return str(self)
        inner, outer = " " * (column + _STEP), " " * column
        joined = inner + ", ".join(str(item) for item in self.items)
        if text_width(joined) <= _WIDTH:
            return f"{self.head}\n{joined}\n{outer}{self.tail}"
        listed = (item if isinstance(item, str) else item.written(len(inner), 1) for item in self.items)
        return f"{self.head}\n" + "".join(f"{inner}{item},\n" for item in listed) + outer + self.tail


def literal(value: Any, column: int, used: int = 0) -> str:
    """Return a value of JSON as Python writes it.

    Args:
        value: text, number, null, list or object.
        column: of the line that it stands on.
        used: how much of that line stands before and after it.
    """
    plain = _plain(value)
    if text_width(plain) + column + used <= _WIDTH or not isinstance(value, dict | list) or not value:
        return plain
    inner = column + _STEP
    if isinstance(value, dict):
        items = [f"{_text(key)}: {literal(one, inner, len(_text(key)) + 3)}" for key, one in value.items()]
        return "{\n" + "".join(f"{' ' * inner}{item},\n" for item in items) + " " * column + "}"
    listed = "".join(f"{' ' * inner}{literal(one, inner, 1)},\n" for one in value)
    return f"[\n{listed}{' ' * column}]"


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {_plain(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_plain(one) for one in value) + "]"
    return _text(value) if isinstance(value, str) else repr(value)


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def imported(modules: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield import statements in the order of their modules; names constants first, then classes, then functions."""
    for module, names in sorted(modules.items()):
        ordered = sorted(set(names), key=lambda name: (_rank(name), name))
        if not ordered:
            continue
        line = f"from {module} import {', '.join(ordered)}"
        if len(line) <= _WIDTH:
            yield line
        else:
            yield f"from {module} import (\n" + "".join(f"    {name},\n" for name in ordered) + ")"


def _rank(name: str) -> int:
    return 0 if _CONSTANT.fullmatch(name) else 1 if name[0].isupper() else 2
