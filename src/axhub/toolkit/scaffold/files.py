"""What would be made, compared with what is there, and written without ever replacing anything of an author's."""

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

__all__ = ["Planned", "State", "left_to_do", "replace", "state_of", "write"]


class State(Enum):
    """How a planned file stands to what is on disk."""

    NEW = "new"
    SAME = "same"
    OTHER = "other"
    """There, with another content."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One file that would be made."""

    path: str
    """POSIX, relative to the project's root."""
    text: str
    shared: bool = False
    """Whether it belongs to more than this tool: it is used as it is if it is there already."""


def state_of(root: Path, planned: Planned) -> State:
    """Compare one planned file with the disk; a folder or a file that is no text is another content."""
    place = root / planned.path
    if not place.exists() and not place.is_symlink():
        return State.NEW
    try:
        return State.SAME if place.read_text(encoding="utf-8") == planned.text else State.OTHER
    except (OSError, UnicodeDecodeError):
        return State.OTHER


def write(root: Path, planned: Planned) -> None:
    """Make one file, and the folders around it.

    Raises:
        FileExistsError: it is there already; nothing was touched.
        OSError: it cannot be made.
    """
    place = root / planned.path
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("x", encoding="utf-8", newline="\n") as file:
        file.write(planned.text)


def replace(place: Path, text: str) -> None:
    """Give a file another content in one step, line ends as in the text, so that nobody ever sees half of it.

    A link stays one, and what it leads to is replaced; permissions stay.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    target = place.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        unfinished.write_bytes(text.encode())
        if target.exists():
            shutil.copymode(target, unfinished)
        os.replace(unfinished, target)  # noqa: PTH105 - one step, whatever the file system does between two
    finally:
        unfinished.unlink(missing_ok=True)


def left_to_do(root: Path, files: Iterable[Planned], mark: str) -> Iterator[tuple[str, int, str]]:
    """Yield path, line and text of each line that has the mark, as it is on disk, else as it would be made."""
    for planned in files:
        if state_of(root, planned) is State.OTHER:
            text = (root / planned.path).read_text(encoding="utf-8", errors="replace")
        else:
            text = planned.text
        for number, line in enumerate(text.splitlines(), 1):
            if mark in line:
                yield planned.path, number, line.strip()
