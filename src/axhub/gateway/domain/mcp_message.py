"""What an MCP server sends: JSON-RPC messages whose values stay the bytes they were written with (gateway/P11).

Pure. What cannot be read as a message is None: whoever asked decides what that means.
"""

from typing import Final, NamedTuple

import msgspec

from axhub.contract import jsontext

LIST_CHANGED: Final = "notifications/tools/list_changed"
PROGRESS: Final = "notifications/progress"


class Response(NamedTuple):
    """The answer to a request of ours; exactly one of `result` and `error` is set, as compact JSON."""

    id: bytes | None
    """None if the server could not read the request's."""
    result: bytes | None = None
    error: bytes | None = None


class Notification(NamedTuple):
    """Something that the server tells."""

    method: str
    params: dict[str, msgspec.Raw]


class ServerRequest(NamedTuple):
    """Something that a server of the handshake era asks its client."""

    id: bytes
    method: str


Message = Response | Notification | ServerRequest


class _Envelope(msgspec.Struct):
    jsonrpc: str = ""
    id: msgspec.Raw = msgspec.Raw(b"null")
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()


_compact: Final = msgspec.json.format
_read: Final = msgspec.json.Decoder(_Envelope).decode
_NULL: Final = b"null"
_SHORTEST: Final = len('{"jsonrpc":"2.0","error":1}')
"""No message has fewer bytes: what is shorter need not be read, however much of it comes."""


def read_message(text: bytes) -> Message | None:
    """Read one message; None if it is none, or not valid UTF-8, or has escapes that are half of a character."""
    if len(text) < _SHORTEST:
        return None
    try:
        if not text.isascii():
            text.decode()
        found = _read(_compact(text, indent=-1))
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return None
    if found.jsonrpc != "2.0":
        return None
    own_id = bytes(found.id)
    if found.method is None:
        return _response(own_id, found)
    if own_id == _NULL:
        return Notification(found.method, jsontext.split_object(found.params) or {})
    return ServerRequest(own_id, found.method)


def _response(own_id: bytes, found: _Envelope) -> Response | None:
    result, error = bytes(found.result), bytes(found.error)
    if bool(result) == bool(error):
        return None
    return Response(None if own_id == _NULL else own_id, result or None, error or None)


NOT_UNDERSTOOD: Final = frozenset({-32700, -32600, -32601, -32020, -32022})
"""Codes that speak of how a request was written, or of the method itself: not of what a tool or a list did."""


class ProtocolError(NamedTuple):
    """A JSON-RPC error object of a server."""

    code: int
    text: bytes
    """The whole object, compact."""


class _Error(msgspec.Struct):
    code: int
    message: str


_read_error: Final = msgspec.json.Decoder(_Error).decode


def protocol_error(text: bytes) -> ProtocolError | None:
    """Read the `error` of a response; None if it is not one."""
    try:
        return ProtocolError(_read_error(text).code, text)
    except msgspec.DecodeError:
        return None


def members_of(value: msgspec.Raw | bytes | None) -> dict[str, msgspec.Raw]:
    """Return the members of an object; none of anything else."""
    return {} if value is None else jsontext.split_object(value) or {}
