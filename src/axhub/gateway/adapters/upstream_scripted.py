"""An upstream without a network: answers from a script; for tests and for trying the core (passes tests/ports)."""

from collections.abc import Callable
from functools import partial

from axhub.contract.media import media_type
from axhub.gateway.domain.event_stream import EventReader
from axhub.gateway.ports import Cancel, Failure, UpstreamAnswer, UpstreamRequest

_SUCCESS = range(200, 300)
CANCELLED = UpstreamAnswer(0, {}, b"", Failure.CANCELLED)
_OnDone = Callable[[UpstreamAnswer], None]


def ok(body: bytes) -> UpstreamAnswer:
    """Return a 200 with this body."""
    return UpstreamAnswer(200, {b"content-type": b"application/json"}, body)


class ScriptedUpstream:
    """Keeps every request and answers it when told to, or at once from `answer`."""

    def __init__(self, answer: Callable[[UpstreamRequest], UpstreamAnswer | None]) -> None:
        """`answer` returns what to answer at once, or None to hold the request until `finish`."""
        self.requests: list[UpstreamRequest] = []
        self.cancelled = 0
        self._answer = answer
        self._held: list[_OnDone] = []

    def send(
        self, request: UpstreamRequest, on_done: _OnDone, on_event: Callable[[bytes], bool] | None = None
    ) -> Cancel:
        """Take a request; an answer that is an event stream is told event by event, if that is wanted."""
        self.requests.append(request)
        answer = self._answer(request)
        if answer is not None:
            on_done(answer if on_event is None else _told(answer, on_event))
            return _nothing
        self._held.append(on_done)
        return partial(self._cancel, on_done)

    @property
    def held(self) -> int:
        """Requests that wait for `finish`."""
        return len(self._held)

    def finish(self, answer: UpstreamAnswer) -> None:
        """Answer the request that has waited longest."""
        self._held.pop(0)(answer)

    def _cancel(self, on_done: _OnDone) -> None:
        if on_done in self._held:
            self._held.remove(on_done)
            self.cancelled += 1
            on_done(CANCELLED)


def _told(answer: UpstreamAnswer, on_event: Callable[[bytes], bool]) -> UpstreamAnswer:
    kind = media_type(answer.headers.get(b"content-type", b""))
    if answer.status not in _SUCCESS or kind is None or kind.name != b"text/event-stream":
        return answer
    for data in EventReader(len(answer.body)).feed(answer.body):
        if on_event(data):
            break
    return UpstreamAnswer(answer.status, answer.headers, b"")


def _nothing() -> None:
    """Cancel what has ended: nothing to do."""
