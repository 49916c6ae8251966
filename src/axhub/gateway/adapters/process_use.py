"""What this process takes of the machine, as Linux tells it in /proc (proc(5)); nothing where there is no /proc.

Reading costs some 50 microseconds and never waits for a disk: these files are made by the kernel as they are read.
"""

import os
from functools import cached_property
from pathlib import Path
from typing import NamedTuple


class ProcessUse(NamedTuple):
    """One reading; None for what the system does not tell."""

    resident_bytes: int | None = None
    cpu_seconds: float | None = None
    """Of the program and of the kernel for it."""
    open_files: int | None = None
    """Descriptors, the one that counts them included, as the official client libraries have it."""
    started_at: float | None = None
    """Seconds since the Unix epoch."""


class ProcFiles:
    """Reads `ProcessUse` below `root`, the folder where proc is mounted."""

    def __init__(self, root: Path = Path("/proc")) -> None:
        self._stat = root / "self" / "stat"
        self._files = root / "self" / "fd"
        self._system = root / "stat"

    def read(self) -> ProcessUse:
        """Return the figures of this moment."""
        use = ProcessUse(open_files=self._open_files())
        # Fields are counted from behind the program's name, which may hold blanks and parentheses; field 3 is [0].
        fields = _text(self._stat).rpartition(")")[2].split()
        try:
            user, system, started, resident = (int(fields[number - 3]) for number in (14, 15, 22, 24))
        except (IndexError, ValueError):
            return use
        ticks = os.sysconf("SC_CLK_TCK")
        booted = self._booted_at
        return use._replace(
            resident_bytes=resident * os.sysconf("SC_PAGE_SIZE"),
            cpu_seconds=(user + system) / ticks,
            started_at=None if booted is None else booted + started / ticks,
        )

    @cached_property
    def _booted_at(self) -> int | None:
        lines = (line.split() for line in _text(self._system).splitlines() if line.startswith("btime "))
        return next((int(line[1]) for line in lines), None)

    def _open_files(self) -> int | None:
        try:
            return sum(1 for _ in self._files.iterdir())
        except OSError:
            return None


def _text(file: Path) -> str:
    """Return a file's text, or nothing if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
