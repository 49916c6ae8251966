"""Answers as bytes: a head is rendered once a second, since it carries the date, and found again by identity."""

from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Final

from axhub.gateway.ports import Clock, ReplyHead

CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
WITHOUT_BODY: Final = frozenset({204, 304})
"""Statuses whose answers end with their head (RFC 9110 section 6.4.1)."""
_MOST_HEADS: Final = 512
"""A core that makes a head for each answer loses the gain, not the memory."""
_REASONS: Final = {status.value: status.phrase.encode() for status in HTTPStatus}
_DAYS: Final = b"Mon Tue Wed Thu Fri Sat Sun".split()
_MONTHS: Final = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@dataclass(slots=True, eq=False)
class Replies:
    """Renders heads; one for all connections of a server."""

    clock: Clock
    _going_on: dict[ReplyHead, bytes] = field(default_factory=dict)
    _closing: dict[ReplyHead, bytes] = field(default_factory=dict)
    _date: bytes = b""
    _renew_at: float = float("-inf")

    def start(self, head: ReplyHead, close: bool, now: float) -> bytes:
        """Return the head up to `Content-Length: `, or with its empty line if the status has no body."""
        if now >= self._renew_at:
            self._renew(now)
        rendered = self._closing if close else self._going_on
        start = rendered.get(head)
        if start is None:
            if len(rendered) >= _MOST_HEADS:
                rendered.clear()
            start = rendered[head] = self._render(head, close)
        return start

    def _renew(self, now: float) -> None:
        moment = self.clock.now()
        self._renew_at = now + 1.0 - moment.microsecond / 1e6
        self._date = imf_fixdate(moment)
        self._going_on.clear()
        self._closing.clear()

    def _render(self, head: ReplyHead, close: bool) -> bytes:
        lines = [b"HTTP/1.1 %d %b" % (head.status, _REASONS.get(head.status, b"")), b"Date: " + self._date]
        lines += [b"%b: %b" % header for header in head.headers]
        if close:
            lines.append(b"Connection: close")
        lines.append(b"\r\n" if head.status in WITHOUT_BODY else b"Content-Length: ")
        return b"\r\n".join(lines)


def imf_fixdate(moment: datetime) -> bytes:
    """Return a moment in UTC as HTTP writes dates, whatever the locale (RFC 9110 section 5.6.7, IMF-fixdate)."""
    year, month, day, hour, minute, second, weekday, *_ = moment.timetuple()
    day_name, month_name = _DAYS[weekday], _MONTHS[month - 1]
    return b"%b, %02d %b %04d %02d:%02d:%02d GMT" % (day_name, day, month_name, year, hour, minute, second)
