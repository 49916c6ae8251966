"""The JSON-RPC envelope: from the body's bytes to messages whose values are still raw bytes (gateway/P6).

Pure. What is refused here is refused before any revision is known: broken JSON, and things that are no request.
"""

import re
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Raw

from axhub.contract import jsontext
from axhub.gateway.domain.call import HeadNotes

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600

_ENVELOPE: Final = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
_PARAMS: Final = frozenset(
    {
        *("name", "arguments", "_meta", "cursor", "protocolVersion", "capabilities", "clientInfo"),
        *("inputResponses", "requestState", "notifications"),
    }
)
_ENVELOPE_TWINS: Final = {known.casefold(): known for known in _ENVELOPE}
_PARAMS_TWINS: Final = {known.casefold(): known for known in _PARAMS}
_NO_MEMBERS: Final[dict[str, Raw]] = {}
_INTEGER: Final = re.compile(rb"-?(0|[1-9][0-9]*)")
_VERSION: Final = b'"2.0"'
_JSON_SPACE: Final = b" \t\r\n"
_decode_text = msgspec.json.Decoder(str).decode
_decode_items = msgspec.json.Decoder(list[Raw]).decode


class EnvelopeError(ValueError):
    """The body holds no message that can be answered; `code` is the JSON-RPC error code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Message(msgspec.Struct, frozen=True, gc=False):
    """A request, or a notification if `id` is None."""

    id: bytes | None
    """The id as written, a JSON string or integer."""
    method: str
    params: dict[str, Raw]
    """Without the three that follow."""
    meta: dict[str, Raw]
    name: str | None = None
    """`params.name` if it is a string."""
    arguments: bytes | None = None
    """`params.arguments`, whatever it is."""


class Invalid(NamedTuple):
    """An entry of a batch that is no message; it is answered by an error of its own."""

    error: EnvelopeError


class PostedResponse(NamedTuple):
    """An entry of a batch that answers a request of ours; there are none, so it is dropped."""


Batch = list[Message | Invalid | PostedResponse]


def parse(body: bytes, notes: HeadNotes | None = None) -> Message | Batch:
    """Read a body; `notes` are those of its request, and remember what is read of `_meta`.

    Raises:
        EnvelopeError: not JSON (`-32700`), or neither a request, a notification nor an array (`-32600`).
    """
    try:
        is_ascii = body.isascii()
        if not is_ascii:
            jsontext.check_text(body)
        message = _plain(body, notes)
        if message is not None:
            return message
        if is_ascii:
            jsontext.check_text(body)
        return _any(body)
    except jsontext.DuplicateMemberError as error:
        raise EnvelopeError(INVALID_REQUEST, f"Invalid Request: {error}") from None
    except (jsontext.JsonTextError, msgspec.DecodeError) as error:
        raise EnvelopeError(PARSE_ERROR, f"Parse error: {error}") from None


def text_of(raw: Raw | None) -> str | None:
    """Return a JSON string's text, or None if the value is absent or not a string."""
    if raw is None:
        return None
    try:
        return _decode_text(raw)
    except msgspec.DecodeError:
        return None


def is_null(raw: Raw | None) -> bool:
    """Say whether the member is absent or `null`."""
    return raw is None or bytes(raw) == b"null"


