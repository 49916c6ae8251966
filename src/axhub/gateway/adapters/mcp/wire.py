"""The bytes of MCP answers: reply heads made once, results and errors assembled around ready parts."""

from typing import Any, Final

import msgspec

from axhub.gateway.adapters.mcp.envelope import INVALID_REQUEST
from axhub.gateway.ports import TOO_MANY_CONNECTIONS, ReplyHead
from axhub.gateway.usecases.call_tool import Refusal

METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
HEADER_MISMATCH: Final = -32020
MISSING_CAPABILITY: Final = -32021
UNSUPPORTED_REVISION: Final = -32022

_OUR_FAULT: Final = 500
"""From this HTTP status on, a refusal is not the caller's fault (RFC 9110, section 15.6)."""
_JSON: Final = (b"Content-Type", b"application/json")
OK: Final = ReplyHead(200, (_JSON,))
OK_EVENTS: Final = ReplyHead(
    200, ((b"Content-Type", b"text/event-stream"), (b"Cache-Control", b"no-cache"), (b"X-Accel-Buffering", b"no"))
)
ACCEPTED: Final = ReplyHead(202)
UNAVAILABLE: Final = ReplyHead(503, (_JSON, (b"Retry-After", b"1")))
NOT_ALLOWED: Final = ReplyHead(405, (_JSON, (b"Allow", b"POST")))
_HEADS: Final = {
    200: OK,
    405: NOT_ALLOWED,
    503: UNAVAILABLE,
    **{status: ReplyHead(status, (_JSON,)) for status in (400, 403, 404, 406, 408, 413, 415, 421, 431)},
}
CLOSING: Final = {status: ReplyHead(status, head.headers, close=True) for status, head in _HEADS.items()}

CALL_BODY: Final = (
    b'{"jsonrpc":"2.0","id":%b,"result":{"content":[{"type":"text","text":%b,"_meta":{"searchTime":%d}}]%b%b%b}}'
)
"""The response to a `tools/call`: its id, the text as a JSON string, milliseconds, and three times members that may be
missing, comma first: `isError`, `structuredContent`, what revision 2026-07-28 adds."""

as_json: Final = msgspec.json.Encoder().encode


def head_of(status: int) -> ReplyHead:
    """Return the head of an answer with this status and a JSON body."""
    return _HEADS[status]


def error_body(request_id: bytes | None, code: int, message: str, data: dict[str, Any] | None = None) -> bytes:
    """Return a JSON-RPC error response; without a readable request id it has no `id` member (MCP 2025-11-25)."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    shown_id = b"" if request_id is None else b'"id":%b,' % request_id
    return b'{"jsonrpc":"2.0",%b"error":%b}' % (shown_id, as_json(error))


def result_body(request_id: bytes, result: bytes) -> bytes:
    """Return a JSON-RPC response around a ready result object."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (request_id, result)


def as_event(body: bytes) -> bytes:
    """Return a response as the one server-sent event of a stream; the JSON holds no raw line breaks."""
    return b"event: message\ndata: %b\n\n" % body


def refuse(status: int, message: str) -> tuple[ReplyHead, bytes]:
    """Render what the HTTP front refuses by itself (gateway/P6): a JSON-RPC error without `id`, then the end.

    What is not the caller's fault is `-32603`, and says when it is a matter of load (ops/O6).
    """
    head = CLOSING.get(status) or ReplyHead(status, (_JSON,), close=True)
    code = INTERNAL_ERROR if status >= _OUR_FAULT else INVALID_REQUEST
    data = {"reason": Refusal.OVERLOADED.value} if message == TOO_MANY_CONNECTIONS else None
    return head, error_body(None, code, message, data)
