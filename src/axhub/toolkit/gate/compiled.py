"""Code that Python keeps compiled beside the source: it runs in place of the source, so it must be that of the source.

Python looks at date and size of the source only, and at neither where the file says that nobody need look. Such files
come into being on the machine that a wheel is installed on, so no receipt can cover them.
"""

import importlib.util
import marshal
from collections.abc import Iterable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Final

__all__ = ["forged_in"]

_HEADER: Final = 16
"""Bytes before the code: magic number, flags, and date and size, or a hash (PEP 552)."""
_SOURCE: Final = ".py"


def forged_in(folder: Path, files: Iterable[str]) -> list[str]:
    """Return the paths of compiled files that this Python would run and whose code is another than their source's.

    Args:
        folder: the package's.
        files: the paths of its files from there, whose content was compared already.
    """
    sources = [folder / file for file in files if file.endswith(_SOURCE)]
    compiled = [(source, Path(importlib.util.cache_from_source(str(source)))) for source in sources]
    forged = [path for source, path in compiled if _is_forged(source, path)]
    return [path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path) for path in forged]


def _is_forged(source: Path, compiled: Path) -> bool:
    try:
        content = compiled.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    if content[:4] != importlib.util.MAGIC_NUMBER:
        return False  # Python compiles the source anew
    loader = SourceFileLoader("axhub_checked", str(source))
    try:
        return bool(marshal.loads(content[_HEADER:]) != loader.source_to_code(source.read_bytes(), str(source)))  # noqa: S302 - nothing of it is run
    except (EOFError, ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return True