class _PlainParams(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    name: str = ""
    arguments: Raw = Raw()
    meta: Raw = msgspec.field(default=Raw(), name="_meta")


class _Plain(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    id: Raw
    method: str
    params: _PlainParams


class _Meta(NamedTuple):
    """What the last `_meta` of a connection said."""

    written: Raw
    members: dict[str, Raw]


_decode_plain = msgspec.json.Decoder(_Plain).decode
_decode_members = msgspec.json.Decoder(dict[str, Raw]).decode
_MOST_META: Final = 1024
"""A longer `_meta` is not remembered."""
_MOST_MEMBERS: Final = 8
"""Nor is one of more members, each of which takes some 120 bytes as objects: what a connection keeps is below 4 KB."""
_OF_ONE_CALL: Final = frozenset({"progressToken", "traceparent", "tracestate", "baggage"})
"""Of a `_meta` that is another one the next time."""
_SIZES: Final = {
    (False, False): len('{"jsonrpc":"2.0","id":,"method":"","params":{}}'),
    (True, False): len('{"jsonrpc":"2.0","id":,"method":"","params":{"name":""}}'),
    (False, True): len('{"jsonrpc":"2.0","id":,"method":"","params":{"arguments":}}'),
    (True, True): len('{"jsonrpc":"2.0","id":,"method":"","params":{"name":"","arguments":}}'),
}
"""Of everything around the parts of a compact request, by whether it has a name and arguments."""
_META_SIZE: Final = len(',"_meta":')


def _plain(body: bytes, notes: HeadNotes | None) -> Message | None:
    """Read what nearly every client sends, a compact request with known members only, in one go.

    Compact text without duplicates or escapes in what is read here is exactly as long as its parts, and anything else
    is longer. None means: look closely.
    """
    try:
        found = _decode_plain(body)
    except (msgspec.DecodeError, RecursionError):
        return None
    sent, request_id, method = found.params, bytes(found.id), found.method
    name, arguments, written = sent.name, bytes(sent.arguments), sent.meta
    size = _SIZES[bool(name), bool(arguments)] + sum(map(len, (request_id, method, name, arguments, written)))
    meta: dict[str, Raw] | None = _NO_MEMBERS
    if written:
        size += _META_SIZE if name or arguments else _META_SIZE - 1
        known: _Meta | None = None if notes is None else notes.meta
        meta = known.members if known is not None and known.written == written else _members(written, notes)
    if meta is None or size != len(body) or not (request_id.isdigit() or request_id[:1] == b'"'):
        return None
    if _may_be_deep(arguments):
        return None
    return Message(request_id, method, _NO_MEMBERS, meta, name or None, arguments or None)


def _members(written: Raw, notes: HeadNotes | None) -> dict[str, Raw] | None:
    """Return the members of a `_meta`, or None if it must be looked at closely; remember one that may come again."""
    may_come_again = notes is not None and len(written) <= _MOST_META
    kept = written.copy() if may_come_again else written  # without the message around it
    try:
        found = _decode_members(kept)
    except (msgspec.DecodeError, RecursionError):
        return None
    if len(kept) != (jsontext.compact_length(found) if found else len("{}")) or _may_be_deep(bytes(kept)):
        return None
    if notes is not None and may_come_again and len(found) <= _MOST_MEMBERS and _OF_ONE_CALL.isdisjoint(found):
        notes.meta = _Meta(kept, found)
    return found


def _may_be_deep(value: bytes) -> bool:
    """Say whether a value two levels below its body could nest too deeply; more than one look is for `check_text`."""
    return value.count(b"{") + value.count(b"[") > jsontext.MAX_DEPTH - 2


def _any(body: bytes) -> Message | Batch:
    """Read whatever a body may be; raises as `parse` and `jsontext` do."""
    first = body.lstrip(_JSON_SPACE)[:1]
    if first == b"{":
        return _message(body)
    if first == b"[":
        return [_entry(item) for item in _decode_items(body)]
    if not first:
        raise EnvelopeError(PARSE_ERROR, "Parse error: the body is empty")
    jsontext.check_grammar(body)
    raise EnvelopeError(INVALID_REQUEST, "Invalid Request: the body is not a JSON object")


def _entry(item: Raw) -> Message | Invalid | PostedResponse:
    try:
        return _message(item)
    except jsontext.JsonTextError:
        return Invalid(EnvelopeError(INVALID_REQUEST, "Invalid Request: not an object, or a member stands twice"))
    except EnvelopeError as error:
        return PostedResponse() if isinstance(error, _ResponseError) else Invalid(error)


class _ResponseError(EnvelopeError):
    def __init__(self) -> None:
        super().__init__(INVALID_REQUEST, "Invalid Request: a response was posted; the gateway asks nothing of clients")


def _message(text: bytes | Raw) -> Message:
    found = jsontext.members(text)
    method = text_of(found.get("method"))
    if not found.keys() <= _ENVELOPE:
        _refuse_twins(found, _ENVELOPE_TWINS)
    if bytes(found.get("jsonrpc", b"")) != _VERSION:
        raise EnvelopeError(INVALID_REQUEST, 'Invalid Request: "jsonrpc" must be "2.0"')
    if method is None:
        if "method" not in found and ("result" in found or "error" in found):
            raise _ResponseError
        raise EnvelopeError(INVALID_REQUEST, 'Invalid Request: "method" must be a string')
    params = _object(found.get("params"), "params")
    if not params.keys() <= _PARAMS:
        _refuse_twins(params, _PARAMS_TWINS)
    meta = _object(params.pop("_meta", None), "_meta")
    name, arguments = text_of(params.pop("name", None)), params.pop("arguments", None)
    return Message(_id(found), method, params, meta, name, None if arguments is None else bytes(arguments))


def _object(raw: Raw | None, name: str) -> dict[str, Raw]:
    if raw is None or bytes(raw) == b"null":
        return _NO_MEMBERS
    try:
        return jsontext.members(raw)
    except jsontext.DuplicateMemberError:
        raise
    except jsontext.JsonTextError:
        raise EnvelopeError(INVALID_REQUEST, f'Invalid Request: "{name}" must be an object') from None


def _id(found: dict[str, Raw]) -> bytes | None:
    if "id" not in found:
        return None
    raw = bytes(found["id"])
    if raw[:1] == b'"' or _INTEGER.fullmatch(raw):
        return raw
    raise EnvelopeError(INVALID_REQUEST, 'Invalid Request: "id" must be a string or an integer')


def _refuse_twins(found: dict[str, Raw], twins: dict[str, str]) -> None:
    """A member that differs from a known one only in case is an attempt at two readings (threat/T16)."""
    for name in found:
        known = twins.get(name.casefold())
        if known is not None and known != name:
            raise EnvelopeError(INVALID_REQUEST, f'Invalid Request: the member "{known}" must be written so')
