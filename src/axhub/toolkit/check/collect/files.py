"""Which files belong to a Tool Service, in a stable order (decision/D26)."""

import os
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.facts.service import Located, Place
from axhub.toolkit.layout import DEFINITIONS, RESOURCES, SAMPLES

__all__ = [
    "content_of",
    "definition_files",
    "misspelt_definitions",
    "module_name",
    "resource_files",
    "sample_texts",
    "samples_of",
    "shown",
    "source_files",
    "unreadable",
]


_SAMPLES: Final = frozenset({".hex", ".json"})
"""Endings of samples: captured telegrams, and answers by name."""


def source_files(project: ToolProject) -> Iterator[Path]:
    """Yield the package's Python files."""
    yield from _below(project.folder, "*.py")


def definition_files(project: ToolProject) -> Iterator[Path]:
    """Yield the tools' definitions."""
    yield from _below(project.folder / DEFINITIONS, "*.yml")


def misspelt_definitions(project: ToolProject) -> Iterator[Path]:
    """Yield what stands among the definitions and ends in `.yaml`."""
    yield from _below(project.folder / DEFINITIONS, "*.yaml")


def resource_files(project: ToolProject) -> Iterator[Path]:
    """Yield the schema resources."""
    yield from _below(project.folder / RESOURCES, "*.json")


def samples_of(project: ToolProject) -> dict[str, tuple[str, ...]]:
    """Return the sample answers of legacy systems by tool."""
    found: dict[str, list[str]] = {}
    for file in _below(project.folder / SAMPLES, "*"):
        if file.suffix in _SAMPLES:
            found.setdefault(file.parent.name, []).append(shown(project, file))
    return {tool: tuple(files) for tool, files in found.items()}


def content_of(file: Path) -> bytes | str:
    """Return what is in a file, or why that cannot be read."""
    try:
        return file.read_bytes()
    except OSError as error:
        return error.strerror or type(error).__name__


def unreadable(project: ToolProject) -> Iterator[Located[str]]:
    """Yield what nobody may look into: folders, and files that are not read as definitions or resources."""
    closed: list[Located[str]] = []

    def note(error: OSError) -> None:
        path = Path(error.filename or project.folder)
        closed.append(Located(error.strerror or type(error).__name__, Place(shown(project, path), 0)))

    for _ in _below(project.folder, "", note):
        pass
    for name in (DEFINITIONS, RESOURCES, SAMPLES):
        if not (folder := project.folder / name).is_dir() and os.path.lexists(folder):
            note(NotADirectoryError(0, "it is no folder", str(folder)))
    yield from closed
    for file in (*_below(project.folder, "*.py"), *_below(project.folder / SAMPLES, "*")):
        if isinstance(why := _refusal(file), str):
            yield Located(why, Place(shown(project, file), 1, 1))


def _refusal(file: Path) -> str | None:
    """Return why a file cannot be opened."""
    try:
        with file.open("rb"):
            return None
    except OSError as error:
        return error.strerror or type(error).__name__


def sample_texts(project: ToolProject) -> dict[str, str]:
    """Return the text of the samples by path; what is no UTF-8 has none."""
    found: dict[str, str] = {}
    for file in _below(project.folder / SAMPLES, "*"):
        try:
            found[shown(project, file)] = file.read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
    return found


def shown(project: ToolProject, file: Path) -> str:
    """Return what a file is called in findings: its path from the project's root, with slashes."""
    return file.relative_to(project.root).as_posix()


def module_name(project: ToolProject, file: Path) -> str:
    """Return a source file's dotted name."""
    parts = (project.facts.package, *file.relative_to(project.folder).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _below(folder: Path, pattern: str, note: Callable[[OSError], None] | None = None) -> Iterator[Path]:
    """Yield what has a name of this form, in order; a folder too, which is called like a file by mistake."""
    found: list[Path] = []
    for around, folders, names in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not _is_passed(name)]
        matching = (name for name in (*folders, *names) if fnmatchcase(name, pattern) and not _is_passed(name))
        found += [Path(around, name) for name in matching if pattern != "*" or name in names]
    yield from sorted(found)


def _is_passed(name: str) -> bool:
    return name.startswith(".") or name == "__pycache__"
