"""The files that a configuration names: what is in them, or why they cannot be read."""

from pathlib import Path
from typing import Final

_PROBLEMS: Final = {
    FileNotFoundError: "there is no such file",
    NotADirectoryError: "there is no such file",
    IsADirectoryError: "it is a folder",
    PermissionError: "the permission to read it is missing",
}


def read_bounded(path: Path, limit: int) -> bytes | str:
    """Return a file's bytes, at most one more than `limit`; or, as a text, why it cannot be read."""
    try:
        if path.exists() and not path.is_file():
            return "it is a folder" if path.is_dir() else "it is not a regular file"
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        return _PROBLEMS.get(type(error), f"it cannot be read ({type(error).__name__})")


def unreadable(path: Path) -> str | None:
    """Say why a file cannot be read, or None."""
    found = read_bounded(path, 0)
    return found if isinstance(found, str) else None
