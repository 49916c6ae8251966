"""The gateway's ports: how a front reaches the core, and what the core needs from outside.

Protocols and frozen data only. Nothing here may block; what waits is a coroutine or takes a callback,
and its docstring says when the answer comes. Every failure is a value, never an exception.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import msgspec

from axhub.contract.endpoints import Origin
from axhub.gateway.domain.call import HeadNotes

TOO_MANY_CONNECTIONS = "The server has too many connections."
"""What a front says to a caller above its limit of connections: of its own refusals, the one that is overload (O6)."""
Cancel = Callable[[], None]
"""Tells the receiver of a request that its caller has gone; calling it late or twice does nothing."""


class HttpRequest(msgspec.Struct, frozen=True, gc=False):
    """One whole HTTP request as a front read it."""

    method: bytes
    path: bytes
    """The request target as sent, without its query."""
    headers: Mapping[bytes, bytes]
    """Lower-case names to values with outer blanks trimmed; of a repeated name, the first value."""
    repeated: frozenset[bytes]
    """Names that came more than once."""
    body: bytes
    notes: HeadNotes | None = None
    """What was made of this head before, on a connection that repeats it; None: it is a new one."""


@dataclass(frozen=True, slots=True, eq=False)
class ReplyHead:
    """Status and headers of an answer. Heads are made once and compared by identity, so a front can cache its bytes.

    `Content-Length` is the front's to add; `close` asks it to end the connection after this answer.
    """

    status: int
    headers: tuple[tuple[bytes, bytes], ...] = ()
    close: bool = False


class Reply(Protocol):
    """Sends the one answer to a request, whole or in pieces; on the event loop's thread."""

    def __call__(self, head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        """Send `head`, then `body` and `tail` as one body; a large `tail` is written without being copied.

        With `more` the answer stays open, for server-sent events: the first call sends the head and a first piece,
        each later one a further piece at once (its `head` is not looked at), and the one without `more` ends the
        answer. Pieces for a caller that has gone are dropped.
        """
        ...


class HttpHandler(Protocol):
    """The core as a front sees it. Called with each whole request; calls `reply` once, at once or later."""

    def __call__(self, request: HttpRequest, reply: Reply) -> Cancel | None:
        """Answer `request`; what is returned is called if the caller disconnects before the answer."""
        ...


class Failure(StrEnum):
    """Why an upstream gave no usable answer."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    """Refused, reset or closed: `sent` in the answer says whether a byte of the request may have arrived."""
    TOO_LARGE = "too_large"
    INVALID = "invalid"
    """Not HTTP, an encoded body, bytes where none belong."""
    BUSY = "busy"
    CANCELLED = "cancelled"


class UpstreamRequest(msgspec.Struct, frozen=True, gc=False):
    """One request to one origin."""

    bundle: str
    """Whose bulkhead it goes through (gateway/X9)."""
    origin: Origin
    head: bytes
    """Request line and headers, each ended by CRLF, without `Content-Length`, `Connection` and the empty line."""
    body: bytes
    timeout: float
    """Seconds for everything: queueing, connecting, writing, headers and body (gateway/X11)."""


class UpstreamAnswer(msgspec.Struct, frozen=True, gc=False):
    """What came back: an HTTP answer, or a failure with status 0."""

    status: int
    headers: Mapping[bytes, bytes]
    """Lower-case names; of a repeated name, the last value."""
    body: bytes
    failure: Failure | None = None
    sent: bool = True
    """False if certainly no byte of the request reached the upstream."""
    detail: str = ""
    """Why no connection could be made, for the operator; never shown to callers."""


class Upstream(Protocol):
    """Sends each request at most once (gateway/X6); never follows redirects, keeps cookies or decodes bodies."""

    def send(
        self,
        request: UpstreamRequest,
        on_done: Callable[[UpstreamAnswer], None],
        on_event: Callable[[bytes], bool] | None = None,
    ) -> Cancel:
        """Start a request; `on_done` is called exactly once, at once if the bundle is busy, else later.

        If `on_event` is given and a 2xx answer is a `text/event-stream`, it gets the data of each event as it comes,
        and the answer's body is empty. It returns True once no more is wanted: what is left of the stream is then
        waited for only briefly, so that the connection can be used again.
        Cancelling aborts the connection and ends in `Failure.CANCELLED`.
        """
        ...


class McpCall(msgspec.Struct, frozen=True, gc=False):
    """One `tools/call` to a bundle that is an MCP server (gateway/P11)."""

    bundle: str
    name: bytes
    """The tool's own name, as a header value and, in quotes, as JSON."""
    headers: bytes
    """The caller's headers that go on and the arguments that are mirrored, each line ended by CRLF."""
    arguments: bytes
    """The `arguments` object's own bytes (gateway/X1)."""
    meta: Mapping[str, msgspec.Raw]
    """`_meta` as the caller sent it."""
    capabilities: bytes
    """What the caller said it can do, as a JSON object (`clientCapabilities`)."""
    retry: bytes
    """`inputResponses` and `requestState` as members with a comma before each; empty on a first call."""
    timeout: float
    """Seconds for everything (gateway/X11)."""


class McpAnswer(msgspec.Struct, frozen=True, gc=False):
    """What came of a call to an MCP server: exactly one of the three is set."""

    result: bytes | None = None
    """The `result` of the response, as it was written."""
    error: bytes | None = None
    """The `error` of the response, as it was written."""
    http: UpstreamAnswer | None = None
    """What came instead of a response."""


class McpUpstream(Protocol):
    """Calls tools of MCP servers, in the era that each of them speaks; a call is sent once (gateway/X6).

    The one exception: a session of the handshake era that has died is opened anew, and the call sent once more.
    """

    def call(
        self, call: McpCall, on_done: Callable[[McpAnswer], None], on_progress: Callable[[bytes], None] | None
    ) -> Cancel:
        """Start a call; `on_done` is called exactly once.

        `on_progress` gets the `params` of each progress notification without their token, without braces, for a
        caller that asked for them. Cancelling tells the server as its era wants it, and ends in `Failure.CANCELLED`.
        """
        ...


class PullFailure(StrEnum):
    """Why a pull did not bring a manifest: the values of `lastFailureReason` (gateway/M2)."""

    CONNECT_FAILED = "ConnectFailed"
    TIMED_OUT = "TimedOut"
    HTTP_STATUS = "HttpStatus"
    CONTENT_TYPE = "ContentType"
    TOO_LARGE = "TooLarge"
    INVALID_JSON = "InvalidJson"
    INVALID_MANIFEST = "InvalidManifest"
    UNEXPECTED_NOT_MODIFIED = "UnexpectedNotModified"


@dataclass(frozen=True, slots=True)
class Pulled:
    """The result of one pull: exactly one of `body`, `not_modified` and `failure` is set."""

    body: bytes | None = None
    not_modified: bool = False
    failure: PullFailure | None = None
    detail: str = ""
    """For the operator's log only; may name the manifest's declared address without its query; quotes no exception."""
    fresh_seconds: float | None = None
    """How long the source says that a body holds; it can only shorten the wait for the next pull (gateway/P11)."""


class ManifestSource(Protocol):
    """Brings the manifest of one bundle (gateway/G4); called by the refresh only, one call a bundle at a time."""

    async def pull(self, bundle_id: str, if_none_match: str | None) -> Pulled:
        """Return what came within the deadline; never raise for anything the other side does."""
        ...


class ManifestCache(Protocol):
    """Last-good manifests shared between replicas; a miss and a fault are the same: None (ops/O1)."""

    async def load(self, bundle_id: str) -> bytes | None:
        """Return the manifest document last stored for the bundle."""
        ...

    async def store(self, bundle_id: str, body: bytes) -> None:
        """Keep an adopted manifest document."""
        ...


class Clock(Protocol):
    """Time. Deadlines and schedules use `monotonic`, what people read uses `now`."""

    def monotonic(self) -> float:
        """Return seconds that never jump."""
        ...

    def now(self) -> datetime:
        """Return the wall clock's time in UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds of `monotonic`."""
        ...


class Severity(StrEnum):
    """How loud an event is."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class EventLog(Protocol):
    """Structured log events; never blocks (chapter Logs of the gateway's page)."""

    def event(self, severity: Severity, name: str, /, **fields: str | float | bool | None) -> None:
        """Write one event; field names are camelCase."""
        ...


class Outcome(StrEnum):
    """How a call ended: the label of `axhub_tool_calls_total` (gateway/M3)."""

    OK = "ok"
    TOOL_ERROR = "tool_error"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    TOO_LARGE = "too_large"
    INVALID_RESULT = "invalid_result"
    BUSY = "busy"
    CANCELLED = "cancelled"
    REFUSED = "refused"
    """Refused before a call was made: bad arguments, bad headers, overload, no snapshot."""
    NOT_FOUND = "not_found"


class CallRecord(msgspec.Struct, frozen=True, gc=False):
    """What is kept of one `tools/call`: for the log line and the metrics."""

    tool: str | None
    """A name of the catalogue, or None for a name that is not in it."""
    outcome: Outcome
    seconds: float
    guid: bytes
    """The caller's header values as sent, or empty."""
    x_request_id: bytes
    trace_id: bytes
    error_id: str = ""
    """The correlation id that the caller was shown, if any."""


CallObserver = Callable[[CallRecord], None]
"""Hears of every call once, when it has ended; must return fast."""
