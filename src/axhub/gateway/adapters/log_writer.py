"""Carries finished log lines to a file descriptor without ever making the one who logs wait (fault/F24).

Lines go into one bounded buffer; one daemon thread writes it out from its front. What either side does to the buffer is
one operation, atomic under the interpreter's lock, so the hot side takes no lock of ours and wakes nobody: the thread
looks every `interval` seconds. A buffer of bytes, since a list would keep every line's own memory for so long.
"""

import os
import select
import threading
from collections.abc import Callable
from typing import Final

MAX_BUFFERED_BYTES: Final = 8 * 1024 * 1024
INTERVAL_SECONDS: Final = 0.02
_PIECE_BYTES: Final = 64 * 1024
"""About as much as a pipe holds: more would only wait in memory."""
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
        self._buffer = bytearray()
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
        buffer = self._buffer
        if len(buffer) < self._max_bytes:
            buffer += line
        else:
            self._dropped += 1

    @property
    def dropped(self) -> int:
        """Lines dropped since the start, for the metrics."""
        return self._dropped

    def close(self, seconds: float = 2.0) -> bool:
        """Write what is left for at most that many seconds; say whether all of it is out."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._buffer

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            self._flush()
        self._flush()

    def _flush(self) -> None:
        """Write what is there now, then say what was dropped behind it; new lines wait for the next round."""
        if self._write_out(len(self._buffer)) and (dropped := self._dropped) != self._reported:
            line = self._report(dropped - self._reported)
            self._reported = dropped
            self._buffer += line
            self._write_out(len(self._buffer))

    def _write_out(self, size: int) -> bool:
        """Write so many bytes; say whether that went well."""
        while size > 0:
            try:
                written = os.write(self._fd, self._buffer[: min(size, _PIECE_BYTES)])
            except BlockingIOError:  # somebody shares the pipe and made it non-blocking
                if not select.select((), (self._fd,), (), _PIPE_SECONDS)[1]:
                    return False
            except OSError:
                self.failures += 1
                return False
            else:
                del self._buffer[:written]
                size -= written
        return True
