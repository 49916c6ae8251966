"""Flow 2, its way back from an MCP server: which of what it answered reaches the caller, and how (gateway/P11).

Pure. Content passes through as it was written; what is not MCP, or not what the tool declares, becomes an error that
a model can act on, with nothing in it of what was received.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from axhub.contract.jsontext import split_array, split_object
from axhub.gateway.domain.mcp_message import NOT_UNDERSTOOD, members_of, protocol_error
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.domain.route import Route
from axhub.gateway.ports import McpAnswer, Outcome
from axhub.gateway.usecases.interpret_answer import SCHEMA_MISMATCH, ToolResult, error, interpret


class PassedResult(msgspec.Struct, frozen=True, gc=False):
    """A result as an MCP server gave it, in parts that take the shape of the caller's revision."""

    blocks: tuple[bytes, ...]
    """The content blocks, compact and otherwise as they came."""
    rest: bytes
    """Every further member of the result that goes on, a comma before each."""
    outcome: Outcome
    meta: bytes = b""
    """The members of `_meta` that go on, a comma between them."""
    structured: bytes | None = None
    structured_on: frozenset[Revision] = frozenset()
    input_required: bool = False
    """Whether the server wants to know more before it can go on; only the stateless era can be told that."""
    error_id: str = ""


class PassedError(msgspec.Struct, frozen=True, gc=False):
    """A protocol error that the tool's server gave for this call."""

    code: int
    text: bytes
    """The JSON-RPC error object as it was written, compact."""
    outcome: Outcome = Outcome.TOOL_ERROR
    error_id: str = ""


class _Block(msgspec.Struct, tag_field="type", kw_only=True):
    """What all kinds of content blocks have (MCP 2025-06-18 on, `ContentBlock`)."""

    meta: dict[str, msgspec.Raw] | None = msgspec.field(name="_meta", default=None)
    annotations: dict[str, msgspec.Raw] | None = None


class _Text(_Block, tag="text", kw_only=True):
    text: str


class _Image(_Block, tag="image", rename="camel", kw_only=True):
    data: str
    mime_type: str


class _Audio(_Block, tag="audio", rename="camel", kw_only=True):
    data: str
    mime_type: str


class _Link(_Block, tag="resource_link", kw_only=True):
    uri: str
    name: str


class _Contents(msgspec.Struct):
    uri: str
    text: str | None = None
    blob: str | None = None


class _Resource(_Block, tag="resource", kw_only=True):
    resource: _Contents


class _NeedsInput(msgspec.Struct, rename="camel"):
    """A result that asks for more (MCP 2026-07-28, `InputRequiredResult`)."""

    input_requests: dict[str, dict[str, msgspec.Raw]] | None = None
    request_state: str | None = None


class _UsualText(msgspec.Struct, tag_field="type", tag="text", forbid_unknown_fields=True, gc=False):
    text: msgspec.Raw


