"""Which files of a package the receipt covers, each with its digest."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

__all__ = ["RECEIPT", "digest_of", "digest_of_all", "files_of", "is_covered", "links_in"]

RECEIPT: Final = "_axhub/receipt.json"
"""Below the package's folder; outside of it the receipts of two services in one environment would collide."""
_COMPILED: Final = "__pycache__"


def is_covered(path: str) -> bool:
    """Say whether a file counts, by its path from the package's folder: all but the receipt and what Python caches."""
    pure = PurePosixPath(path)
    return path != RECEIPT and not (pure.suffix == ".pyc" and pure.parent.name == _COMPILED)


def files_of(folder: Path) -> dict[str, str]:
    """Return the digests of a package's files by path, ascending.

    Raises:
        OSError: a file cannot be read.
    """
    paths = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    return {path: digest_of(paths[path].read_bytes()) for path in sorted(paths) if is_covered(path)}


def links_in(folder: Path) -> list[str]:
    """Return the paths of symbolic links below a package's folder, ascending; what they lead to is not followed."""
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        paths = (Path(place, name) for name in (*folders, *files))
        found += [path.relative_to(folder).as_posix() for path in paths if path.is_symlink()]
    return sorted(found)


def digest_of(content: bytes) -> str:
    """Return `sha256:<hex>`."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def digest_of_all(files: Mapping[str, str]) -> str:
    """Return one digest over paths and digests, whatever their order."""
    return digest_of("".join(f"{digest}  {path}\n" for path, digest in sorted(files.items())).encode())
