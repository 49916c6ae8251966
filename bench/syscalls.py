"""Counts what a `tools/call` asks of the kernel, with strace, in a run of its own: tracing slows a process down a lot.

The bound is 2 reads and 2 writes a call: the request, the forwarded request, its answer, the answer. Writes to the log
are batched and counted apart. `bench/syscalls.py` alone prints the counts and exits with 1 above the bound.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.inputs import LEGACY, call_request
from bench.measure import Generator
from bench.processes import choose_cores
from bench.servers import NotRunning, Running, program, start
from bench.suts import Field

READS = frozenset({"read", "readv", "recvfrom", "recvmsg", "pread64"})
WRITES = frozenset({"write", "writev", "sendto", "sendmsg", "pwrite64"})
OTHERS = frozenset({"epoll_wait", "epoll_pwait", "futex"})
CONNECTIONS, SECONDS = 16, 2
LINE = re.compile(r"^\d+ +(\w+)\(\d+<([^>]*)>|^\d+ +(\w+)\(")


class Syscalls(NamedTuple):
    """System calls of one `tools/call`, on average."""

    calls: int
    """How many `tools/call` were traced."""
    reads: float
    writes: float
    """Without those to the log."""
    log_writes: float
    waits: float
    """Waits for events (epoll)."""
    locks: float
    """Futexes: threads that wait for or wake each other."""
    errors: int = 0
    """Failed or refused requests: with any, the averages are no averages of calls."""


def count_lines(lines: Iterable[str], log: str) -> Counter[str]:
    """Count traced system calls by kind; `log` names the pipe of the log as strace shows it (`pipe:[4711]`)."""
    kinds: Counter[str] = Counter()
    for line in lines:
        found = LINE.match(line)
        if found is None:
            continue  # an exit, a signal, or the end of a call whose start was counted
        name, target = found[1] or found[3], found[2] or ""
        if name in READS:
            kinds["reads"] += 1
        elif name in WRITES:
            kinds["log_writes" if target == log else "writes"] += 1
        elif name in OTHERS:
            kinds["locks" if name == "futex" else "waits"] += 1
    return kinds


def trace(gateway: Running, generator: Generator, folder: Path) -> Syscalls:
    """Trace a running gateway while it is loaded.

    Raises:
        NotRunning: strace is not there or may not look at the process.
    """
    strace, output = program("strace", "strace"), folder / "strace.out"
    names = ",".join(sorted(READS | WRITES | OTHERS))
    command = [strace, "-f", "-y", "-s", "0", "-e", f"trace={names}", "-o", str(output)]
    tracer = subprocess.Popen(
        [*command, "-p", str(gateway.process.pid)], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    try:
        assert tracer.stderr is not None
        first = tracer.stderr.readline()
        if "attached" not in first:
            raise NotRunning(f"strace may not look at the gateway: {first.strip()}")
        load = generator.load(gateway.server.port, call_request(LEGACY), CONNECTIONS, SECONDS)
    finally:
        tracer.terminate()
        tracer.wait()
    log = str(Path(f"/proc/{gateway.process.pid}/fd/2").readlink())
    with output.open(encoding="utf-8", errors="replace") as lines:
        kinds = count_lines(lines, log)
    calls = max(load.requests, 1)
    averages = {name: kinds[name] / calls for name in ("reads", "writes", "log_writes", "waits", "locks")}
    return Syscalls(load.requests, **averages, errors=load.errors)


def sentence(found: Syscalls) -> str:
    """Say the counts in one line."""
    return (
        f"System calls of a tools/call (strace, {found.calls:,} calls): {found.reads:.2f} reads, {found.writes:.2f} "
        f"writes; apart from these {found.log_writes:.3f} writes to the log, {found.waits:.2f} waits, "
        f"{found.locks:.2f} locks."
    )


def main() -> int:
    """Start the gateway, trace it, print; 1 above the bound or if it cannot be traced."""
    cores = choose_cores(os.sched_getaffinity(0))
    running: list[Running] = []
    with tempfile.TemporaryDirectory(prefix="axhub-bench-") as name:
        folder = Path(name)
        try:
            field = Field(folder, (50,))
            start(field.upstream(), cores.upstream, running.append)
            gateway = start(field.gateway(50), cores.sut, running.append)
            found = trace(gateway, Generator(folder, cores.load), folder)
        except NotRunning as reason:
            print(f"The calls cannot be traced: {reason}", file=sys.stderr)
            return 1
        finally:
            for one in reversed(running):
                one.stop()
    print(sentence(found))
    if found.errors:
        print(f"The counts are not of calls: {found.errors} requests failed.", file=sys.stderr)
        return 1
    return 0 if round(found.reads, 1) <= 2 and round(found.writes, 1) <= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
