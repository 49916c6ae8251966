"""What a model wrote, made fit to be stored and to be sent back to a provider; nothing of it is taken for more."""

import re
from dataclasses import replace
from typing import Final

from axhub.agent.domain.canonical import read_arguments
from axhub.agent.domain.messages import AssistantMessage, CallRequest

__all__ = ["NO_NAME", "legible", "tidied"]

NO_NAME: Final = "UNKNOWN_NAME"
"""Stands for a name that no provider takes; no tool can have it, since names of tools have no capitals."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def tidied(message: AssistantMessage) -> AssistantMessage:
    """Return a response in whole Unicode, with names that providers take back; a conversation must not break of it."""
    calls = (_call(call) for call in message.calls)
    return replace(message, text=_whole(message.text), calls=tuple(calls))


def legible(message: AssistantMessage) -> AssistantMessage:
    """Return a response as the history keeps it: arguments that cannot be read, or that are blank, stand there as `{}`.

    The history is sent back, and servers read the arguments in it.
    """
    calls = (replace(call, arguments=call.arguments if _is_read(call.arguments) else "{}") for call in message.calls)
    return replace(message, calls=tuple(calls))


def _call(call: CallRequest) -> CallRequest:
    name = call.name if _NAME.fullmatch(call.name) else NO_NAME
    return CallRequest(_whole(call.id), name, _whole(call.arguments))


def _whole(text: str) -> str:
    """Return a text with a question mark for each half of a surrogate pair, which no store and no provider takes."""
    return text.encode(errors="replace").decode()


def _is_read(arguments: str) -> bool:
    try:
        read_arguments(arguments)
    except ValueError:
        return False
    return bool(arguments.strip())
