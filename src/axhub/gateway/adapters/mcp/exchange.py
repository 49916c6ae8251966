"""One `tools/call` between request and response: parameters in, the answer its revision wants out (decision/D5)."""

from typing import Final

from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import Message, text_of
from axhub.gateway.domain.call import ToolCall
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.ports import HttpRequest, Reply
from axhub.gateway.usecases.call_tool import Refusal, Refused
from axhub.gateway.usecases.interpret_answer import ToolResult

_NO_ARGUMENTS: Final = b"{}"
_OPENS_OBJECT: Final = 0x7B


_REFUSALS: Final = {
    Refusal.OVERLOADED: (503, wire.INTERNAL_ERROR),
    Refusal.UNAVAILABLE: (503, wire.INTERNAL_ERROR),
    Refusal.HEADER_MISMATCH: (400, wire.HEADER_MISMATCH),
}


class ParamsError(ValueError):
    """The `params` of a `tools/call` cannot be used; answered as `-32602`."""


def tool_call(message: Message, request: HttpRequest, revision: Revision) -> ToolCall:
    """Read the parameters of a `tools/call`; the arguments stay the bytes they are (gateway/X1).

    Raises:
        ParamsError: no name, or `arguments` is not an object.
    """
    params = message.params
    name = text_of(params.get("name"))
    if name is None:
        raise ParamsError("params.name must be a string: the name of a tool")
    arguments = bytes(params["arguments"]) if "arguments" in params else _NO_ARGUMENTS
    if arguments[0] != _OPENS_OBJECT:
        raise ParamsError("params.arguments must be an object")
    traceparent = text_of(message.meta.get("traceparent")) if message.meta else None
    return ToolCall(
        name,
        arguments,
        request.headers,
        request.repeated,
        b"" if traceparent is None else traceparent.encode("utf-8", "replace"),
        TRAITS[revision].stateless,
    )


class Exchange:
    """Waits for the end of one call and answers its request."""

    __slots__ = ("_id", "_not_found_code", "_reply", "_revision", "_stateless_members")

    def __init__(
        self, request_id: bytes, reply: Reply, revision: Revision, stateless_members: bytes, not_found_code: int
    ) -> None:
        """`stateless_members` is empty on the handshake revisions."""
        self._id = request_id
        self._reply = reply
        self._stateless_members = stateless_members
        self._revision = revision
        self._not_found_code = not_found_code

    def completed(self, result: ToolResult, milliseconds: int) -> None:
        """Answer with what came of the call."""
        structured = result.structured
        if structured is not None and self._revision not in result.structured_on:
            structured = None
        self._reply(wire.OK, wire.call_body(self._id, result, milliseconds, self._stateless_members, structured))

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
