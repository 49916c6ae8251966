"""Reads `/proc`: CPU time and memory of a process with its children, stolen time, the kind of machine (Linux only)."""

import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Cores(NamedTuple):
    """Which core does what; with fewer than three, the load generator and the upstream share one."""

    load: int
    upstream: int
    sut: int


def choose_cores(usable: Iterable[int]) -> Cores:
    """Give the system under test the last usable core for itself, if there is more than one."""
    cores = sorted(usable)
    return Cores(load=cores[0], upstream=cores[1] if len(cores) > 2 else cores[0], sut=cores[-1])


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Pin this thread to a core for a while; a process started meanwhile stays there."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Stat(NamedTuple):
    """What `/proc/PID/stat` says of a process: its parent and the ticks it used itself (all its threads)."""

    parent: int
    ticks: int


def parse_stat(text: str) -> Stat:
    """Read a `stat` line; the command name may hold blanks and brackets, so fields count from the last bracket."""
    fields = text.rpartition(")")[2].split()
    return Stat(parent=int(fields[1]), ticks=int(fields[11]) + int(fields[12]))


def parse_resident(text: str) -> int:
    """Return the resident kilobytes that `/proc/PID/status` states; 0 for a process that has none any more."""
    for line in text.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def parse_steal(text: str) -> int:
    """Return the stolen ticks of all cores from `/proc/stat`."""
    return int(text.splitlines()[0].split()[8])


def descendants(root: int, parents: dict[int, int]) -> list[int]:
    """Return a process and everything below it, given each process's parent."""
    found = [root]
    for pid in found:  # grows while it is walked: breadth first
        found.extend(child for child, parent in parents.items() if parent == pid and child not in found)
    return found


def process_tree(root: int) -> list[int]:
    """Return the process ids of a running process and its descendants."""
    parents = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it may end while we look
                parents[int(entry.name)] = parse_stat((entry / "stat").read_text()).parent
    return descendants(root, parents)


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the CPU time, user and system, that these processes have used so far."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            ticks += parse_stat((PROC / str(pid) / "stat").read_text()).ticks
    return ticks / os.sysconf("SC_CLK_TCK")


def resident_megabytes(pids: Iterable[int]) -> float:
    """Return the resident memory of these processes in megabytes as `free -m` counts them (1,024 kilobytes)."""
    kilobytes = 0
    for pid in pids:
        with suppress(OSError):
            kilobytes += parse_resident((PROC / str(pid) / "status").read_text())
    return kilobytes / 1024


def stolen_seconds() -> float:
    """Return the seconds that the hypervisor took from this machine since it started."""
    return parse_steal((PROC / "stat").read_text()) / os.sysconf("SC_CLK_TCK")


def machine() -> dict[str, str | int]:
    """Name the class of this machine, without its name or address."""
    info = (PROC / "cpuinfo").read_text(encoding="utf-8")
    model = next((line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("model name")), "")
    memory = int((PROC / "meminfo").read_text().split()[1]) * 1024
    return {
        "cores": len(os.sched_getaffinity(0)),
        "cpu": model or platform.machine(),
        "virtual": "yes" if "hypervisor" in info else "no",
        "memoryGB": round(memory / 1e9),
        "kernel": ".".join(platform.release().split(".")[:2]),
        "python": platform.python_version(),
    }
