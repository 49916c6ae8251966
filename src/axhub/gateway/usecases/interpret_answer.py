"""Flow 2, its way back: what an upstream's answer means to the model (gateway/X3, gateway/X4, gateway/X12).

Pure: an answer in, a result out. Nothing of addresses, traces or exception texts gets through.
"""

import re
from collections.abc import Callable
from typing import Final

import msgspec

from axhub.contract import jsontext
from axhub.contract.errors import public_error_text
from axhub.contract.media import PROBLEM_JSON, media_type
from axhub.gateway.domain.revision import Revision
from axhub.gateway.domain.route import Route
from axhub.gateway.ports import Failure, Outcome, UpstreamAnswer

_as_json = msgspec.json.Encoder().encode
_compact = msgspec.json.format


class ToolResult(msgspec.Struct, frozen=True, gc=False):
    """The result of a call before it takes a revision's shape."""

    text: bytes
    """The text of `content[0]`, already a JSON string with its quotes."""
    outcome: Outcome
    is_error: bool = False
    structured: bytes | None = None
    """`structuredContent` as compact JSON, where the tool has an output schema."""
    structured_on: frozenset[Revision] = frozenset()
    """The revisions that show it: of the snapshot that the call was made on, which may be newer than its request."""
    error_id: str = ""
    """The correlation id that the text shows; it goes to the log too (decision/D14)."""


_FAILURES: Final = {
    Failure.TIMEOUT: (
        Outcome.TIMEOUT,
        "The tool did not answer within its time limit. It is not known whether it did its work.",
    ),
    Failure.UNREACHABLE: (
        Outcome.UNREACHABLE,
        "The connection to the tool broke before it answered. It is not known whether it did its work.",
    ),
    Failure.TOO_LARGE: (
        Outcome.TOO_LARGE,
        "The tool's answer is larger than the gateway passes on. Ask for less: a narrower range or a smaller page.",
    ),
    Failure.INVALID: (Outcome.INVALID_RESULT, "The tool gave an answer that cannot be read."),
    Failure.BUSY: (Outcome.BUSY, "The tool is busy: too many calls are running. Nothing was sent; try again shortly."),
    Failure.CANCELLED: (Outcome.CANCELLED, "The call was cancelled. It is not known whether the tool did its work."),
}
_FINE: Final = Outcome.OK
_JSON_SPACE: Final = b" \t\r\n"
_CONTAINERS: Final = (b"{", b"[")
_OK: Final = 200
_SUCCESS: Final = range(200, 300)
_CLIENT_ERROR: Final = range(400, 500)
_ERROR_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,128}")
_NOT_SENT: Final = {
    Failure.TIMEOUT: "The tool could not be reached within its time limit. Nothing was sent; try again later.",
    Failure.UNREACHABLE: "The tool cannot be reached at the moment. Nothing was sent; try again later.",
}
"""Where the answer says so, a model may be told that a second call does no harm."""
_NOT_UTF8: Final = "The tool gave an answer that is not valid UTF-8 text."
SCHEMA_MISMATCH: Final = "The tool gave an answer that does not match the structure it declares."


def interpret(answer: UpstreamAnswer, route: Route, new_error_id: Callable[[], str]) -> ToolResult:
    """Turn what came back into what the model sees; nothing of addresses or exception texts gets in."""
    body = answer.body
    if answer.status == _OK and route.output is None and body[:1] in _CONTAINERS:
        try:
            text, compacted = body.decode(), _compact(body, indent=-1)
        except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
            pass  # not an ordinary answer, then: look closely
        else:
            return ToolResult(_as_json(text if len(compacted) == len(body) else compacted.decode()), _FINE)
    if answer.failure is not None:
        return _failed(answer)
    if answer.status in _SUCCESS:
        return _succeeded(answer.body, route)
    return _refused(answer, route, new_error_id)


def error(text: str, outcome: Outcome, error_id: str = "") -> ToolResult:
    """Return an error result with this text for the model."""
    return ToolResult(_as_json(text), outcome, is_error=True, error_id=error_id)


def _failed(answer: UpstreamAnswer) -> ToolResult:
    failure = answer.failure or Failure.INVALID
    outcome, text = _FAILURES[failure]
    return error(text if answer.sent else _NOT_SENT.get(failure, text), outcome)


def _succeeded(body: bytes, route: Route) -> ToolResult:
    """Text by content, not by content type (gateway/X3); a declared structure is always checked (gateway/X12)."""
    try:
        text = _text_of(body)
    except UnicodeDecodeError:
        return error(_NOT_UTF8, Outcome.INVALID_RESULT)
    if route.output is None:
        return ToolResult(_as_json(text), Outcome.OK)
    structured = _structured(body)
    if structured is None or not route.output.accepts(structured):
        return error(SCHEMA_MISMATCH, Outcome.INVALID_RESULT)
    return ToolResult(_as_json(text), Outcome.OK, structured=structured, structured_on=route.structured)


def _structured(body: bytes) -> bytes | None:
    """Return a JSON value without white space; None: it is no JSON, or has an escape that many clients cannot read.

    In `content` a lone surrogate is text inside text; as `structuredContent` it would break the client's own reader.
    """
    try:
        return jsontext.compact(body)
    except jsontext.JsonTextError:
        return None


def _text_of(body: bytes) -> str:
    """Return the text; a JSON object or array becomes compact."""
    text = body.decode()  # before anything else: the JSON reader does not look at UTF-8
    if body.lstrip(_JSON_SPACE)[:1] in _CONTAINERS:
        compacted = jsontext.compact_lenient(body)
        if compacted is not None and len(compacted) != len(body):
            return compacted.decode()
    return text


def _refused(answer: UpstreamAnswer, route: Route, new_error_id: Callable[[], str]) -> ToolResult:
    status = answer.status
    if status in _CLIENT_ERROR:  # the model may mend its arguments
        kind = media_type(answer.headers.get(b"content-type", b""))
        is_problem = kind is not None and kind.name == PROBLEM_JSON
        public = public_error_text(answer.body, route.public_error_fields, problem=is_problem)
        if public is not None:
            return error(f"The tool refused the call (HTTP {status}): {public}", Outcome.TOOL_ERROR)
    error_id = _error_id_of(answer) or new_error_id()
    if status < _CLIENT_ERROR.start:  # a redirect is never followed (threat/T02)
        text = f"The tool answered with HTTP {status}, which is no result."
    elif status in _CLIENT_ERROR:
        text = f"The tool refused the call (HTTP {status}) and gave no reason that can be shown."
    else:
        text = f"The tool failed (HTTP {status}). It is not known whether it did its work."
    return error(f"{text} Error id: {error_id}", Outcome.TOOL_ERROR, error_id)


def _error_id_of(answer: UpstreamAnswer) -> str:
    """Return the Tool Service's own correlation id where it is safe to show (decision/D14)."""
    value = answer.headers.get(b"x-error-id", b"")
    return value.decode("ascii") if _ERROR_ID.fullmatch(value) else ""
