"""Conversations to and from pydantic-ai's messages."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_ai import messages as theirs
from pydantic_ai.models import Model

from axhub.agent.adapters.turns.history import arguments_of
from axhub.agent.adapters.turns.parts import CallPart, OpaquePart, Part, TextPart, message_of_parts, sent_back
from axhub.agent.domain.messages import AssistantMessage, CallRequest, Message, ResultKind, ResultsMessage

__all__ = ["Messages", "message_of", "messages_of"]

_MARKS_ERRORS: Final = frozenset({"anthropic"})
"""Providers with a mark for results that are errors; for others the framework would wrap their text in JSON."""

Messages = list[theirs.ModelMessage]

_PART: Final[TypeAdapter[theirs.ModelResponsePart]] = TypeAdapter(theirs.ModelResponsePart)


def messages_of(history: Sequence[Message], instructions: str, model: Model[Any], by: str) -> Messages:
    """Return a conversation as the framework has it.

    Args:
        history: as it is sent.
        instructions: of the agent.
        model: whose opaque parts may be sent back.
        by: what they are marked with.
    """
    out: Messages = []
    for message in history:
        if isinstance(message, AssistantMessage):
            out.append(_response(message, model, by))
        elif isinstance(message, ResultsMessage):
            out.append(theirs.ModelRequest(list(_returns(message, model)), instructions=instructions))
        else:
            out.append(theirs.ModelRequest([theirs.UserPromptPart(message.text)], instructions=instructions))
    return out


def message_of(response: theirs.ModelResponse, by: str) -> AssistantMessage:
    """Return what the model answered."""
    return message_of_parts([_part(part) for part in response.parts], by)


def _part(part: theirs.ModelResponsePart) -> Part:
    if isinstance(part, theirs.TextPart):
        return TextPart(part.content)
    if isinstance(part, theirs.ToolCallPart):
        arguments = part.args if isinstance(part.args, str) else part.args_as_json_str() if part.args else ""
        more = _PART.dump_python(part, mode="json") if part.provider_details else {}
        kept = {name: more[name] for name in ("provider_name", "provider_details") if name in more}
        return CallPart(CallRequest(part.tool_call_id, part.tool_name, arguments), kept)
    return OpaquePart(_PART.dump_python(part, mode="json"))


def _response(message: AssistantMessage, model: Model[Any], by: str) -> theirs.ModelResponse:
    parts = sent_back(message, by, lambda own: [_their_part(part) for part in own])
    return theirs.ModelResponse(
        parts, model_name=model.model_name, provider_name=model.system, canonical_system=model.canonical_system
    )


def _their_part(part: Part) -> theirs.ModelResponsePart:
    if isinstance(part, TextPart):
        return theirs.TextPart(part.text)
    if isinstance(part, OpaquePart):
        return _PART.validate_python(part.data)
    call = part.call
    return theirs.ToolCallPart(call.name, arguments_of(call.arguments), call.id, **(part.more or {}))


def _returns(message: ResultsMessage, model: Model[Any]) -> Iterator[theirs.ToolReturnPart]:
    for result in message.results:
        is_marked = result.kind is not ResultKind.OK and model.system in _MARKS_ERRORS
        outcome: Any = "failed" if is_marked else "success"
        yield theirs.ToolReturnPart(result.name, result.text, result.call_id, outcome=outcome)
