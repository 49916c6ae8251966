"""The two observers of a call behind one port."""

import io

from axhub.gateway.adapters.clock import ManualClock
from axhub.gateway.adapters.log import JsonLog
from axhub.gateway.adapters.metrics import Metrics
from axhub.gateway.adapters.observe import CallObservation
from axhub.gateway.ports import CallObserver, CallRecord, Outcome


def test_a_call_is_counted_from_its_start_and_logged_when_it_ends() -> None:
    stream, metrics = io.BytesIO(), Metrics()
    observer: CallObserver = CallObservation(metrics, JsonLog(stream.write, ManualClock()).call_ended)
    observer.call_started()
    assert (metrics.in_flight, stream.getvalue()) == (1, b"")
    observer.call_ended(CallRecord(None, Outcome.NOT_FOUND, 0.001, b"", b"", b""))
    assert metrics.in_flight == 0
    assert stream.getvalue().count(b'"event":"tool_call"') == 1
