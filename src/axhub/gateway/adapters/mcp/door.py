"""What is refused before a body is read as MCP: path, method, `Host`, `Origin`, media type (gateway/P3, P5, P6)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from axhub.contract.endpoints import EndpointError, parse_origin
from axhub.contract.media import is_json
from axhub.gateway.ports import HttpRequest

_PATHS: Final = frozenset({b"/mcp", b"/mcp/"})
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Turned(NamedTuple):
    """A request that is not let in."""

    status: int
    message: str


class Door:
    """The checks of one deployment."""

    def __init__(self, *, allowed_origins: Sequence[str] | None, allowed_hosts: Sequence[str]) -> None:
        """`allowed_origins` None lets every loopback origin in; `allowed_hosts` empty means `Host` is not checked."""
        self._any_loopback = allowed_origins is None
        self._origins = frozenset(_normal_origin(origin) for origin in allowed_origins or ())
        self._hosts = frozenset(host.lower() for host in allowed_hosts)

    def turn_away(self, request: HttpRequest) -> Turned | None:
        """Return why `request` is refused, or None to let it in."""
        if request.path not in _PATHS:
            return Turned(404, "No such path; the MCP endpoint is /mcp")
        headers = request.headers
        if self._hosts and not self._knows_host(headers.get(b"host", b"")):
            return Turned(421, "The Host header names a host that this gateway does not serve; see mcp.allowedHosts")
        origin = headers.get(b"origin")
        if origin is not None and (b"origin" in request.repeated or not self._lets_in(origin)):
            return Turned(403, "The Origin header is not allowed; see mcp.allowedOrigins")
        if request.method != b"POST":
            return Turned(405, "Only POST is served here")
        if not is_json(headers.get(b"content-type", b"")):
            return Turned(415, "Content-Type must be application/json")
        if headers.get(b"content-encoding", b"identity").lower() != b"identity":
            return Turned(415, "Content-Encoding is not supported; send the body as it is")
        return None

    def _knows_host(self, value: bytes) -> bool:
        host = value.decode("latin-1").lower()
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        return host in self._hosts or name in self._hosts

    def _lets_in(self, value: bytes) -> bool:
        text = value.decode("latin-1")
        if _normal_origin(text) in self._origins:
            return True
        if not self._any_loopback:
            return False
        try:
            return parse_origin(text).host in _LOOPBACK
        except EndpointError:
            return False


def _normal_origin(text: str) -> str:
    """Return one spelling for each origin: lower case, with its port."""
    try:
        return str(parse_origin(text))
    except EndpointError:
        return text.lower()
