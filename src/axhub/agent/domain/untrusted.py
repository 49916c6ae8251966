"""What a model wrote, made fit to be stored and to be sent back to a provider; nothing of it is taken for more."""

import json
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, Final

from axhub.agent.domain.canonical import read_arguments
from axhub.agent.domain.messages import AssistantMessage, CallRequest
from axhub.agent.domain.texts import whole, whole_json

__all__ = ["LONGEST_TEXT", "NO_NAME", "legible", "tidied"]

LONGEST_TEXT: Final = 131_072
"""Characters of a model's own text; whatever is longer is cut, and says so."""
_MOST_OPAQUE: Final = 1_048_576
"""Characters of what only the provider understands, as JSON; of more nothing is sent back."""
_CUT: Final = "\n[cut: the answer has {length} characters]"

NO_NAME: Final = "UNKNOWN_NAME"
"""Stands for a name that a model invented; no tool can have it, since names of tools have no capitals."""
_NONE: Final = "{}"


def tidied(message: AssistantMessage, names: AbstractSet[str]) -> AssistantMessage:
    """Return a response in whole Unicode and bounded, with names that providers take back.

    A conversation must not break of it, nor grow by what nobody reads. A name that is no tool's is a text of the
    model's, and does not stand in rows and in the audit.

    Args:
        message: what the model wrote.
        names: of all tools that there are, those included that the run was not offered.
    """
    calls = (_call(call, names) for call in message.calls)
    text = whole(message.text)
    if len(text) <= LONGEST_TEXT:
        return AssistantMessage(text, tuple(calls), _bounded(whole_json(message.provider)))
    cut = text[:LONGEST_TEXT] + _CUT.format(length=len(text))
    return AssistantMessage(cut, tuple(calls))  # what the provider wants back has the whole text in it


def legible(message: AssistantMessage, unread: AbstractSet[str] = frozenset()) -> AssistantMessage:
    """Return a response as the history keeps it: arguments that cannot be read, or that are blank, stand there as `{}`.

    The history is sent back, and servers read the arguments in it.

    Args:
        message: what the model wrote.
        unread: ids of calls whose arguments are of no use to anybody: of tools that there are not.
    """
    calls = (
        replace(call, arguments=call.arguments if call.id not in unread and _is_read(call.arguments) else _NONE)
        for call in message.calls
    )
    return replace(message, calls=tuple(calls))


def _bounded(provider: Any) -> Any:
    return provider if not provider or len(json.dumps(provider)) <= _MOST_OPAQUE else {}


def _call(call: CallRequest, names: AbstractSet[str]) -> CallRequest:
    name = call.name if call.name in names else NO_NAME
    return CallRequest(whole(call.id), name, whole(call.arguments))


def _is_read(arguments: str) -> bool:
    try:
        read_arguments(arguments)
    except ValueError:
        return False
    return bool(arguments.strip())
