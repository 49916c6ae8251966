"""The repository as its own tests see it: files, syntax trees, imports.

Only files that belong to the project are seen, also in a copy without git: what .gitignore names is left out.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
CODE_FOLDERS: Final = ("src", "tests", "bench", "examples", "tools")
SOURCES: Final = (ROOT / "src", ROOT / "examples" / "order_service" / "src")
"""Folders from which modules of ours are imported."""
_OUTSIDE: Final = {"__pycache__", "node_modules", "build", "dist", "out"}
"""Folders of tools and of what they make, besides those whose names begin with a dot."""


def files(*patterns: str) -> list[Path]:
    """Return the project's files whose names match one of the patterns, in order."""
    return sorted(path for path in _walk(ROOT) if any(path.match(pattern) for pattern in patterns))


def python_files(*folders: str) -> list[Path]:
    """Return the Python files below these folders of the repository; by default all code."""
    wanted = [ROOT / folder for folder in folders or CODE_FOLDERS]
    return [path for path in files("*.py") if any(path.is_relative_to(folder) for folder in wanted)]


def shown(path: Path) -> str:
    """Return the path as messages name it: from the root of the repository, with slashes."""
    return path.relative_to(ROOT).as_posix()


@cache
def parse(path: Path) -> ast.Module:
    """Return the syntax tree of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def module_name(path: Path) -> str:
    """Return the dotted name of a file below one of `SOURCES`."""
    source = next(source for source in SOURCES if path.is_relative_to(source))
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(path: Path) -> Iterator[tuple[str, str | None, int]]:
    """Yield `(module, name or None, line)` for every import of a file, wherever in the file it stands."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name, node.lineno) for alias in node.names)


def imported_modules(path: Path) -> set[str]:
    """Return the modules a file imports; `from a import b` counts as `a.b` where that is a module of ours, else `a`."""
    return {
        f"{module}.{name}" if name and _is_module(f"{module}.{name}") else module
        for module, name, _ in imported_names(path)
    }


def _is_module(dotted: str) -> bool:
    places = [source.joinpath(*dotted.split(".")) for source in SOURCES]
    return any(place.with_suffix(".py").is_file() or (place / "__init__.py").is_file() for place in places)


@cache
def _walk(folder: Path) -> tuple[Path, ...]:
    found: list[Path] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            if entry.name == ".ci" or not (entry.name in _OUTSIDE or entry.name.startswith(".")):
                found += _walk(entry)
        elif entry.is_file():
            found.append(entry)
    return tuple(found)
