"""An upstream without a network: answers from a script; for tests and for trying the core (passes tests/ports)."""

from collections.abc import Callable
from functools import partial

from axhub.gateway.ports import Cancel, Failure, UpstreamAnswer, UpstreamRequest

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

    def send(self, request: UpstreamRequest, on_done: _OnDone) -> Cancel:
        """Take a request."""
        self.requests.append(request)
        answer = self._answer(request)
        if answer is not None:
            on_done(answer)
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


def _nothing() -> None:
    """Cancel what has ended: nothing to do."""
