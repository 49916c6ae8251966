"""Looks into a wheel, and puts one file into it (the binary distribution format)."""

import base64
import csv
import hashlib
import io
import os
import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

from axhub.toolkit.gate.files import digest_of, is_covered

__all__ = ["add_to_wheel", "code_outside", "files_in_wheel"]

_RECORD: Final = ".dist-info/RECORD"
_NOTES: Final = ".dist-info"
_PARTS: Final = ".data"
"""The end of the folder whose folders are installed elsewhere: `purelib` and `platlib` beside the package."""
_SCRIPTS: Final = "scripts"
_CODE: Final = frozenset({".py", ".pyc", ".pyd", ".so", ".pth", ".dll", ".dylib"})


def files_in_wheel(wheel: Path, package: str) -> dict[str, str]:
    """Return the digests of a package's files in a wheel, by path from the package's folder."""
    start = f"{package}/"
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(start) and not name.endswith("/")]
        inside = {name.removeprefix(start): name for name in names}
        return {path: digest_of(archive.read(inside[path])) for path in sorted(inside) if is_covered(path)}


def code_outside(wheel: Path, package: str) -> list[str]:
    """Return what a wheel would install of code beside the package: `helpers/` or `extra.py`, ascending.

    The check sees the package only, and the receipt covers nothing else. Code in the folder that is installed over
    the package (`….data/purelib`) counts too, and so does every script.
    """
    with zipfile.ZipFile(wheel) as archive:
        paths = [PurePosixPath(name) for name in archive.namelist() if not name.endswith("/")]
    return sorted({_outside(path) for path in paths if path.parts[0] != package and _is_code(path)})


def _is_code(path: PurePosixPath) -> bool:
    if path.parts[0].endswith(_NOTES):
        return False
    return path.suffix in _CODE or _is_script(path)


def _is_script(path: PurePosixPath) -> bool:
    return path.parts[0].endswith(_PARTS) and path.parts[1:2] == (_SCRIPTS,)


def _outside(path: PurePosixPath) -> str:
    """Return what to move: a folder or a file at the top of the wheel, or a file that is installed elsewhere."""
    if len(path.parts) == 1 or path.parts[0].endswith(_PARTS):
        return str(path)
    return f"{path.parts[0]}/"


def add_to_wheel(wheel: Path, name: str, content: bytes) -> None:
    """Put a file into a wheel and its list of files, in the place of one of that name; all others keep their bytes.

    The wheel is replaced as a whole, so nobody sees half of it. Its new file has the date of the list of files, which
    build backends make reproducible.

    Raises:
        ValueError: it has no list of its files.
    """
    unfinished = wheel.with_name(f"{wheel.name}.unfinished")
    try:
        with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(unfinished, "w") as new:
            record = _record_of(old)
            for info in old.infolist():
                if info.filename not in {name, record.filename}:
                    new.writestr(info, old.read(info))
            new.writestr(_like(record, name), content)
            new.writestr(record, _listed(old.read(record).decode(), name, content))
        os.replace(unfinished, wheel)  # noqa: PTH105 - one step, whatever the file system does between two
    finally:
        unfinished.unlink(missing_ok=True)


def _record_of(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    for info in archive.infolist():
        if info.filename.endswith(_RECORD):
            return info
    raise ValueError(f"{archive.filename} is no wheel: it has no RECORD")


def _like(record: zipfile.ZipInfo, name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, record.date_time)
    info.compress_type, info.external_attr = record.compress_type, record.external_attr
    return info


def _listed(record: str, name: str, content: bytes) -> str:
    """Return the list of files with a line more, before its own."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    lines = [line for line in csv.reader(io.StringIO(record)) if line and line[0] != name]
    own = [line for line in lines if line[0].endswith(_RECORD)]
    others = [line for line in lines if line not in own]
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([*others, [name, f"sha256={digest}", str(len(content))], *own])
    return written.getvalue()
