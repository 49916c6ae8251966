"""What the MCP server of the tests puts on the wire: messages, and the steps that send them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from support.tool_service import Answer, Send, Step, reply

END = b"0\r\n\r\n"


class Asked(Protocol):
    """What is answered."""

    @property
    def id(self) -> bytes:
        """The id, as it was written."""
        ...


def response_to(seen: Asked, result: Mapping[str, Any] | bytes) -> bytes:
    """Return the response with a result; bytes are sent as they are."""
    value = result if isinstance(result, bytes) else json.dumps(result, ensure_ascii=False).encode()
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (seen.id, value)


def error_to(seen: Asked, code: int, message: str, data: object = None) -> bytes:
    """Return the response with an error."""
    error = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (seen.id, json.dumps(error, ensure_ascii=False).encode())


def fixed(result: Mapping[str, Any] | bytes) -> Callable[[Asked], Answer]:
    """Return what answers every request with this result."""
    return lambda seen: reply(body=response_to(seen, result))


def http_error(status: int, error: bytes, **more: Any) -> Answer:
    """Return a refusal of HTTP that names no request."""
    return reply(status, b'{"jsonrpc":"2.0","error":%b,"id":null}' % error, **more)


def text(value: str, *, new: bool = False, **more: Any) -> dict[str, Any]:
    """Return the result of a call that is one text."""
    found = {"content": [{"type": "text", "text": value}], **more}
    return {**found, "resultType": "complete"} if new else found


def list_result(tools: Iterable[Mapping[str, Any]], *, new: bool = False, **more: Any) -> dict[str, Any]:
    """Return the result of `tools/list`."""
    found = {"tools": list(tools), **more}
    return {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **found} if new else found


def event(message: bytes, end: bytes = b"\n") -> bytes:
    """Return a message as an event."""
    return b"event: message%bdata: %b%b%b" % (end, message, end, end)


def stream(
    *parts: bytes | Step, headers: Sequence[tuple[bytes, bytes]] = (), ends: bool = True, status: int = 200
) -> Answer:
    """Return the answer that is an event stream: bytes are chunks of it, steps are done in between."""
    lines = [b"HTTP/1.1 %d Whatever" % status, b"Content-Type: text/event-stream", b"Transfer-Encoding: chunked"]
    lines += [b"%b: %b" % header for header in headers]
    steps: list[Step] = [Send(b"\r\n".join(lines) + b"\r\n\r\n")]
    steps += [Send(chunk(part)) if isinstance(part, bytes) else part for part in parts]
    return (*steps, Send(END)) if ends else tuple(steps)


def chunk(data: bytes) -> bytes:
    """Return data as one chunk."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def joined(answer: Answer) -> Answer:
    """Return an answer whose bytes leave in one piece as far as no other step stands between them."""
    steps: list[Step] = []
    for step in answer:
        if isinstance(step, Send) and steps and isinstance(steps[-1], Send):
            steps[-1] = Send(steps[-1].data + step.data)
        else:
            steps.append(step)
    return tuple(steps)
