"""OpenAI's chat completions, as far as a client of a small model meets them: whole answers, streams, errors."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tools.small_model.engine import Written
from tools.small_model.unfolding import Arguments, Call, Piece, Text

__all__ = ["DONE", "MODEL", "Answering", "error_of", "event_of", "models"]

MODEL: Final = "smollm2-135m-instruct"
DONE: Final = b"data: [DONE]\n\n"
_CREATED: Final = 1_738_800_000
"""When the weights were published; nothing depends on it."""


def models() -> dict[str, Any]:
    """Return the list of models."""
    return {"object": "list", "data": [{"id": MODEL, "object": "model", "created": _CREATED, "owned_by": "local"}]}


def error_of(text: str) -> dict[str, Any]:
    """Return an error."""
    return {"error": {"message": text, "type": "invalid_request_error", "param": None, "code": None}}


def event_of(data: Mapping[str, Any]) -> bytes:
    """Return one event of a stream."""
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


class Answering:
    """One answer, for whoever wants it whole and for whoever wants it as it comes."""

    def __init__(self, number: int) -> None:
        """Take a number that no other answer of this server has."""
        self._number = number

    def whole(self, pieces: Sequence[Piece], written: Written) -> dict[str, Any]:
        """Return an answer of which all is written."""
        text = "".join(piece.text for piece in pieces if isinstance(piece, Text))
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if name := next((piece.name for piece in pieces if isinstance(piece, Call)), None):
            arguments = "".join(piece.text for piece in pieces if isinstance(piece, Arguments))
            message["tool_calls"] = [self._call(name, arguments)]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(pieces, written)}
        return self._body("chat.completion", [choice]) | {"usage": _usage(written)}

    def first(self) -> dict[str, Any]:
        """Return the first chunk of a stream."""
        return self._chunk({"role": "assistant", "content": ""})

    def chunk(self, piece: Piece) -> dict[str, Any]:
        """Return the chunk of a piece."""
        match piece:
            case Text(text):
                return self._chunk({"content": text})
            case Call(name):
                return self._chunk({"tool_calls": [{"index": 0, **self._call(name, "")}]})
            case Arguments(text):
                return self._chunk({"tool_calls": [{"index": 0, "function": {"arguments": text}}]})

    def last(self, pieces: Sequence[Piece], written: Written, *, with_usage: bool) -> Iterator[dict[str, Any]]:
        """Yield what ends a stream."""
        yield self._chunk({}, _reason(pieces, written))
        if with_usage:
            yield self._body("chat.completion.chunk", []) | {"usage": _usage(written)}

    def _call(self, name: str, arguments: str) -> dict[str, Any]:
        function = {"name": name, "arguments": arguments}
        return {"id": f"call_{self._number}", "type": "function", "function": function}

    def _chunk(self, delta: Mapping[str, Any], ended: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": ended}
        return self._body("chat.completion.chunk", [choice])

    def _body(self, kind: str, choices: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        head = {"id": f"chatcmpl-{self._number}", "object": kind, "created": _CREATED, "model": MODEL}
        return {**head, "choices": list(choices)}


def _reason(pieces: Sequence[Piece], written: Written) -> str:
    if written.is_cut:
        return "length"
    return "tool_calls" if any(isinstance(piece, Call) for piece in pieces) else "stop"


def _usage(written: Written) -> dict[str, int]:
    total = written.prompt_tokens + written.tokens
    return {"prompt_tokens": written.prompt_tokens, "completion_tokens": written.tokens, "total_tokens": total}
