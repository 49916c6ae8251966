"""Where and when the event stream of a call is taken up again that ended before the response (gateway/P11).

Pure. Servers of the handshake era may close a connection on purpose and let the client ask for the rest by GET with
`Last-Event-ID` (MCP 2025-11-25, resumability and polling). The call itself is never sent again for that.
"""

import re
from dataclasses import dataclass
from typing import Final

from axhub.gateway.adapters.mcp_client.answers import OK, is_encoded, is_event_stream
from axhub.gateway.domain.event_stream import Marked
from axhub.gateway.ports import Failure, UpstreamAnswer

MOST_FRUITLESS: Final = 64
"""How often in a row the stream of one call is taken up again without anything new; the call's time bounds the rest."""
_USUAL_SECONDS: Final = 1.0
"""How long to wait where the server does not say it: as the official clients do."""
_LEAST_SECONDS, _LEAST_SECONDS_IN_VAIN = 0.1, 1.0
"""No server is asked more often, even if it wants to be. The first doubles up to the second while it brings nothing."""
_EVENT_ID: Final = re.compile(rb"[!-~\x80-\xff](?:[ -~\x80-\xff]{0,1022}[!-~\x80-\xff])?")
"""What comes back from a header as it went in."""
_ENDINGS: Final = frozenset({Failure.TIMEOUT, Failure.TOO_LARGE, Failure.CANCELLED})


@dataclass(slots=True)
class Resuming:
    """What is known of the stream of one call."""

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

        `http` is what came of the request before, `left` the seconds that the call has. A server that waits for
        longer than that is not asked earlier than it wants.
        """
        self.fruitless = 0 if self.news or not self.times else self.fruitless + 1
        least = min(_LEAST_SECONDS * (1 << self.fruitless), _LEAST_SECONDS_IN_VAIN)
        seconds = max(self.seconds, least)
        if not _EVENT_ID.fullmatch(self.event_id) or self.fruitless >= MOST_FRUITLESS or seconds >= left:
            return None
        ended = http.failure is None and http.status in OK and is_event_stream(http) and not is_encoded(http)
        broken = http.failure is Failure.UNREACHABLE and self.heard
        full = http.failure is Failure.BUSY and self.times > 0  # the bundle's places are taken, the server is well
        if not (ended or broken or full):
            return None
        self.times += 1
        self.heard = self.news = False
        return seconds


def without_rest(http: UpstreamAnswer) -> UpstreamAnswer:
    """Return what an answer to a request for the rest means for the call: it was sent, and nobody knows what it did."""
    failure = http.failure if http.failure in _ENDINGS else Failure.UNREACHABLE
    return UpstreamAnswer(0, {}, b"", failure)
