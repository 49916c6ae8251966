"""What the answers of an MCP server mean: a response, a refusal, the end of a session, or nothing (gateway/P11).

Pure. Whatever does not mean anything becomes a fault that a pull is told with.
"""

from typing import Final, NamedTuple

from axhub.contract.endpoints import EndpointError, parse_url
from axhub.contract.media import is_json, media_type
from axhub.gateway.adapters.mcp_client.session import Session
from axhub.gateway.domain.mcp_message import NOT_UNDERSTOOD, Message, Response, protocol_error, read_message
from axhub.gateway.ports import Failure, PullFailure, UpstreamAnswer

OK: Final = range(200, 300)
BAD_REQUEST: Final = 400
_ANSWER, _NOT_FOUND = 200, 404
_UNKNOWING: Final = frozenset({400, 404, 405, 406, 410, 415, 501})
"""Statuses of servers that do not know what they are asked."""
_REDIRECTS: Final = range(300, 400)
_NOT_FOLLOWED: Final = " (redirects are not followed)"
_MAX_SHOWN_PATH: Final = 200
_EVENT_STREAM: Final = b"text/event-stream"
_FAILURES: Final = {Failure.TIMEOUT: PullFailure.TIMED_OUT, Failure.TOO_LARGE: PullFailure.TOO_LARGE}


class Answered(NamedTuple):
    """What a request of the gateway's own brought."""

    http: UpstreamAnswer
    response: Response | None
    """None if there was none."""


class McpFaultError(Exception):
    """A server could not be asked; `reason` and `detail` are those of a failed pull."""

    def __init__(self, reason: PullFailure, detail: str, *, reached: bool = True) -> None:
        """`reached` is False if certainly nothing came to the server."""
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.reached = reached


class OutOfTimeError(McpFaultError):
    """Who waited for a server has no more time; the server may have some."""


def unanswered(http: UpstreamAnswer, address: str) -> McpFaultError:
    """Return why no HTTP answer came."""
    failure = http.failure or Failure.INVALID
    reason = _FAILURES.get(failure, PullFailure.CONNECT_FAILED)
    return McpFaultError(reason, f"{http.detail or failure.value} at {address}", reached=http.sent)


def refused(found: Answered, address: str) -> McpFaultError:
    """Return why an answer is not the one that was asked for."""
    http, response = found.http, found.response
    error = None if response is None else protocol_error(response.error or b"")
    said = "" if error is None else f" with the JSON-RPC error {error.code}"
    if http.status != _ANSWER:
        detail = f"HTTP {http.status}{said} from {address}{_whereto(http, address)}"
        return McpFaultError(PullFailure.HTTP_STATUS, detail)
    if is_encoded(http):
        return McpFaultError(PullFailure.CONTENT_TYPE, f"an encoded body from {address}")
    kind = http.headers.get(b"content-type", b"")
    if not is_json(kind) and not is_event_stream(http):
        return McpFaultError(PullFailure.CONTENT_TYPE, f"Content-Type {kind[:80]!r} from {address}")
    if response is not None:
        return McpFaultError(PullFailure.INVALID_MANIFEST, f"no result{said} from {address}")
    return McpFaultError(PullFailure.INVALID_JSON, f"no JSON-RPC response from {address}")


def _whereto(http: UpstreamAnswer, address: str) -> str:
    """Return what to do about a redirect: one that stays on the server names the address that was meant."""
    if http.status not in _REDIRECTS:
        return ""
    try:
        origin = parse_url(address).origin
        location = http.headers.get(b"location", b"").decode()
        inside = location.startswith("/") and not location.startswith("//")
        found = parse_url(f"{origin}{location}" if inside else location)
    except (UnicodeDecodeError, EndpointError):
        return _NOT_FOLLOWED
    path = found.target.partition(b"?")[0].decode()
    if found.origin != origin or len(path) > _MAX_SHOWN_PATH:
        return _NOT_FOLLOWED
    return f" (it redirects to {path}: write that as manifestUrl)"


def is_dead_session(session: Session, http: UpstreamAnswer) -> bool:
    """Say whether a request was refused because its session has gone, so that it certainly was not carried out.

    The standard's answer is 404. Some servers give 400 with an error that names no request, or with no message at
    all: they did not look at it.
    """
    if not session.id or http.failure is not None:
        return False
    if http.status == _NOT_FOUND:
        return True
    if http.status != BAD_REQUEST:
        return False
    message = read_message(http.body)
    return message is None or (isinstance(message, Response) and message.error is not None and message.id is None)


def speaks_otherwise(session: Session, found: Answered) -> bool:
    """Say whether an answer may come from a server that has restarted, or that is another one by now.

    A server that understood the request and could not do it, or that is overloaded, is still the one that it was.
    """
    http, response = found.http, found.response
    if is_dead_session(session, http) or http.status in _UNKNOWING:
        return True
    error = None if response is None else protocol_error(response.error or b"")
    return error is not None and error.code in NOT_UNDERSTOOD


def response_in(http: UpstreamAnswer, number: int) -> Response | None:
    """Return the response to a request that is the body of an answer, or None."""
    if http.failure is not None or not is_json(http.headers.get(b"content-type", b"")):
        return None
    response = response_to(number, read_message(http.body))
    return None if response is None else counted(http, response)


def response_to(number: int, message: Message | None) -> Response | None:
    """Return a message if it answers a request; an error need not say which, if the request could not be read."""
    if not isinstance(message, Response):
        return None
    unread = message.id is None and message.error is not None
    return message if unread or message.id == b"%d" % number else None


def counted(http: UpstreamAnswer, response: Response) -> Response | None:
    """Return a response if it counts: an error does with every status, a result only with 200 (gateway/G5)."""
    if is_encoded(http):
        return None
    unsaid = http.failure is not None  # the response came, and its stream then did not end as it should
    return response if response.error is not None or http.status == _ANSWER or unsaid else None


def is_encoded(http: UpstreamAnswer) -> bool:
    """Say whether an answer is packed, though nothing of that kind was asked for."""
    return http.headers.get(b"content-encoding", b"").strip().lower() not in {b"", b"identity"}


def is_event_stream(http: UpstreamAnswer) -> bool:
    """Say whether an answer is a `text/event-stream`."""
    found = media_type(http.headers.get(b"content-type", b""))
    return found is not None and found.name == _EVENT_STREAM
