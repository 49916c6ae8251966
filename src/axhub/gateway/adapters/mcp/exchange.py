"""One `tools/call` between request and response: parameters in, the answer its revision wants out (decision/D5)."""

from typing import Final

from axhub.gateway.adapters.mcp import wire
from axhub.gateway.adapters.mcp.envelope import Message, text_of
from axhub.gateway.domain.call import ToolCall
from axhub.gateway.domain.revision import TRAITS, Revision
from axhub.gateway.ports import HttpRequest, Reply
from axhub.gateway.usecases.call_tool import Completed, Refusal, Refused

_NO_ARGUMENTS: Final = b"{}"
_OPENS_OBJECT: Final = 0x7B


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
        self, request_id: bytes, reply: Reply, *, revision: Revision, stateless_members: bytes, not_found_code: int
    ) -> None:
        """`stateless_members` is empty on the handshake revisions."""
        self._id = request_id
        self._reply = reply
        self._stateless_members = stateless_members
        self._revision = revision
        self._not_found_code = not_found_code

    def done(self, outcome: Completed | Refused) -> None:
        """Answer."""
        if isinstance(outcome, Refused):
            self._refuse(outcome)
            return
        result = outcome.result
        structured = result.structured if self._revision in result.structured_on else None
        self._reply(
            wire.OK, wire.call_body(self._id, result, outcome.milliseconds, self._stateless_members, structured)
        )

    def _refuse(self, refused: Refused) -> None:
        bad_request = 400 if self._stateless_members else 200
        status, code = {
            Refusal.NOT_FOUND: (200, self._not_found_code),
            Refusal.OVERLOADED: (503, wire.INTERNAL_ERROR),
            Refusal.UNAVAILABLE: (503, wire.INTERNAL_ERROR),
            Refusal.INVALID_HEADER: (bad_request, wire.INVALID_PARAMS),
            Refusal.HEADER_MISMATCH: (400, wire.HEADER_MISMATCH),
        }[refused.refusal]
        data = {"reason": refused.refusal.value}
        self._reply(wire.head_of(status), wire.error_body(self._id, code, refused.message, data))
