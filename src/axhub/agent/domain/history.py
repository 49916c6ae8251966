"""What of a conversation a model is shown: bounded, whole pairs, from a message of a person's on (agent/L4)."""

from collections.abc import Sequence
from typing import Final

from axhub.agent.domain.messages import AssistantMessage, Message, ResultsMessage, UserMessage

__all__ = ["HISTORY", "HISTORY_CHARACTERS", "given", "shown", "window"]

HISTORY: Final = 200
"""Messages of a conversation that a model is shown at most, the newest; one more may stand before them."""
HISTORY_CHARACTERS: Final = 400_000
"""Of these messages together, about what the tokens of a run allow; the newest person's message stands in any case."""
_GIVEN: Final = AssistantMessage("The results above were given to the person as the answer.")
"""Stands for an answer that is results (agent/L3)."""


def window(newest: Sequence[Message], asked: UserMessage | None = None) -> tuple[Message, ...]:
    """Return the newest messages without halves of pairs, beginning with a person's message.

    Args:
        newest: the end of a conversation, oldest first; what stood before it is not known.
        asked: a person's message before it, which begins the window where `newest` has none.
    """
    whole = _whole(_fitting(newest))
    first = next((at for at, one in enumerate(whole) if isinstance(one, UserMessage)), None)
    if first is not None:
        return tuple(whole[first:])
    return () if asked is None else (asked, *whole)


def shown(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return a conversation as a model is shown it: results that were the answer stand there once, marked as data.

    Such an answer was for the person (agent/L3). As a message of the model's own it would be no data any more, and what
    stands in it would be said with the model's voice (agent/L7).
    """
    pairs = zip((None, *messages), messages, strict=False)
    return tuple(_GIVEN if _is_given(before, one) else one for before, one in pairs)


def given(results: ResultsMessage) -> str:
    """Return results as the answer (agent/L3)."""
    return "\n".join(one.text for one in results.results)


def _is_given(before: Message | None, one: Message) -> bool:
    if not (isinstance(before, ResultsMessage) and isinstance(one, AssistantMessage)) or one.calls:
        return False
    return one.text == given(before)


def _fitting(newest: Sequence[Message]) -> Sequence[Message]:
    """Leave out the oldest messages where all together are too long; never the newest message of a person."""
    left = HISTORY_CHARACTERS
    for at in range(len(newest) - 1, -1, -1):
        left -= _size(newest[at])
        if left < 0:
            rest = newest[at + 1 :]
            if any(isinstance(one, UserMessage) for one in rest):
                return rest
            return newest[_last_asked(newest) :]
    return newest


def _last_asked(newest: Sequence[Message]) -> int:
    return max((at for at, one in enumerate(newest) if isinstance(one, UserMessage)), default=0)


def _size(message: Message) -> int:
    """Return the characters of a message that a model reads."""
    match message:
        case AssistantMessage(text=text, calls=calls):
            return len(text) + sum(len(call.arguments) for call in calls)
        case ResultsMessage(results=results):
            return sum(len(one.text) for one in results)
        case UserMessage(text=text):
            return len(text)


def _whole(messages: Sequence[Message]) -> list[Message]:
    """Leave out calls whose results do not follow, and results whose calls do not stand before them."""
    kept: list[Message] = []
    for at, one in enumerate(messages):
        before = messages[at - 1] if at else None
        after = messages[at + 1] if at + 1 < len(messages) else None
        if isinstance(one, ResultsMessage):
            if _is_pair(before, one):
                kept.append(one)
        elif not (isinstance(one, AssistantMessage) and one.calls) or _is_pair(one, after):
            kept.append(one)
    return kept


def _is_pair(calls: Message | None, given: Message | None) -> bool:
    if not (isinstance(calls, AssistantMessage) and isinstance(given, ResultsMessage)):
        return False
    return [one.id for one in calls.calls] == [one.call_id for one in given.results]
