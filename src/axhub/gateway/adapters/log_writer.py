"""Carries finished log lines to a file descriptor without ever making the one who logs wait (fault/F24).

Lines go into a bounded buffer; one daemon thread writes them out in batches. Each counter has one writer, and list
operations are atomic, so the hot side takes no lock and wakes nobody: the thread looks every `interval` seconds.
"""

import os
import select
import threading
from collections.abc import Callable
from typing import Final

MAX_BUFFERED_BYTES: Final = 8 * 1024 * 1024
INTERVAL_SECONDS: Final = 0.05
_BATCH_LINES: Final = 256
"""About as much as a pipe holds: more would only wait in memory."""
_NOTHING: Final = memoryview(b"")
_PIPE_SECONDS: Final = 1.0
"""How long to wait for room in a pipe that somebody else made non-blocking, before looking at the rest again."""


class LineWriter:
    """A bounded buffer of lines and the thread that empties it.

    `write` belongs to one thread, the event loop's. A write that fails (disk full, reader gone, pipe full) is tried
    again from the byte where it stopped, so no line is cut; meanwhile lines pile up to `max_bytes` and are then
    dropped and counted.
    """

    def __init__(self, fd: int, *, max_bytes: int = MAX_BUFFERED_BYTES, interval: float = INTERVAL_SECONDS) -> None:
        self._fd = fd
        self._max_bytes = max_bytes
        self._interval = interval
        self._lines: list[bytes] = []
        self._rest = _NOTHING
        self._bytes_in = 0
        self._bytes_out = 0
        self._dropped = 0
        self._reported = 0
        self.failures = 0
        """Writes that failed and were tried again later."""
        self._report: Callable[[int], bytes]  # set before the thread starts
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="log-writer", daemon=True)

    def start(self, report: Callable[[int], bytes]) -> None:
        """Begin to write; `report` renders the line that says how many lines were dropped."""
        self._report = report
        self._thread.start()

    def write(self, line: bytes) -> None:
        """Take one line, its newline included, or count it as dropped; never blocks, never raises."""
        if self._bytes_in - self._bytes_out >= self._max_bytes:
            self._dropped += 1
            return
        self._lines.append(line)
        self._bytes_in += len(line)

    @property
    def dropped(self) -> int:
        """Lines dropped since the start, for the metrics."""
        return self._dropped

    def close(self, seconds: float = 2.0) -> bool:
        """Write what is left for at most that many seconds; say whether all of it is out."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return self._bytes_in == self._bytes_out

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            self._flush()
        self._flush()

    def _flush(self) -> None:
        """Write what is there now, then say what was dropped behind it; new lines wait for the next round."""
        present = len(self._lines)
        while self._write_rest() and present > 0:
            batch = self._lines[: min(present, _BATCH_LINES)]
            del self._lines[: len(batch)]
            present -= len(batch)
            self._rest = memoryview(b"".join(batch))
        if not self._rest:
            self._report_dropped()

    def _write_rest(self) -> bool:
        while self._rest:
            try:
                written = os.write(self._fd, self._rest)
            except BlockingIOError:  # somebody shares the pipe and made it non-blocking
                if not select.select((), (self._fd,), (), _PIPE_SECONDS)[1]:
                    return False
            except OSError:
                self.failures += 1
                return False
            else:
                self._rest = self._rest[written:]
                self._bytes_out += written
        self._rest = _NOTHING  # an empty slice would hold on to its batch
        return True

    def _report_dropped(self) -> None:
        dropped = self._dropped
        if dropped == self._reported:
            return
        line = self._report(dropped - self._reported)
        self._reported = dropped
        self._bytes_out -= len(line)  # it never was in the buffer
        self._rest = memoryview(line)
        self._write_rest()
