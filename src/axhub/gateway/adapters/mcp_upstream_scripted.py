"""An MCP upstream that answers by a function, in the same process: for tests, and for trying the gateway alone."""

from collections.abc import Callable
from functools import partial

from axhub.gateway.ports import Cancel, Failure, McpAnswer, McpCall, UpstreamAnswer

CANCELLED = McpAnswer(http=UpstreamAnswer(0, {}, b"", Failure.CANCELLED))

_OnDone = Callable[[McpAnswer], None]
_OnProgress = Callable[[bytes], None]


def text_result(text: bytes) -> McpAnswer:
    """Return the result that is one text; `text` is a JSON string with its quotes."""
    return McpAnswer(result=b'{"content":[{"type":"text","text":%b}]}' % text)


class ScriptedMcpUpstream:
    """Answers calls by `answer`; None holds a call back until `finish` or its cancellation."""

    def __init__(self, answer: Callable[[McpCall], McpAnswer | None]) -> None:
        """`answer` is called once a call, in the order of the calls."""
        self.calls: list[McpCall] = []
        self.cancelled = 0
        self._answer = answer
        self._held: list[tuple[_OnDone, _OnProgress | None]] = []

    def call(self, call: McpCall, on_done: _OnDone, on_progress: _OnProgress | None) -> Cancel:
        """Take a call."""
        self.calls.append(call)
        answer = self._answer(call)
        if answer is not None:
            on_done(answer)
            return _nothing
        held = (on_done, on_progress)
        self._held.append(held)
        return partial(self._cancel, held)

    def progress(self, params: bytes) -> None:
        """Tell the oldest held call's caller how far it is, if that wants to know: members with a comma before each."""
        on_progress = self._held[0][1]
        if on_progress is not None:
            on_progress(params)

    def finish(self, answer: McpAnswer) -> None:
        """Answer the oldest call that is held back."""
        self._held.pop(0)[0](answer)

    @property
    def held(self) -> int:
        """How many calls are held back."""
        return len(self._held)

    def _cancel(self, held: tuple[_OnDone, _OnProgress | None]) -> None:
        if held in self._held:
            self._held.remove(held)
            self.cancelled += 1
            held[0](CANCELLED)


def _nothing() -> None:
    """Cancel what has ended: nothing to do."""
