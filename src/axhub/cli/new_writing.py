"""What the kinds of `axhub new` share: files are written if they are not there, and refusals go to the error output."""

import sys
from collections.abc import Iterable
from pathlib import Path

from axhub.cli.check import UNUSABLE
from axhub.toolkit.check.project import PYPROJECT
from axhub.toolkit.scaffold.files import Planned, State, left_to_do, state_of, write
from axhub.toolkit.scaffold.texts import MARK

__all__ = ["left", "made", "refuse", "text_of"]


def refuse(message: str) -> int:
    """Say why nothing was made; return the exit code."""
    print(f"axhub new: {message}", file=sys.stderr)
    return UNUSABLE


def made(root: Path, files: Iterable[Planned], *, dry_run: bool) -> list[tuple[str, str]]:
    """Write what is not there yet, the project's own file last, and return a word for each file with its path."""
    lines = []
    for planned in sorted(files, key=lambda planned: planned.path == PYPROJECT):
        state = state_of(root, planned)
        if state is State.NEW and not dry_run:
            write(root, planned)
        lines.append(("new" if state is State.NEW else "kept", str(root / planned.path)))
    return sorted(lines, key=lambda line: line[1])


def text_of(place: Path) -> str | None:
    """Return the text of a file with its line ends, empty if there is none, None if it is no text."""
    try:
        return place.read_bytes().decode() if place.exists() else ""
    except UnicodeDecodeError:
        return None


def left(root: Path, files: Iterable[Planned]) -> Iterable[str]:
    """Return place and text of each line that a person must write."""
    return (f"{root / path}:{line}: {text}" for path, line, text in left_to_do(root, files, MARK))
