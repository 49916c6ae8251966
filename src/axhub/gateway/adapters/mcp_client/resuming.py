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

MOST_TIMES: Final = 64
"""How often the stream of one call is taken up again: enough for a server that lets its clients poll."""
_USUAL_SECONDS: Final = 1.0
"""How long to wait where the server does not say it: as the official clients do."""
_LEAST_SECONDS: Final = 0.1
"""No server is asked more often, even if it wants to be."""
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
    heard: bool = False
    """Whether an event came since it was asked for the last time."""

    def note(self, event: Marked) -> None:
        """Remember what an event says of the time after it."""
        if event.id is not None:
            self.event_id = event.id
        if event.retry_millis is not None:
            self.seconds = max(event.retry_millis / 1000, _LEAST_SECONDS)

    def pause(self, http: UpstreamAnswer, left: float) -> float | None:
        """Return how many seconds to wait before the rest is asked for, None if it is not asked for.

        `http` is what came of the request before, `left` the seconds that the call has. A server that waits for
        longer than that is not asked earlier than it wants.
        """
        if not _EVENT_ID.fullmatch(self.event_id) or self.times >= MOST_TIMES or self.seconds >= left:
            return None
        ended = http.failure is None and http.status in OK and is_event_stream(http) and not is_encoded(http)
        broken = http.failure is Failure.UNREACHABLE and self.heard
        full = http.failure is Failure.BUSY and self.times > 0  # the bundle's places are taken, the server is well
        return self.seconds if ended or broken or full else None


def without_rest(http: UpstreamAnswer) -> UpstreamAnswer:
    """Return what an answer to a request for the rest means for the call: it was sent, and nobody knows what it did."""
    failure = http.failure if http.failure in _ENDINGS else Failure.UNREACHABLE
    return UpstreamAnswer(0, {}, b"", failure)
