"""What a scrape costs the process that serves calls (decision record 0002), measured in a process of its own."""

import json
import subprocess
import sys

import pytest

MEASURE = """
import json, sys
from datetime import UTC, datetime
from time import process_time

from axhub.gateway.adapters.metrics import BUCKETS, Metrics
from axhub.gateway.domain.bundle import declared
from axhub.gateway.ports import CallRecord, Outcome

def resident():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

metrics = Metrics()
metrics.bind(f"insurance_claim_search_{number:03}" for number in range(200))
for tool, _ in list(metrics.tools()):
    for seconds in BUCKETS:
        metrics.call_ended(CallRecord(tool, Outcome.OK, seconds, b"", b"", b""))
bundles = [declared(f"bundle-{number}", True, 0.0) for number in range(10)]
before = resident()

from axhub.gateway.adapters.exposition.render import render
from axhub.gateway.adapters.exposition.sources import GaugeSources
from axhub.gateway.adapters.process_use import ProcFiles

gauges = GaugeSources(
    version="1", now=lambda: datetime.now(UTC), ready=lambda: True, bundles=lambda: bundles, snapshot=lambda: None,
    snapshot_stale=lambda: False, pools=dict, connections=lambda: 3, process=ProcFiles().read,
    calls_in_flight=lambda: 1, subscriptions=lambda: 2, log_lines_dropped=lambda: 0,
)
times, size = [], 0
for _ in range(30):
    start = process_time()
    size = len(render(metrics, gauges))
    times.append(process_time() - start)
json.dump({"kilobytes": resident() - before, "milliseconds": min(times) * 1000, "bytes": size}, sys.stdout)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read from /proc")
def test_two_hundred_called_tools_cost_no_lasting_memory_and_hold_the_event_loop_for_milliseconds() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True)
    cost = json.loads(done.stdout)
    assert cost["bytes"] > 250_000  # all the series were there
    assert cost["kilobytes"] <= 1536
    assert cost["milliseconds"] <= 8  # about 1.5 alone; the rest is for coverage and a busy machine
