"""Conversations to and from LangChain's messages.

LangChain parses the arguments of calls and sorts what it cannot parse apart, so text and order of the originals are
lost; `langchain_models` keeps the originals in `RAW_CALLS`, and they count where they are.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from axhub.agent.adapters.turns.history import arguments_of
from axhub.agent.adapters.turns.lanes import with_ids
from axhub.agent.adapters.turns.parts import CallPart, OpaquePart, Part, TextPart, message_of_parts, sent_back
from axhub.agent.domain.messages import AssistantMessage, CallRequest, Message, ResultKind, ResultsMessage

__all__ = ["MORE", "RAW_CALLS", "Call", "Piece", "calls_of", "message_of", "messages_of", "pieces_of", "without_pieces"]

RAW_CALLS: Final = "axhub_calls"
"""Member of `additional_kwargs`: the calls, or the fragments of calls, as they came over the wire."""
MORE: Final = "axhub_more"
"""Member of `additional_kwargs` of a message to send: what is sent with each call besides, by its id."""
_EXTRA: Final = "extra_content"
"""Member of a call with what a provider wants back, such as signatures."""
_NOT_SENT: Final = frozenset({RAW_CALLS, MORE, "tool_calls", "function_call", "parsed", "refusal"})
_BLOCK: Final = "block"
_FIELDS: Final = "fields"
_OF_CALLS: Final = frozenset({"tool_use", "tool_call", "input_json_delta"})
_OF_STREAMS: Final = frozenset({"index"})
"""Members of blocks that only put fragments together."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call, and what came with it."""

    call: CallRequest
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A fragment of a call as it came."""

    index: int | None
    id: str | None
    name: str | None
    arguments: str | None
    more: Mapping[str, Any] = field(default_factory=dict)


def messages_of(history: Sequence[Message], instructions: str, by: str) -> list[BaseMessage]:
    """Return a conversation as the framework has it; `by` is what opaque parts are marked with."""
    out: list[BaseMessage] = [SystemMessage(instructions)] if instructions else []
    for message in history:
        if isinstance(message, AssistantMessage):
            out.append(sent_back(message, by, _answer))
        elif isinstance(message, ResultsMessage):
            out += [
                ToolMessage(
                    one.text,
                    tool_call_id=one.call_id,
                    name=one.name,
                    status="success" if one.kind is ResultKind.OK else "error",
                )
                for one in message.results
            ]
        else:
            out.append(HumanMessage(message.text))
    return out


def message_of(answer: AIMessage, calls: Sequence[Call], by: str) -> AssistantMessage:
    """Return what the model answered."""
    parts: list[Part] = []
    left = list(calls)
    fields = {name: value for name, value in answer.additional_kwargs.items() if name not in _NOT_SENT and value}
    if fields:
        parts.append(OpaquePart({_FIELDS: fields}))
    for block in [answer.content] if isinstance(answer.content, str) else answer.content:
        part = _part(block)
        if part is not None:
            parts.append(part)
        elif left:
            parts.append(_call_part(left.pop(0)))
    return message_of_parts([*parts, *map(_call_part, left)], by)


def calls_of(answer: AIMessage) -> list[Call]:
    """Return the calls of a whole answer."""
    raw = answer.additional_kwargs.get(RAW_CALLS)
    if raw is not None:
        pieces = [_raw_piece(one) for one in raw]
        calls = with_ids([CallRequest(one.id or "", one.name or "", one.arguments or "") for one in pieces])
        return [Call(call, piece.more) for call, piece in zip(calls, pieces, strict=True)]
    read = [(one["id"], one["name"], json.dumps(one["args"], ensure_ascii=False)) for one in answer.tool_calls]
    read += [(one["id"], one["name"] or "", one["args"] or "") for one in answer.invalid_tool_calls]
    return [Call(call) for call in with_ids([CallRequest(id_ or "", name, text) for id_, name, text in read])]


def pieces_of(chunk: AIMessageChunk) -> Iterator[Piece]:
    """Yield the fragments of calls in a chunk."""
    raw = chunk.additional_kwargs.get(RAW_CALLS)
    if raw is not None:
        yield from map(_raw_piece, raw)
        return
    for one in chunk.tool_call_chunks:
        yield Piece(one["index"], one["id"], one["name"], one["args"])


def without_pieces(chunk: AIMessageChunk) -> AIMessageChunk:
    """Return a chunk without fragments of calls, for adding chunks up: the framework's own way to join them differs."""
    kwargs = {name: value for name, value in chunk.additional_kwargs.items() if name != RAW_CALLS}
    return chunk.model_copy(update={"tool_call_chunks": [], "tool_calls": [], "additional_kwargs": kwargs})


def _raw_piece(raw: Mapping[str, Any]) -> Piece:
    function = raw.get("function") or {}
    more = {_EXTRA: raw[_EXTRA]} if raw.get(_EXTRA) else {}
    return Piece(raw.get("index"), raw.get("id"), function.get("name"), function.get("arguments"), more)


def _part(block: str | dict[str, Any]) -> Part | None:
    """Return a block as a part; None: it stands for the next call."""
    if isinstance(block, str):
        return TextPart(block)
    if block.get("type") in _OF_CALLS:
        return None
    plain = {name: value for name, value in block.items() if name not in _OF_STREAMS}
    if set(plain) <= {"type", "text"} and plain.get("type") == "text":
        return TextPart(plain.get("text") or "")
    return OpaquePart({_BLOCK: plain})


def _call_part(call: Call) -> CallPart:
    return CallPart(call.call, call.more or None)


def _answer(parts: Sequence[Part]) -> AIMessage:
    fields: dict[str, Any] = {}
    blocks: list[str | dict[str, Any]] = []
    calls = [part for part in parts if isinstance(part, CallPart)]
    for part in parts:
        if isinstance(part, TextPart):
            blocks.append({"type": "text", "text": part.text})
        elif isinstance(part, CallPart):
            call = part.call
            input_ = arguments_of(call.arguments)
            blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": input_})
        elif _FIELDS in part.data:
            fields |= part.data[_FIELDS]
        else:
            blocks.append(part.data[_BLOCK])
    more = {part.call.id: part.more for part in calls if part.more}
    return AIMessage(
        content=blocks if any(isinstance(part, OpaquePart) and _BLOCK in part.data for part in parts) else _text(parts),
        tool_calls=[
            {"name": part.call.name, "args": arguments_of(part.call.arguments), "id": part.call.id} for part in calls
        ],
        additional_kwargs=fields | ({MORE: more} if more else {}),
    )


def _text(parts: Sequence[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextPart))
