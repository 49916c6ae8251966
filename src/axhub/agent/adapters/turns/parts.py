"""What a provider says besides text and calls, such as signed reasoning: kept as JSON, sent back as it was (agent/A8).

Stored in `AssistantMessage.provider`, and only where there is any. The order of a response's parts counts for a
provider that has signed them, so all of them are listed; calls are named by their position.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from axhub.agent.domain.messages import AssistantMessage, CallRequest

__all__ = ["CallPart", "OpaquePart", "Part", "TextPart", "message_of_parts", "parts_of", "sent_back"]

T = TypeVar("T")

_LOG: Final = logging.getLogger("axhub.agent")
_BY: Final = "by"
_PARTS: Final = "parts"
_TEXT: Final = "text"
_CALL: Final = "call"
_MORE: Final = "more"
_OPAQUE: Final = "opaque"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of the text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPart:
    """A call."""

    call: CallRequest
    more: Mapping[str, Any] | None = None
    """What the provider said of it besides, to be sent back."""


@dataclass(frozen=True, slots=True)
class OpaquePart:
    """Anything else, in the framework's own JSON."""

    data: Mapping[str, Any]


Part = TextPart | CallPart | OpaquePart


def message_of_parts(parts: Sequence[Part], by: str) -> AssistantMessage:
    """Return a response as a message.

    Args:
        parts: in the model's order.
        by: whose JSON the opaque parts are: framework and model.
    """
    text = "".join(part.text for part in parts if isinstance(part, TextPart))
    calls = tuple(part.call for part in parts if isinstance(part, CallPart))
    plain = all(isinstance(part, TextPart) or (isinstance(part, CallPart) and not part.more) for part in parts)
    return AssistantMessage(text, calls, {} if plain else {_BY: by, _PARTS: list(_packed(parts))})


def parts_of(message: AssistantMessage, by: str) -> list[Part]:
    """Return the parts of a message; the opaque ones only to whom they came from, as nobody else understands them."""
    stored = message.provider.get(_PARTS)
    if message.provider.get(_BY) == by and isinstance(stored, Sequence):
        parts = list(_unpacked(stored, message.calls))
        if [part.call for part in parts if isinstance(part, CallPart)] == list(message.calls):
            return parts
    return _plain(message)


def sent_back(message: AssistantMessage, by: str, translate: Callable[[Sequence[Part]], T]) -> T:
    """Return a message in a framework's form; without its opaque parts where the framework does not know them any more.

    They were stored by another version of it: a conversation must not end because of an update.
    """
    parts = parts_of(message, by)
    plain = _plain(message)
    if parts == plain:
        return translate(parts)
    try:
        return translate(parts)
    except Exception as error:  # noqa: BLE001 -- each framework and each version of it refuses in its own way
        _tell_once(by, type(error).__name__)
        return translate(plain)


@cache
def _tell_once(by: str, kind: str) -> None:
    _LOG.warning("stored parts of an answer by %s cannot be read any more (%s); text and calls are sent back", by, kind)


def _plain(message: AssistantMessage) -> list[Part]:
    text: list[Part] = [TextPart(message.text)] if message.text.strip() else []
    return text + [CallPart(call) for call in message.calls]


def _packed(parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
    position = 0
    for part in parts:
        if isinstance(part, TextPart):
            yield {_TEXT: part.text}
        elif isinstance(part, OpaquePart):
            yield {_OPAQUE: dict(part.data)}
        else:
            yield {_CALL: position} | ({_MORE: dict(part.more)} if part.more else {})
            position += 1


def _unpacked(stored: Sequence[Any], calls: Sequence[CallRequest]) -> Iterator[Part]:
    for part in stored:
        match part:
            case {"text": str(text)}:
                yield TextPart(text)
            case {"opaque": dict(data)}:
                yield OpaquePart(data)
            case {"call": int(position)} if 0 <= position < len(calls):
                yield CallPart(calls[position], part.get(_MORE))
            case _:
                return
