"""One observer of calls out of two: the metrics count, the log writes its line (gateway/M3, chapter Logs)."""

from collections.abc import Callable

from axhub.gateway.ports import CallObserver, CallRecord


class CallObservation:
    """A `CallObserver` that counts a call with `metrics` and then hands it to `log`; keeps nothing of it."""

    def __init__(self, metrics: CallObserver, log: Callable[[CallRecord], None]) -> None:
        self.call_started = metrics.call_started
        self._count = metrics.call_ended
        self._log = log

    def call_ended(self, record: CallRecord) -> None:
        """Count a call that had been started, then log it."""
        self._count(record)
        self._log(record)
