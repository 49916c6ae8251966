"""A conversation as every provider takes it: each call id once, with one result, and arguments that are objects.

The stored history holds what the model wrote. Two calls of one id, an id used again in a later turn, or arguments that
are no JSON are things that the loop has answered with an error; sent back as they are, they would have the provider
refuse the whole conversation.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final

from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    CallResult,
    Message,
    ResultKind,
    ResultsMessage,
)

__all__ = ["arguments_of", "as_sent"]

_ILLEGAL: Final = re.compile(r"[^A-Za-z0-9_-]")
_NO_RESULT: Final = "There is no result."
_NOT_JSON: Final = "unreadable_arguments"
"""Member with the text of arguments that are no JSON object."""


def as_sent(messages: Sequence[Message], *, any_id: bool) -> tuple[Message, ...]:
    """Return the messages to send.

    Args:
        messages: as stored.
        any_id: the provider takes ids of any characters; otherwise of letters, digits, `_` and `-`.
    """
    return tuple(_Sending(any_id).messages(messages))


def arguments_of(text: str) -> dict[str, Any]:
    """Return arguments as an object, whatever the model wrote."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {_NOT_JSON: text}


class _Sending:
    """One conversation while it is made."""

    def __init__(self, any_id: bool) -> None:
        self._any_id = any_id
        self._used: Counter[str] = Counter()

    def messages(self, messages: Sequence[Message]) -> Iterator[Message]:
        open_calls: tuple[CallRequest, ...] = ()
        renamed: tuple[CallRequest, ...] = ()
        for message in messages:
            if isinstance(message, ResultsMessage):
                yield from self._results(open_calls, renamed, message.results)
                open_calls = renamed = ()
                continue
            yield from self._results(open_calls, renamed, ())
            open_calls = renamed = ()
            if isinstance(message, AssistantMessage):
                open_calls = message.calls
                renamed = tuple(replace(call, id=self._unused(call.id)) for call in open_calls)
                if not renamed and not message.text.strip():
                    continue
                yield replace(message, calls=renamed)
            else:
                yield message
        yield from self._results(open_calls, renamed, ())

    def _results(
        self, calls: Sequence[CallRequest], renamed: Sequence[CallRequest], results: Sequence[CallResult]
    ) -> Iterator[ResultsMessage]:
        """Yield one message with one result a call, in the order of the calls; nothing without calls."""
        left = list(results)
        answers: list[CallResult] = []
        for call, sent in zip(calls, renamed, strict=True):
            result = next((one for one in left if one.call_id == call.id), None)
            if result is None:
                result = CallResult(call.id, call.name, ResultKind.ERROR, _NO_RESULT)
            else:
                left.remove(result)
            answers.append(replace(result, call_id=sent.id))
        if answers:
            yield ResultsMessage(tuple(answers))

    def _unused(self, id_: str) -> str:
        wanted = (id_ if self._any_id else _ILLEGAL.sub("_", id_)) or "call"
        self._used[wanted] += 1
        if self._used[wanted] == 1:
            return wanted
        free = next(name for number in count(self._used[wanted]) if (name := f"{wanted}-{number}") not in self._used)
        self._used[free] += 1
        return free
