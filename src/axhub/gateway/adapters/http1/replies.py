"""Answers as bytes: a head is rendered once a second, since it carries the date, and found again by identity."""

from dataclasses import dataclass, field
from email.utils import format_datetime
from http import HTTPStatus
from typing import Final

from axhub.gateway.ports import Clock, ReplyHead

CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
WITHOUT_BODY: Final = frozenset({204, 304})
"""Statuses whose answers end with their head (RFC 9110 section 6.4.1)."""
_MOST_HEADS: Final = 512
"""A core that makes a head for each answer loses the gain, not the memory."""
_LENGTH: Final = b"Content-Length: "
_REASONS: Final = {status.value: status.phrase.encode() for status in HTTPStatus}


@dataclass(slots=True, eq=False)
class Replies:
    """Renders heads; one for all connections of a server."""

    clock: Clock
    _rendered: dict[ReplyHead, bytes] = field(default_factory=dict)  # of connections that go on
    _date: bytes = b""
    _renew_at: float = float("-inf")

    def start(self, head: ReplyHead, close: bool, now: float) -> bytes:
        """Return the head up to `Content-Length: `, or with its empty line if the status has no body."""
        if now >= self._renew_at:
            moment = self.clock.now()
            self._renew_at = now + 1.0 - moment.microsecond / 1e6
            self._date = format_datetime(moment, usegmt=True).encode()  # whatever the locale (RFC 9110 section 5.6.7)
            self._rendered.clear()
        start = None if close else self._rendered.get(head)
        if start is None:
            start = self._render(head, close)
            if not close and len(self._rendered) < _MOST_HEADS:
                self._rendered[head] = start
        return start

    def _render(self, head: ReplyHead, close: bool) -> bytes:
        lines = [b"HTTP/1.1 %d %b" % (head.status, _REASONS.get(head.status, b"")), b"Date: " + self._date]
        lines += [b"%b: %b" % header for header in head.headers]
        if close:
            lines.append(b"Connection: close")
        lines.append(b"\r\n" if head.status in WITHOUT_BODY else _LENGTH)
        return b"\r\n".join(lines)


def of_unknown_length(start: bytes, chunked: bool) -> bytes:
    """Return a whole head from its `start` for a body in chunks, or one that ends with the connection (RFC 9112)."""
    return start.removesuffix(_LENGTH) + (b"Transfer-Encoding: chunked\r\n\r\n" if chunked else b"\r\n")


def chunk(piece: bytes, more: bool) -> bytes:
    """Return a piece of a body in the chunked transfer coding; an empty one must not end it (RFC 9112 section 7.1)."""
    data = b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""
    return data if more else data + b"0\r\n\r\n"
