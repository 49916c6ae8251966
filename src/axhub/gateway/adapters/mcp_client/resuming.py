"""Where and when the event stream of a request is taken up again that ended before the response (gateway/P11).

Pure. Servers of the handshake era may close a connection on purpose and let the client ask for the rest by GET with
`Last-Event-ID` (MCP 2025-11-25, resumability and polling). The request itself, mostly a call, is never sent again for
that.
"""

import re
from dataclasses import dataclass
from typing import Final

from axhub.gateway.adapters.mcp_client.answers import OK, is_encoded, is_event_stream
from axhub.gateway.domain.event_stream import Marked
from axhub.gateway.ports import Failure, UpstreamAnswer

MOST_FRUITLESS: Final = 64
"""How often in a row a stream is taken up again without anything new; the time of the request bounds the rest."""
_USUAL_SECONDS: Final = 1.0
"""How long to wait where the server does not say it: as the official clients do."""
_LEAST_SECONDS, _LEAST_SECONDS_IN_VAIN = 0.1, 1.0
"""No server is asked more often, even if it wants to be. The first doubles up to the second while it brings nothing."""
_EVENT_ID: Final = re.compile(rb"[!-~\x80-\xff](?:[ -~\x80-\xff]{0,1022}[!-~\x80-\xff])?")
"""What comes back from a header as it went in."""
_ENDINGS: Final = {
    Failure.TIMEOUT: Failure.TIMEOUT,
    Failure.BUSY: Failure.TIMEOUT,  # it was tried until then
    Failure.TOO_LARGE: Failure.TOO_LARGE,
    Failure.CANCELLED: Failure.CANCELLED,
}


@dataclass(slots=True)
class Resuming:
    """What is known of the stream that answers one request."""

    event_id: bytes = b""
    """The last one; empty if there is none."""
    seconds: float = _USUAL_SECONDS
    times: int = 0
    """How often it was taken up again."""
    fruitless: int = 0
    """How often in a row that brought neither a new id nor data."""
    heard: bool = False
    """Whether an id or data came since it was asked for the last time: only so is a connection known that broke."""
    news: bool = False
    """Whether that was a new id, or data."""
    taken: int = 0
    """How many bytes came, of all streams together."""
    too_large: bool = False
    """Whether these are more than one stream may have."""
    crowded_seconds: float = _LEAST_SECONDS
    """How long to wait where there is no place to ask from; doubles up to a second while that stays so."""

    def note(self, event: Marked) -> None:
        """Remember what an event says of the time after it, and how much came up to it."""
        if event.id is not None:
            self.heard = True
            self.news |= event.id != self.event_id
            self.event_id = event.id
        if event.retry_millis is not None:
            self.seconds = event.retry_millis / 1000
        self.taken += event.size
        self.too_large = self.taken > event.most

    def take_data(self) -> None:
        """Take note that data came."""
        self.heard = self.news = True

    def next_pause(self, http: UpstreamAnswer, left: float) -> float | None:
        """Return how many seconds to wait before the rest is asked for, None if it is not asked for.

        `http` is what came of the request before, `left` the seconds that the request has. A server that waits for
        longer than that is not asked earlier than it wants. Where only the bundle had no place to ask from, the
        server was not asked: that is tried again as long as there is time, and counts as nothing.
        """
        if http.failure is Failure.BUSY and self.times:
            seconds, self.crowded_seconds = self.crowded_seconds, min(self.crowded_seconds * 2, _LEAST_SECONDS_IN_VAIN)
            return min(seconds, left) if left > 0 else None
        self.crowded_seconds = _LEAST_SECONDS
        self.fruitless = 0 if self.news or not self.times else self.fruitless + 1
        least = min(_LEAST_SECONDS * (1 << self.fruitless), _LEAST_SECONDS_IN_VAIN)
        seconds = max(self.seconds, least)
        if not _EVENT_ID.fullmatch(self.event_id) or self.fruitless >= MOST_FRUITLESS or seconds >= left:
            return None
        ended = http.failure is None and http.status in OK and is_event_stream(http) and not is_encoded(http)
        broken = http.failure is Failure.UNREACHABLE and self.heard
        if not (ended or broken):
            return None
        self.times += 1
        self.heard = self.news = False
        return seconds


def noted(resuming: Resuming | None, data: bytes) -> Resuming | None:
    """Return what is known of a stream after one more event; None until one said how it goes on if it breaks off."""
    if type(data) is Marked:
        resuming = resuming or Resuming()
        resuming.note(data)
    if data and resuming is not None:
        resuming.take_data()
    return resuming


def without_rest(http: UpstreamAnswer) -> UpstreamAnswer:
    """Return what an answer to a request for the rest means for the first one: it was sent, to what end is unknown."""
    failure = Failure.UNREACHABLE if http.failure is None else _ENDINGS.get(http.failure, Failure.UNREACHABLE)
    return UpstreamAnswer(0, {}, b"", failure, detail="no rest of an answer that was broken off")
