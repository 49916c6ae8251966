"""What of a conversation a model is shown: bounded, whole pairs, from a message of a person's on (agent/L4)."""

from collections.abc import Sequence
from typing import Final

from axhub.agent.domain.messages import AssistantMessage, Message, ResultsMessage, UserMessage

__all__ = ["HISTORY", "window"]

HISTORY: Final = 200
"""Messages of a conversation that a model is shown at most, the newest; one more may stand before them."""


def window(newest: Sequence[Message], asked: UserMessage | None = None) -> tuple[Message, ...]:
    """Return the newest messages without halves of pairs, beginning with a person's message.

    Args:
        newest: the end of a conversation, oldest first; what stood before it is not known.
        asked: a person's message before it, which begins the window where `newest` has none.
    """
    whole = _whole(newest)
    first = next((at for at, one in enumerate(whole) if isinstance(one, UserMessage)), None)
    if first is not None:
        return tuple(whole[first:])
    return () if asked is None else (asked, *whole)


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
