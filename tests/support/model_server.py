"""What providers of models answer, in the two wires that nearly all speak: chat completions, and messages.

Shapes as the providers document them; whole answers and streams say the same: `[Thought(…), Text(…), Called(…)]`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from support.tool_service import Answer, Close, Send, ToolService, reply

INPUT_TOKENS: Final = 31
OUTPUT_TOKENS: Final = 7
SSE: Final = b"text/event-stream; charset=utf-8"
PIECE: Final = 3
"""Characters in each piece of a stream."""


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Thought:
    text: str
    signature: str = "c2lnbmVk"


@dataclass(frozen=True)
class Called:
    id: str
    name: str
    arguments: str


Part = Text | Thought | Called


class Wire(Protocol):
    """One provider's interface."""

    provider: str

    def on(self, service: ToolService, *answers: Answer | Callable[[Any], Answer]) -> None:
        """Answer requests for a turn with these in turn."""

    def base_url(self, service: ToolService) -> str:
        """Return what a client is configured with."""
        ...

    def whole(self, *parts: Part, ended: str | None = None) -> bytes: ...

    def events(self, *parts: Part, ended: str | None = None) -> list[bytes]:
        """Return the events of a stream; the last but one or two say that it is whole."""
        ...

    def error(self, status: int, text: str) -> bytes: ...

    def error_event(self, text: str) -> bytes: ...


def pieces(text: str) -> Iterator[str]:
    return (text[start : start + PIECE] for start in range(0, len(text), PIECE))


def whole(wire: Wire, *parts: Part, ended: str | None = None) -> Answer:
    return reply(body=wire.whole(*parts, ended=ended))


def streamed(wire: Wire, *parts: Part, ended: str | None = None) -> Answer:
    return stream(wire.events(*parts, ended=ended))


def stream(events: Sequence[bytes]) -> Answer:
    return reply(body=b"".join(events), content_type=SSE, chunked=True)


