"""Runs wrk against a system and reads what the system used meanwhile."""

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from bench.compare import Round
from bench.inputs import Request
from bench.processes import cpu_seconds, pinned, process_tree, resident_megabytes
from bench.servers import NotRunning, Running, fetch, program

SCRIPT = Path(__file__).resolve().parent / "load.lua"
CALLS_COUNTED = ("axhub_tool_calls_total{", "axhub_service_tool_calls_total{")
SIZE_SLACK = 4
"""Bytes by which an average answer may be smaller than the one that was checked: digits of a time, no more."""


class Load(NamedTuple):
    """What wrk counted."""

    requests: int
    microseconds: int
    bytes: int
    p50: int
    p99: int
    errors: int


def parse_load(output: str) -> Load:
    """Read the line that `load.lua` prints.

    Raises:
        NotRunning: it is not there, so wrk did not run to its end.
    """
    found = re.search(r"^RESULT (\{.*\})$", output, re.MULTILINE)
    if found is None:
        raise NotRunning(f"wrk gave no result: {output.strip()[-300:]}")
    return Load(**json.loads(found[1]))


class Generator:
    """wrk on its own core; its request files lie in the run's folder."""

    def __init__(self, folder: Path, core: int) -> None:
        self._wrk = program("wrk", "wrk")
        self._folder = folder
        self._core = core

    def load(self, port: int, request: Request, connections: int, seconds: int) -> Load:
        """Repeat one request on that many connections for that many seconds (wrk takes whole ones only)."""
        body, headers = self._folder / "request.body", self._folder / "request.headers"
        body.write_bytes(request.body)
        headers.write_text("".join(f"{k}: {v}\n" for k, v in request.headers.items()), encoding="utf-8")
        command = [self._wrk, "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", str(SCRIPT)]
        environment = os.environ | {"BODY": str(body) if request.body else "", "HEADERS": str(headers)}
        environment["FRESH"] = request.fresh
        with pinned(self._core):
            done = subprocess.run(
                [*command, f"http://127.0.0.1:{port}{request.path}"],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=seconds + 60,
            )
        return parse_load(done.stdout + done.stderr)


def measure(
    generator: Generator, running: Running, request: Request, connections: int, seconds: int, size: int
) -> Round:
    """Load a system and return what one request cost; `size` is the bytes of the right answer."""
    pids = process_tree(running.process.pid)
    cpu, clock = cpu_seconds(pids), time.perf_counter()
    try:
        load = generator.load(running.server.port, request, connections, seconds)
    except NotRunning:  # it died under load: that shows as a round of nothing but an error
        load = Load(requests=0, microseconds=seconds * 1_000_000, bytes=0, p50=0, p99=0, errors=1)
    cpu, clock = cpu_seconds(pids) - cpu, time.perf_counter() - clock
    return summarise(load, cpu, clock, resident_megabytes(pids), size)


def calls_in_metrics(running: Running) -> float:
    """Return how many calls a system says it has counted; 0 if it serves no metrics."""
    try:
        answer = fetch(running.server.management_port, Request("/actuator/prometheus"))
    except OSError:
        return 0
    return count_calls(answer.body.decode()) if answer.status == 200 else 0


def count_calls(metrics: str) -> float:
    """Add up `axhub_tool_calls_total`, or that of a Tool Service, over its labels."""
    lines = [line for line in metrics.splitlines() if line.startswith(CALLS_COUNTED)]
    return sum(float(line.rpartition(" ")[2]) for line in lines)


def summarise(load: Load, cpu: float, elapsed: float, resident: float, size: int) -> Round:
    """Turn totals into figures for one request; `cpu` and `elapsed` are seconds."""
    requests = max(load.requests, 1)
    wrong = load.requests if load.bytes / requests < size - SIZE_SLACK else 0
    return Round(
        requests=load.requests,
        rate=load.requests / max(load.microseconds / 1e6, 1e-9),
        p50=load.p50,
        p99=load.p99,
        cpu=cpu * 1e6 / requests,
        busy=cpu / elapsed,
        resident=resident,
        errors=max(load.errors, wrong),
    )