class _Usual(msgspec.Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """A result with one block of text and nothing unusual, as nearly all are."""

    content: tuple[_UsualText]
    structured_content: msgspec.Raw = msgspec.Raw()
    is_error: bool = False
    result_type: msgspec.Raw = msgspec.Raw(b'"complete"')
    meta: dict[str, msgspec.Raw] | None = msgspec.field(name="_meta", default=None)


_USUAL: Final = b'{"content":[{"type":"text","text":"'
_read_usual: Final = msgspec.json.Decoder(_Usual).decode
_read_block: Final = msgspec.json.Decoder(_Text | _Image | _Audio | _Link | _Resource).decode
_read_need: Final = msgspec.json.Decoder(_NeedsInput).decode
_KINDS: Final = frozenset({b'"text"', b'"image"', b'"audio"', b'"resource_link"', b'"resource"'})
MAX_BLOCKS: Final = 10_000
"""Content blocks of one result: more of them would hold up all other callers."""

McpResult = ToolResult | PassedResult | PassedError

_NOT_MCP: Final = "The tool gave an answer that cannot be read."
_NOT_TAKEN: Final = "The tool's server did not understand the gateway's request."
_COMPLETE: Final = b'"complete"'
_INPUT_REQUIRED: Final = b'"input_required"'
_TRUE: Final = b"true"
_HANDLED: Final = frozenset({"content", "structuredContent", "isError", "_meta", "resultType", "ttlMs", "cacheScope"})
_OWN_KEYS: Final = "io.modelcontextprotocol/"
_OPENS_OBJECT: Final = b"{"
_ANY_VALUE: Final = frozenset(revision for revision, traits in TRAITS.items() if traits.output_schema_any_root)
_OBJECTS: Final = frozenset(revision for revision, traits in TRAITS.items() if traits.output_schema)


def interpret_mcp(answer: McpAnswer, route: Route, new_error_id: Callable[[], str]) -> McpResult:
    """Turn what came back into what the caller gets."""
    if answer.http is not None:
        return interpret(answer.http, route, new_error_id)
    if answer.error is not None:
        return _error(answer.error)
    return _result(answer.result or b"", route)


def _error(text: bytes) -> McpResult:
    found = protocol_error(text)
    if found is None:
        return error(_NOT_MCP, Outcome.INVALID_RESULT)
    if found.code in NOT_UNDERSTOOD:  # the caller did not write the request that was refused
        return error(_NOT_TAKEN, Outcome.INVALID_RESULT)
    return PassedError(found.code, text)


def _result(text: bytes, route: Route) -> McpResult:
    usual = _usual(text) if text.startswith(_USUAL) else None
    if usual is None:
        return _any_result(text, route)
    shown = _shown(bytes(usual.structured_content), usual.is_error, route)
    if shown is None:
        return error(SCHEMA_MISMATCH, Outcome.INVALID_RESULT)
    outcome = Outcome.TOOL_ERROR if usual.is_error else Outcome.OK
    return ToolResult(bytes(usual.content[0].text), outcome, usual.is_error, *shown)


def _usual(text: bytes) -> _Usual | None:
    """Return an ordinary result, read in one pass; None: look closely."""
    try:
        found = _read_usual(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    is_text = bytes(found.content[0].text).startswith(b'"')
    has_own_meta = found.meta is not None and not all(name.startswith(_OWN_KEYS) for name in found.meta)
    return found if is_text and not has_own_meta and bytes(found.result_type) == _COMPLETE else None


def _any_result(text: bytes, route: Route) -> McpResult:
    found = split_object(text)
    if found is None:
        return error(_NOT_MCP, Outcome.INVALID_RESULT)
    kind = bytes(found.get("resultType", _COMPLETE))
    if kind == _INPUT_REQUIRED and _needs_input(text):
        return PassedResult((), _rest(found), Outcome.OK, _meta(found), input_required=True)
    blocks = _blocks(found.get("content"))
    if kind != _COMPLETE or blocks is None:
        return error(_NOT_MCP, Outcome.INVALID_RESULT)
    is_error = bytes(found.get("isError", b"")) == _TRUE
    shown = _shown(bytes(found.get("structuredContent", b"")), is_error, route)
    if shown is None:
        return error(SCHEMA_MISMATCH, Outcome.INVALID_RESULT)
    return PassedResult(
        blocks,
        (b',"isError":true' if is_error else b"") + _rest(found),
        Outcome.TOOL_ERROR if is_error else Outcome.OK,
        _meta(found),
        *shown,
    )


def _needs_input(text: bytes) -> bool:
    try:
        need = _read_need(text)
    except msgspec.DecodeError:
        return False
    return need.input_requests is not None or need.request_state is not None


def _blocks(raw: msgspec.Raw | None) -> tuple[bytes, ...] | None:
    """Return the content blocks; None if one does not say what it is, or lacks what its kind needs, or are too many."""
    elements = None if raw is None else split_array(raw)
    if elements is None or len(elements) > MAX_BLOCKS or not all(map(_is_block, elements)):
        return None
    return tuple(bytes(element) for element in elements)


def _is_block(raw: msgspec.Raw) -> bool:
    """Say whether a client can read a block: one that lacks what its kind needs breaks whole client libraries.

    Of a kind that is not known here nothing is known: a later revision's client may read it.
    """
    kind = bytes(members_of(raw).get("type", b""))
    if kind not in _KINDS:
        return kind.startswith(b'"')
    try:
        block = _read_block(raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    if isinstance(block, _Resource):
        return block.resource.text is not None or block.resource.blob is not None
    return True


def _rest(found: dict[str, msgspec.Raw]) -> bytes:
    return b"".join(
        b",%b:%b" % (msgspec.json.encode(name), value) for name, value in found.items() if name not in _HANDLED
    )


def _meta(found: dict[str, msgspec.Raw]) -> bytes:
    own = members_of(found.get("_meta"))
    return b",".join(
        b"%b:%b" % (msgspec.json.encode(name), value) for name, value in own.items() if not name.startswith(_OWN_KEYS)
    )


class _Shown(NamedTuple):
    """What a caller gets of `structuredContent`, and on which revisions."""

    structured: bytes | None
    on: frozenset[Revision]


_NOT_SHOWN: Final = _Shown(None, frozenset())


def _shown(structured: bytes, is_error: bool, route: Route) -> _Shown | None:
    """Return what is shown; None: it is not what the tool declares. With a schema: where that is listed."""
    if route.output is not None:
        if structured and route.output.accepts(structured):
            return _Shown(structured, route.structured)
        # Of an error nothing: some clients hold it against the schema even then, and would lose the error.
        return _NOT_SHOWN if is_error else None
    if not structured:
        return _NOT_SHOWN
    # Without a schema: wherever a value of this kind may stand.
    return _Shown(structured, _OBJECTS if structured.startswith(_OPENS_OBJECT) else _ANY_VALUE)