def cut_stream(events: Sequence[bytes], *, politely: bool) -> Answer:
    """A stream that ends early: `politely` as HTTP allows, or in the middle of a chunk."""
    data = b"".join(events)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: " + SSE
    if politely:
        return (Send(head + b"\r\nConnection: close\r\n\r\n" + data), Close())
    return (Send(head + b"\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % (len(data) + 9) + data), Close())


class OpenAIWire:
    """Chat completions."""

    provider = "openai"

    def on(self, service: ToolService, *answers: Answer | Callable[[Any], Answer]) -> None:
        service.on("/v1/chat/completions", *answers)

    def base_url(self, service: ToolService) -> str:
        return service.origin + "/v1"

    def whole(self, *parts: Part, ended: str | None = None) -> bytes:
        message: dict[str, Any] = {"role": "assistant", "content": _joined(parts) or None}
        calls = [part for part in parts if isinstance(part, Called)]
        if calls:
            message["tool_calls"] = [_openai_call(call) for call in calls]
        for part in parts:
            if isinstance(part, Thought):
                message["reasoning_content"] = part.text
        reason = ended or ("tool_calls" if calls else "stop")
        choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
        return json.dumps(_completion("chat.completion", [choice], _OPENAI_USAGE)).encode()

    def events(self, *parts: Part, ended: str | None = None) -> list[bytes]:
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        for part in parts:
            match part:
                case Text(text):
                    deltas += [{"content": piece} for piece in pieces(text)]
                case Thought(text):
                    deltas += [{"reasoning_content": piece} for piece in pieces(text)]
        calls = [part for part in parts if isinstance(part, Called)]
        for index, call in enumerate(calls):
            deltas.append(call_delta(index, call.id, call.name, ""))
            deltas += [call_delta(index, None, None, piece) for piece in pieces(call.arguments)]
        return self.of_deltas(deltas, ended or ("tool_calls" if calls else "stop"))

    def of_deltas(self, deltas: Sequence[dict[str, Any]], ended: str = "tool_calls") -> list[bytes]:
        """Return a stream of these deltas."""
        chunks = [_chunk([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas]
        chunks.append(_chunk([{"index": 0, "delta": {}, "finish_reason": ended}]))
        chunks.append(_chunk([], _OPENAI_USAGE))
        return [*map(_data, chunks), b"data: [DONE]\n\n"]

    def error(self, status: int, text: str) -> bytes:
        return json.dumps({"error": {"message": text, "type": "error", "param": None, "code": None}}).encode()

    def error_event(self, text: str) -> bytes:
        return _data({"error": {"message": text, "type": "server_error", "code": None}})


class AnthropicWire:
    """Messages."""

    provider = "anthropic"

    def on(self, service: ToolService, *answers: Answer | Callable[[Any], Answer]) -> None:
        service.on("/v1/messages", *answers)
        service.on("/v1/messages?beta=true", *answers)

    def base_url(self, service: ToolService) -> str:
        return service.origin

    def whole(self, *parts: Part, ended: str | None = None) -> bytes:
        reason = ended or ("tool_use" if any(isinstance(part, Called) for part in parts) else "end_turn")
        content = [
            _block(part, json.loads(part.arguments or "{}") if isinstance(part, Called) else {}) for part in parts
        ]
        return json.dumps(_anthropic_message(content, reason, OUTPUT_TOKENS)).encode()

    def events(self, *parts: Part, ended: str | None = None) -> list[bytes]:
        out = [_event("message_start", message=_anthropic_message([], None, 1)), _event("ping")]
        for index, part in enumerate(parts):
            empty = _block(type(part)("") if isinstance(part, Text) else part, {})
            if isinstance(part, Thought):
                empty |= {"thinking": "", "signature": ""}
            out.append(_event("content_block_start", index=index, content_block=empty))
            out += [_event("content_block_delta", index=index, delta=delta) for delta in _deltas(part)]
            out.append(_event("content_block_stop", index=index))
        reason = ended or ("tool_use" if any(isinstance(part, Called) for part in parts) else "end_turn")
        out.append(
            _event(
                "message_delta",
                delta={"stop_reason": reason, "stop_sequence": None},
                usage={"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS},
            )
        )
        return [*out, _event("message_stop")]

    def error(self, status: int, text: str) -> bytes:
        return json.dumps({"type": "error", "error": {"type": "api_error", "message": text}}).encode()

    def error_event(self, text: str) -> bytes:
        return _event("error", error={"type": "overloaded_error", "message": text})


def call_delta(index: int | None, id_: str | None, name: str | None, arguments: str | None) -> dict[str, Any]:
    """A fragment of a call; what is None is not sent."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    members = {"index": index, "id": id_, "type": None if id_ is None else "function", "function": function}
    return {"tool_calls": [{key: value for key, value in members.items() if value is not None}]}


_OPENAI_USAGE: Final = {
    "prompt_tokens": INPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
}


def _completion(kind: str, choices: list[dict[str, Any]], usage: dict[str, int] | None) -> dict[str, Any]:
    head = {"id": "chatcmpl-1", "object": kind, "created": 1_790_000_000, "model": "some-model-2026"}
    return head | {"choices": choices} | ({} if usage is None else {"usage": usage})


def _chunk(choices: list[dict[str, Any]], usage: dict[str, int] | None = None) -> dict[str, Any]:
    return _completion("chat.completion.chunk", choices, usage)


def _openai_call(call: Called) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _joined(parts: Sequence[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, Text))


def _data(value: Any) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


def _event(kind: str, **members: Any) -> bytes:
    return f"event: {kind}\n".encode() + _data({"type": kind, **members})


def _anthropic_message(content: list[dict[str, Any]], reason: str | None, output: int) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "some-model-2026",
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": INPUT_TOKENS, "output_tokens": output},
    }


def _block(part: Part, arguments: dict[str, Any]) -> dict[str, Any]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Thought(text, signature):
            return {"type": "thinking", "thinking": text, "signature": signature}
        case Called(id_, name):
            return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def _deltas(part: Part) -> Iterator[dict[str, Any]]:
    match part:
        case Text(text):
            yield from ({"type": "text_delta", "text": piece} for piece in pieces(text))
        case Thought(text, signature):
            yield from ({"type": "thinking_delta", "thinking": piece} for piece in pieces(text))
            yield {"type": "signature_delta", "signature": signature}
        case Called(_, _, arguments):
            yield from ({"type": "input_json_delta", "partial_json": piece} for piece in ("", *pieces(arguments)))
