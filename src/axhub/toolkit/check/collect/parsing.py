"""Reads one Python file: its text, its syntax tree and the places in it."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

from axhub.toolkit.facts.service import Located, Place
from axhub.toolkit.facts.source import TOO_LARGE

__all__ = ["Parsed", "inner_statements", "place_of", "read_source"]

_BODIES: Final = ("body", "orelse", "handlers", "finalbody", "cases")
_BOM: Final = "\ufeff"
_MAX_BYTES: Final = 1_048_576
"""Of one source file, as of every other file: reading more takes longer than anybody waits for a check."""
_BLOCK: Final = 4096  # bytes
_CONTINUING: Final = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 with which no character begins."""


class _Line:
    """One line of a text that is not ASCII, which may be very long."""

    __slots__ = ("_bytes", "_counts")

    def __init__(self, text: str) -> None:
        self._bytes = text.encode()
        self._counts: list[int] | None = None
        """How many characters begin before each block."""

    def characters(self, column: int) -> int:
        """Return how many characters stand before a byte."""
        if self._counts is None:
            blocks = range(0, len(self._bytes), _BLOCK)
            self._counts = [0, *accumulate(_count(self._bytes[at : at + _BLOCK]) for at in blocks)]
        block = min(column, len(self._bytes)) // _BLOCK
        return self._counts[block] + _count(self._bytes[block * _BLOCK : column])


def _count(text: bytes) -> int:
    return len(text.translate(None, _CONTINUING))


@dataclass(frozen=True, slots=True)
class Parsed:
    """One file that could be read."""

    path: str
    """From the project's root."""
    name: str
    """Dotted."""
    is_package: bool
    """Whether it is an `__init__.py`."""
    tree: ast.Module
    text: str
    lines: "tuple[_Line, ...]"
    """Empty if the text is ASCII, where bytes and characters count alike."""

    def place(self, node: ast.AST) -> Place:
        """Return where a node begins; columns count characters, not bytes."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        if self.lines and line <= len(self.lines):
            column = self.lines[line - 1].characters(column)
        return Place(self.path, line, column + 1)


def inner_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements, handlers and cases right inside a node; expressions, which are most of it, are passed."""
    for name in _BODIES:
        yield from getattr(node, name, ())


def place_of(path: str, line: int | None, column: int | None) -> Place:
    """Return a place from what an exception says, where 0 and None mean that it says nothing."""
    return Place(path, line or 1, column or 1)


def read_source(file: Path, path: str, name: str) -> Parsed | Located[str] | None:
    """Parse a file, or say why it cannot be (rule/TK001); None if nobody may read it, which is told by itself.

    Args:
        file: where it is.
        path: what it is called in findings.
        name: its dotted name.
    """
    try:
        content = file.read_bytes()
        if len(content) > _MAX_BYTES:
            return Located(f"{TOO_LARGE}{len(content)} bytes", Place(path, 1, 1))
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return Located("the file is not UTF-8", Place(path, line, 1))
    except OSError:
        return None
    text = text.removeprefix(_BOM)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape is for a linter to mention
            tree = ast.parse(text)
    except SyntaxError as error:
        return Located(error.msg, place_of(path, error.lineno, error.offset))
    except (ValueError, RecursionError, MemoryError) as error:
        return Located(str(error) or "it is nested too deeply", Place(path, 1, 1))
    return Parsed(
        path, name, file.name == "__init__.py", tree, text, () if text.isascii() else tuple(map(_Line, _split(text)))
    )


def _split(text: str) -> list[str]:
    """Split as the parser does: at line feeds, which `splitlines` is not alone with."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
