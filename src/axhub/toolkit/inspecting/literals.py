"""Texts that stand in a package's source, which may be shown, unlike what a sample brings."""

import ast
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ["is_written"]

_MAX_SHOWN: Final = 60


def is_written(value: Any, folder: Path) -> bool:
    """Say whether a value is a text that an author has written as a literal, and short enough to be shown.

    Args:
        value: anything.
        folder: in which, and below, the author's modules are.
    """
    if not isinstance(value, str) or not 0 < len(value) <= _MAX_SHOWN or not value.isprintable() or '"' in value:
        return False
    sources = (file.read_bytes() for file in sorted(folder.rglob("*.py")))
    return any(value in _literals(source) for source in sources if value.encode() in source)


@cache
def _literals(source: bytes) -> frozenset[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return frozenset()
    texts = (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))
    return frozenset(text for text in texts if isinstance(text, str))
