"""Times `axhub check` of a large service: the sample's two claim tools, copied until there are nearly a hundred."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from bench.processes import pinned
from bench.servers import NotRunning
from bench.suts import axhub_program
from support.many_tools import many_tools

PAIRS = 44
"""Two tools each, and the sample's own eleven: nearly what a gateway takes."""


class CheckTimes(NamedTuple):
    """What checks took."""

    seconds: tuple[float, ...]
    """From the start of each process to its end."""
    cpu_seconds: float
    """Of one check on average; much less than `seconds` tells that something else used the core."""

    @property
    def middle(self) -> float:
        """Return the median."""
        return median(self.seconds)

    def sentence(self) -> str:
        """Say it in one line."""
        least, most = min(self.seconds), max(self.seconds)
        return (
            f"axhub check of a service with {2 * PAIRS + 11} tools, {len(self.seconds)} times on one core: "
            f"{self.middle:.2f} s ({least:.2f}..{most:.2f}), of it {self.cpu_seconds:.2f} s of CPU."
        )


def time_checks(folder: Path, core: int, rounds: int) -> CheckTimes:
    """Check the service that often, and once before that.

    Raises:
        NotRunning: the check did not find the service in order.
    """
    project = many_tools(folder / "many", PAIRS)
    with pinned(core):
        _seconds(project)
        before = _cpu_seconds()
        times = tuple(_seconds(project) for _ in range(rounds))
        return CheckTimes(times, (_cpu_seconds() - before) / rounds)


def _cpu_seconds() -> float:
    """Return the CPU time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _seconds(project: Path) -> float:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("AXHUB_")}
    command = [axhub_program(), "check", str(project), "--format", "json"]
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    elapsed = time.perf_counter() - began
    if done.returncode != 0:
        raise NotRunning(f"axhub check ended with exit code {done.returncode}: {(done.stdout + done.stderr)[-300:]}")
    return elapsed
