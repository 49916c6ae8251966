"""One `tools/call` between request and response: parameters in, the answer its revision wants out (decision/D5)."""

from typing import Final, cast

import msgspec

from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import Message, text_of
from axhub.gateway.adapters.mcp.passed import passed_body
from axhub.gateway.domain.call import ToolCall
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.ports import HttpRequest, Outcome, Reply, ReplyHead
from axhub.gateway.usecases.call_tool import Refusal, Refused
from axhub.gateway.usecases.interpret_answer import ToolResult, error
from axhub.gateway.usecases.interpret_mcp import McpResult, PassedError, PassedResult

_BAD_REQUESTS: Final = frozenset({wire.INVALID_PARAMS, wire.MISSING_CAPABILITY})
"""Errors of a server that revision 2026-07-28 answers with HTTP 400."""
_NEEDS_INPUT: Final = (
    "The tool needs further input from its user before it can go on, and asking for it takes a client of MCP "
    "revision 2026-07-28."
)
_NO_ARGUMENTS: Final = b"{}"
_OPENS_OBJECT: Final = 0x7B


_REFUSALS: Final = {
    Refusal.OVERLOADED: (503, wire.INTERNAL_ERROR),
    Refusal.UNAVAILABLE: (503, wire.INTERNAL_ERROR),
    Refusal.HEADER_MISMATCH: (400, wire.HEADER_MISMATCH),
}


class ParamsError(ValueError):
    """The `params` of a `tools/call` cannot be used; answered as `-32602`."""


def tool_call(message: Message, request: HttpRequest, stateless: bool) -> ToolCall:
    """Read the parameters of a `tools/call`; the arguments stay the bytes they are (gateway/X1).

    `stateless` tells the era of its revision.

    Raises:
        ParamsError: no name, or `arguments` is not an object.
    """
    name, meta = message.name, message.meta
    if name is None:
        raise ParamsError("params.name must be a string: the name of a tool")
    arguments = _NO_ARGUMENTS if message.arguments is None else message.arguments
    if arguments[0] != _OPENS_OBJECT:
        raise ParamsError("params.arguments must be an object")
    traceparent = b""
    if "traceparent" in meta:
        traceparent = (text_of(meta["traceparent"]) or "").encode("utf-8", "replace")
    return ToolCall(
        name, arguments, request.headers, request.repeated, traceparent, stateless, meta, message.params, request.notes
    )


def progress_token(message: Message, request: HttpRequest) -> bytes | None:
    """Return the token of a caller that asks for progress and takes event streams, or None."""
    token = message.meta.get("progressToken")
    if token is None or b"text/event-stream" not in request.headers.get(b"accept", b"").lower():
        return None
    raw = bytes(token)
    return raw if raw[:1] == b'"' or raw.removeprefix(b"-").isdigit() else None


class Exchange(msgspec.Struct, eq=False):
    """Waits for the end of one call and answers its request."""

    _id: bytes
    _reply: Reply
    _revision: Revision
    _stateless_members: bytes
    """Empty on the handshake revisions."""
    _not_found_code: int
    _token: bytes | None = None
    """Set if progress may be told."""
    _streaming: bool = False

    def completed(self, result: McpResult, milliseconds: int) -> None:
        """Answer with what came of the call."""
        if type(result) is not ToolResult:
            self._pass_on(cast("PassedResult | PassedError", result), milliseconds)
            return
        structured = result.structured
        if structured is not None and self._revision not in result.structured_on:
            structured = None
        body = wire.CALL_BODY % (
            self._id,
            result.text,
            milliseconds,
            b',"isError":true' if result.is_error else b"",
            b"" if structured is None else b',"structuredContent":%b' % structured,
            self._stateless_members,
        )
        if self._streaming:
            self._answer(wire.OK, body)
        else:
            self._reply(wire.OK, body)

    def progressed(self, params: bytes) -> None:
        """Tell the caller how far its call is, if it wants to know; the first time opens an event stream for that."""
        if self._token is None:
            return
        self._streaming = True
        notice = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%b%b}}'
        self._reply(wire.OK_EVENTS, wire.as_event(notice % (self._token, params)), more=True)

    def _pass_on(self, result: PassedResult | PassedError, milliseconds: int) -> None:
        """Answer with what an MCP server said, in the words of the caller's revision."""
        stateless = TRAITS[self._revision].stateless
        if not stateless and _asks_for_input(result):
            self.completed(error(_NEEDS_INPUT, Outcome.TOOL_ERROR), milliseconds)
        elif isinstance(result, PassedError):
            head = wire.head_of(400) if stateless and result.code in _BAD_REQUESTS else wire.OK
            self._answer(head, b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (self._id, result.text))
        else:
            body = passed_body(self._id, result, milliseconds, self._revision, self._stateless_members)
            self._answer(wire.OK, body)

    def _answer(self, head: ReplyHead, body: bytes) -> None:
        """Send the response: as the last event of a stream that has begun, else alone."""
        if self._streaming:
            self._reply(wire.OK_EVENTS, wire.as_event(body))
        else:
            self._reply(head, body)

    def refused(self, refused: Refused) -> None:
        """Answer that no call was made, as the revision wants it said."""
        stateless = TRAITS[self._revision].stateless
        if refused.refusal is Refusal.NOT_FOUND:
            status, code = 200, self._not_found_code
        elif refused.refusal is Refusal.INVALID_HEADER:
            status, code = (400 if stateless else 200), wire.INVALID_PARAMS
        else:
            status, code = _REFUSALS[refused.refusal]
        data = {"reason": refused.refusal.value}
        self._reply(wire.head_of(status), wire.error_body(self._id, code, refused.message, data))


def _asks_for_input(result: PassedResult | PassedError) -> bool:
    """Say whether a server needs to ask something; some refuse at once where the caller cannot be asked."""
    if isinstance(result, PassedError):
        return result.code == wire.MISSING_CAPABILITY
    return result.input_required
