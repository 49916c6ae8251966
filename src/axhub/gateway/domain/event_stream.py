"""Server-sent events out of the pieces of a body, without any I/O (WHATWG HTML, section 9.2.6).

Only data matters here: what an event is called, its id and the time to reconnect say nothing in MCP.
"""

import math
import re
from typing import Final

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_BOM: Final = b"\xef\xbb\xbf"
_DATA: Final = b"data"


class EventReader:
    """Takes pieces and gives the data of each event that is whole; how the stream is cut changes nothing."""

    __slots__ = ("_after_return", "_began", "_data", "_left", "_line", "_max_bytes", "_size", "too_large")

    def __init__(self, max_bytes: int, max_total: float = math.inf) -> None:
        """`max_bytes` bounds the lines of one event, and each line by itself; `max_total` the stream, comments too."""
        self._max_bytes = max_bytes
        self._left = max_total
        self.too_large = False
        """Whether an event, or the stream, was over its bound: nothing is read from there on."""
        self._line = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._began = False
        self._after_return = False  # the piece before ended with CR: a LF that follows ends no other line

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the data of the events that `piece` completes, in order; an event without data is none."""
        events: list[bytes] = []
        if self.too_large or not piece:
            return events
        self._left -= len(piece)
        if self._left < 0:
            self.too_large = True
            return events
        if self._after_return:
            piece = piece.removeprefix(b"\n")
        self._after_return = piece.endswith(b"\r")
        *lines, rest = _LINE_END.split(piece)
        for line in lines:
            whole = bytes(self._line + line) if self._line else line
            self._line.clear()
            if not self._take(whole, events):
                self.too_large = True
                return events
        self._line += rest
        self.too_large = self._size + len(self._line) > self._max_bytes
        return events

    def _take(self, line: bytes, events: list[bytes]) -> bool:
        """Take a line; False if it is too much."""
        if self._size + len(line) > self._max_bytes:
            return False
        if not self._began:
            self._began = True
            line = line.removeprefix(_BOM)
        if not line:
            if self._data:
                events.append(b"\n".join(self._data))
            self._data, self._size = [], 0
            return True
        name, _, value = line.partition(b":")
        if name == _DATA:
            self._data.append(value.removeprefix(b" "))
            self._size += len(line)  # with the name: lines without a value take room, too
        return True
