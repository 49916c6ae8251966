"""Server-sent events out of the pieces of a body, without any I/O (WHATWG HTML, section 9.2.6).

What an event is called says nothing in MCP. Its id and the time to reconnect do, where they stand: they say how a
stream that was broken off goes on (MCP 2025-11-25, resumability).
"""

import math
from typing import Final

_BOM: Final = b"\xef\xbb\xbf"
_FIELDS: Final = b"dir"
"""How the names of fields begin that say something: data, id, retry."""
_NUL: Final = 0  # as a number: to look for bytes takes three times as long
_RETRY_DIGITS: Final = 12
_LONGEST_RETRY: Final = 10**_RETRY_DIGITS
_TELL_BYTES: Final = 4096
"""After how many bytes it is told that they came, if nothing else is marked."""


class Marked(bytes):
    """The data of an event, perhaps none, with what its piece of the stream said about going on after it."""

    id: bytes | None
    """After which event the stream may be taken up again, if that was said; empty: after none."""
    retry_millis: int | None
    """How long to wait before that, if that was said."""
    size: int
    """How many bytes of the stream came since the last one that was marked, of whatever kind."""
    most: float
    """How many bytes the whole stream may have."""


class EventReader:
    """Takes pieces and gives the data of each event that is whole; how the stream is cut changes nothing."""

    __slots__ = (
        "_after_return", "_began", "_data", "_event_begun", "_id", "_left", "_line", "_max_bytes", "_max_total",
        "_size", "_untold_bytes", "_untold_id", "_untold_retry", "too_large",
    )  # fmt: skip

    def __init__(self, max_bytes: int, max_total: float = math.inf) -> None:
        """`max_bytes` bounds the lines of one event, and each line by itself; `max_total` the stream, comments too."""
        self._max_bytes = max_bytes
        self._max_total = self._left = max_total
        self._untold_bytes = 0
        self.too_large = False
        """Whether an event, or the stream, was over its bound: nothing is read from there on."""
        self._line = bytearray()
        self._data: list[bytes] = []
        self._id: bytes | None = None  # of the event that is being read
        self._size = 0
        self._event_begun = True  # the next empty line means something
        self._untold_id: bytes | None = None  # of the last event that is whole
        self._untold_retry: int | None = None
        self._began = False
        self._after_return = False  # the piece before ended with CR: a LF that follows ends no other line

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the data of the events that `piece` completes, in order; an event without data is none.

        If the piece has an id or a time to reconnect, the last of each is `Marked` on the last event; where there is
        none, on empty data. So a flood of them costs no more than other lines. Where none came for
        4 KiB, empty data are `Marked` with nothing but their size.
        """
        events: list[bytes] = []
        if self.too_large or not piece:
            return events
        self._left -= len(piece)
        self._untold_bytes += len(piece)
        if self._left < 0:
            self.too_large = True
            return events
        if self._after_return:
            piece = piece.removeprefix(b"\n")
        self._after_return = piece.endswith(b"\r")
        if not self._take(self._lines(piece), events) or self._size + len(self._line) > self._max_bytes:
            self.too_large = True
        elif self._untold_id is not None or self._untold_retry is not None:
            events.append(self._marked(events.pop() if events else b""))
        elif self._untold_bytes >= _TELL_BYTES:
            events.append(self._marked(b""))
        return events

    def _lines(self, piece: bytes) -> list[bytes]:
        """Return the lines that a piece completes, and keep the rest of it."""
        lines = piece.splitlines()  # of bytes: at CR, LF and both, and at nothing else
        rest = b"" if piece.endswith((b"\n", b"\r")) or not lines else lines.pop()
        if lines and self._line:
            lines[0] = bytes(self._line + lines[0])
            self._line.clear()
        self._line += rest
        return lines

    def _take(self, lines: list[bytes], events: list[bytes]) -> bool:
        """Take whole lines; False if one is too much. A piece may have a hundred thousand: few of them cost a call."""
        if lines and not self._began:
            self._began = True
            self._size = len(_BOM) if lines[0].startswith(_BOM) else 0
            lines[0] = lines[0].removeprefix(_BOM)
        for line in lines:
            if self._size + len(line) > self._max_bytes:
                return False
            if self._event_begun and not line:
                self._end(events)
            elif line and line[0] in _FIELDS:
                name, _, value = line.partition(b":")
                if name == b"data":
                    self._data.append(value.removeprefix(b" "))
                    self._size += len(line)  # with the name: lines without a value take room, too
                    self._event_begun = True
                elif name == b"id" and _NUL not in value:
                    self._id, self._event_begun = value, True
                else:
                    self._take_retry(name, value.removeprefix(b" "))
        return True

    def _take_retry(self, name: bytes, value: bytes) -> None:
        if name == b"retry" and value.isdigit():
            self._untold_retry = int(value) if len(value) <= _RETRY_DIGITS else _LONGEST_RETRY

    def _end(self, events: list[bytes]) -> None:
        """End an event; its id counts even if it has no data."""
        if self._id is not None:
            self._untold_id, self._id = self._id.removeprefix(b" "), None
        if self._data:
            events.append(b"\n".join(self._data))
            self._data = []
        self._size, self._event_begun = 0, False

    def _marked(self, data: bytes) -> Marked:
        marked = Marked(data)
        marked.id, marked.retry_millis = self._untold_id, self._untold_retry
        marked.size, marked.most = self._untold_bytes, self._max_total
        self._untold_id = self._untold_retry = None
        self._untold_bytes = 0
        return marked
