"""Below the client library: connections, bounds, the headers of one call, and what is known of a request that failed.

The library would follow redirects, read answers of any size and spell arguments its own way. Here an answer is read
within its bound before the library sees it, and the arguments that were approved are the bytes that are sent.
"""

import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import httpx2
import msgspec

from axhub import __version__
from axhub.agent.adapters.mcp_tools.server import McpServer

__all__ = ["LostError", "Pool", "Requests", "Seen", "TooLargeError", "UnsentError"]

_SESSION: Final = "mcp-session-id"
_STREAM: Final = "text/event-stream"
_IDLE_SECONDS: Final = 2.0
"""Less than servers keep an idle connection: one that is used while they close it would be an outcome unknown."""
_CONNECTIONS: Final = 100
_NOTHING_SENT: Final = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.LocalProtocolError,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
)
_GOODBYE: Final = dict.fromkeys(("connect", "pool", "read", "write"), 1.0)
_CALL: Final = b'"tools/call"'
_FRAMING: Final = frozenset({b"content-length", b"transfer-encoding", b"connection"})
_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class UnsentError(Exception):
    """No connection could be had, so nothing of the request has left."""


class LostError(Exception):
    """The request has left, and no answer came that says what became of it."""


class TooLargeError(LostError):
    """The answer is larger than what is read of one."""


@dataclass(slots=True)
class Seen:
    """What is known of the last answer beside what the library says."""

    status: int = 0
    names_request: bool = False
    """Whether it is a JSON-RPC error about this very request: else nobody has read it. The library does not tell."""
    session: str | None = None
    """The session that the server gave, if it is one that has them."""


class Pool:
    """The connections to one server, shared by its list and all calls; nothing of the environment is looked at."""

    def __init__(self, server: McpServer) -> None:
        """Take the server.

        Raises:
            OSError: its file of certificates cannot be read.
        """
        self._server = server
        limits = httpx2.Limits(
            max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS, keepalive_expiry=_IDLE_SECONDS
        )
        self.transport = httpx2.AsyncHTTPTransport(verify=_trust(server), trust_env=False, limits=limits)

    def client(
        self, seen: Seen, headers: Mapping[str, str], arguments: bytes | None, connect_seconds: float
    ) -> httpx2.AsyncClient:
        """Return a client for one conversation; it ends without ending the connections.

        Args:
            seen: what is kept of its answers.
            headers: of each of its requests, with those that the server's settings say.
            arguments: of its `tools/call`, as they leave; None: it makes none.
            connect_seconds: how long to wait for a connection.
        """
        own = {"user-agent": f"axhub/{__version__}", "accept-encoding": "identity"}
        return httpx2.AsyncClient(
            transport=Requests(self.transport, seen, arguments, self._server.max_answer_bytes),
            headers={**own, **self._server.headers, **headers},
            timeout=httpx2.Timeout(None, connect=connect_seconds, pool=connect_seconds),
            trust_env=False,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self.transport.aclose()


def _trust(server: McpServer) -> ssl.SSLContext | bool:
    """Return whose certificates are believed; nobody's where nothing is encrypted, as reading them takes a while.

    Redirects are not followed, so what begins as `http` stays that.
    """
    if server.url.lower().startswith("http:"):
        return False
    context = ssl.create_default_context()
    if server.ca_file is not None:
        context.load_verify_locations(server.ca_file)
    return context


class Requests(httpx2.AsyncBaseTransport):
    """The requests of one conversation, over connections that are shared."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, seen: Seen, arguments: bytes | None, most_bytes: int) -> None:
        self._inner = inner
        self._seen = seen
        self._arguments = arguments
        self._most_bytes = most_bytes

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request, once.

        Raises:
            UnsentError, LostError: see there.
        """
        if request.method == "DELETE":  # the end of a session must not hold up the end of the process
            request.extensions = {**request.extensions, "timeout": _GOODBYE}
        message = _members(request.content) if request.method == "POST" else {}
        is_asked = self._arguments is None
        if self._arguments is not None and bytes(message.get("method", b"")) == _CALL:
            request, is_asked = _with_arguments(request, message, self._arguments), True
        try:
            response = await self._inner.handle_async_request(request)
        except _NOTHING_SENT as error:
            raise UnsentError(type(error).__name__) from error
        except httpx2.TransportError as error:
            raise LostError(type(error).__name__) from error
        if is_asked:  # not the answer to a notification, or to an answer of ours
            self._seen.status = response.status_code
            self._seen.session = response.headers.get(_SESSION, self._seen.session)
        read = await self._read(response)
        if is_asked and response.is_error:
            self._seen.names_request = _named(read) == bytes(message.get("id", b""))
        return read

    async def aclose(self) -> None:
        """Leave the connections to the next conversation."""

    async def _read(self, response: httpx2.Response) -> httpx2.Response:
        if HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST:
            await response.aclose()
            raise LostError(f"redirect with status {response.status_code}")
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise LostError("an answer that is encoded, which was not asked for")
        headers = [pair for pair in response.headers.raw if pair[0].lower() not in _FRAMING]
        body = _Bounded(response, self._most_bytes)
        if response.headers.get("content-type", "").lower().startswith(_STREAM):
            return httpx2.Response(response.status_code, headers=headers, stream=body)
        try:
            content = b"".join([piece async for piece in body])
        finally:
            await response.aclose()
        return httpx2.Response(response.status_code, headers=headers, content=content)


def _named(response: httpx2.Response) -> bytes:
    """Return the id of the request that an error is about, as JSON; nothing if it is no error about one."""
    if not response.headers.get("content-type", "").lower().startswith("application/json"):
        return b""
    try:
        said = _members(response.content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return b""
    return bytes(said.get("id", b"")) if "error" in said else b""


class _Bounded(httpx2.AsyncByteStream):
    """An answer's bytes up to a bound."""

    def __init__(self, response: httpx2.Response, most: int) -> None:
        self._response = response
        self._left = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._response.aiter_raw():
                self._left -= len(piece)
                if self._left < 0:
                    raise TooLargeError
                yield piece
        except httpx2.TransportError as error:
            raise LostError(type(error).__name__) from error

    async def aclose(self) -> None:
        await self._response.aclose()


def _with_arguments(request: httpx2.Request, message: dict[str, msgspec.Raw], arguments: bytes) -> httpx2.Request:
    """Return a `tools/call` with its arguments as they were approved."""
    params = _members(message["params"])
    params["arguments"] = msgspec.Raw(arguments)
    content = msgspec.json.encode({**message, "params": msgspec.Raw(msgspec.json.encode(params))})
    headers = [pair for pair in request.headers.raw if pair[0].lower() != b"content-length"]
    return httpx2.Request(request.method, request.url, headers=headers, content=content, extensions=request.extensions)
