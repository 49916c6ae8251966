"""Has a package imported in a process of its own, bounded in time, and takes what it tells (rule/TK002)."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from axhub.toolkit.check.hanging import ask, read_frames
from axhub.toolkit.facts.service import Imported, Located, Place, Unusable

__all__ = ["Document", "InspectionResult", "Running", "package_folder", "run_inspection"]

_PROGRAM: Final = "axhub.toolkit.inspecting"
"""A program, not a module of this layer: it runs the tools that it tries, so it stands above the service. What the two
share is the command line and `Document`."""
_NEEDED: Final = frozenset(
    {"HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "PATH", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "VIRTUAL_ENV"}
)
_NEEDED_FAMILIES: Final = ("COVERAGE_", "DYLD_", "LC_", "PYTHON")
_MAX_PRINTED: Final = 65536  # of what the author's code printed


@dataclass(frozen=True, slots=True)
class Document:
    """What the inspecting process answers."""

    imported: dict[str, Imported] | None = None
    """By authored name; None: the package could not be imported."""
    unusable: tuple[Unusable, ...] = ()
    problem: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class InspectionResult:
    """What is known after the import."""

    imported: Mapping[str, Imported] | None
    """By authored name; None: the package could not be imported, and `problem` says why."""
    unusable: tuple[Unusable, ...] = ()
    """Declarations that cannot be used."""
    problem: Located[str] | None = None
    hung: Mapping[str, str] = field(default_factory=dict)
    """Of an import that did not end; see `Facts.import_hung`."""
    printed: str = field(default="", compare=False)
    """What the author's code printed meanwhile, its beginning."""


class Running:
    """The process of one inspection, for who may have to end it from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_over = False
        self._group: int | None = None

    def began(self, group: int) -> None:
        """Take the process group that was started; it is ended at once if `end` came before."""
        with self._lock:
            self._group = group
            if self._is_over:
                self._kill()

    def end(self) -> None:
        """End the process with everything that it started, whether it runs, is over, or is still to come."""
        with self._lock:
            self._is_over = True
            self._kill()

    def _kill(self) -> None:
        group, self._group = self._group, None
        if group is not None:
            with suppress(ProcessLookupError, PermissionError):  # nothing of it is left, or only what has ended
                os.killpg(group, signal.SIGKILL)


def package_folder(project: Path, package: str) -> Path:
    """Return where a package of a project is: in `src`, else in the root."""
    path = Path(*package.split("."))
    inside = project / "src" / path
    return inside if inside.is_dir() else project / path


def run_inspection(
    project_folder: Path, package: str, timeout_seconds: float, running: Running | None = None
) -> InspectionResult:
    """Import a package in a process of its own and return what its tools are.

    Args:
        project_folder: the project's root; places are relative to it.
        package: dotted name of the package, in `src` or the root.
        timeout_seconds: after that the process is ended. What it started ends with it in any case.
        running: can end it before.
    """
    project = project_folder.resolve()
    # -B: nothing is written into the project. -P: modules of the project's root do not hide others.
    command = [sys.executable, "-B", "-P", "-X", "utf8", "-m", _PROGRAM, str(project), package]
    with (
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as printed,
        tempfile.TemporaryFile() as frames,
    ):
        # Files, not pipes: what the author's code starts may keep a pipe open after the process has ended.
        process = subprocess.Popen(  # noqa: S603 - our own interpreter with our own module, no shell
            [*command, str(frames.fileno())],
            pass_fds=[frames.fileno()],
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=answer,
            stderr=printed,
            start_new_session=True,
            env=_environment(os.environ),
        )
        ending = running or Running()
        try:
            ending.began(process.pid)  # it and what it starts are a group of their own
            stood = _wait(process, timeout_seconds, frames)
        finally:
            ending.end()
            process.wait()
        text = _read(printed, _MAX_PRINTED).decode("utf-8", "replace")
        folder = package_folder(project, package)
        if stood is not None:
            hung = read_frames(stood, folder, project, package, timeout_seconds)
            problem = Located(f"the import took longer than {timeout_seconds:g} seconds", hung.place)
            return InspectionResult(None, problem=problem, hung=hung.values, printed=text)
        start = Place((folder / "__init__.py").relative_to(project).as_posix(), 1)
        return _result(_read(answer), process.returncode, text, start)


def _wait(process: "subprocess.Popen[Any]", timeout_seconds: float, frames: IO[bytes]) -> str | None:
    """Wait for the end; return the frames in which the process stood if it did not come."""
    try:
        process.wait(timeout_seconds)
    except subprocess.TimeoutExpired:
        return ask(process.pid, frames)
    return None


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what the process needs to run and to find its modules; keys and addresses of systems stay out of it."""
    return {name: value for name, value in environ.items() if name in _NEEDED or name.startswith(_NEEDED_FAMILIES)}


def _read(file: IO[bytes], limit: int = -1) -> bytes:
    file.seek(0)
    return file.read(limit)


def _result(answer: bytes, code: int | None, printed: str, start: Place) -> InspectionResult:
    try:
        document = msgspec.json.decode(answer, type=Document)
    except msgspec.DecodeError:
        last = printed.strip().splitlines()[-1:] or ["without a message"]
        problem = f"the process ended with code {code} while the package was imported: {last[0][:300]}"
        return InspectionResult(None, problem=Located(problem, start), printed=printed)
    return InspectionResult(document.imported, document.unusable, document.problem, printed=printed)
