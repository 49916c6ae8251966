"""Manifests over HTTP: one plain GET a pull, on a connection of its own (gateway/G4, gateway/G5, seed 001 §4)."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from axhub.contract.endpoints import Endpoint, Origin
from axhub.contract.media import is_json
from axhub.gateway.ports import Failure, Pulled, PullFailure, UpstreamAnswer

GRACE_SECONDS: Final = 0.2
"""What the absolute deadline allows beyond connect and read timeout (gateway/G4)."""
GUARD_SECONDS: Final = 0.3
"""How long after the deadline a client that does not keep it is given up."""

OK: Final = 200
NOT_MODIFIED: Final = 304
REDIRECTS: Final = range(300, 400)
NOT_MANIFESTS: Final = frozenset({406, 415})
"""How MCP servers refuse a plain GET."""

_FAILURES: Final = {
    Failure.TIMEOUT: PullFailure.TIMED_OUT,
    Failure.TOO_LARGE: PullFailure.TOO_LARGE,
}
"""Other failures of the client mean that no HTTP answer could be had at all: `ConnectFailed`."""

_ETAG_TEXT: Final = re.compile(r"[!#-~]+")
"""What may stand between the quotes of an entity tag, without bytes beyond ASCII (RFC 9110 §8.8.3)."""


Fetch = Callable[[Origin, bytes, float, int], Awaitable[UpstreamAnswer]]
"""Sends a request head to an origin on a connection of its own, closed after it; follows, keeps and decodes nothing.

The last two are the deadline for everything in seconds and the bound of the body in bytes; both end in a failure value.
"""


class HttpManifestSource:
    """Gets the manifest of a bundle from its `manifestUrl`."""

    def __init__(
        self,
        fetch: Fetch,
        endpoints: Mapping[str, Endpoint],
        *,
        connect_timeout: float,
        read_timeout: float,
        max_bytes: int,
    ) -> None:
        """Timeouts are in seconds; together they bound the whole pull, whatever comes in between."""
        self._fetch = fetch
        self._endpoints = endpoints
        self._deadline = connect_timeout + read_timeout + GRACE_SECONDS
        self._max_bytes = max_bytes

    async def pull(self, bundle_id: str, if_none_match: str | None) -> Pulled:
        """Return what came within the deadline; a revision that cannot be an entity tag is not asked for."""
        endpoint = self._endpoints[bundle_id]
        tag = if_none_match if if_none_match and _ETAG_TEXT.fullmatch(if_none_match) else None
        try:
            async with asyncio.timeout(self._deadline + GUARD_SECONDS):
                answer = await self._fetch(endpoint.origin, _head(endpoint, tag), self._deadline, self._max_bytes)
        except TimeoutError:
            return Pulled(failure=PullFailure.TIMED_OUT, detail=f"no whole answer from {_shown(endpoint)} in time")
        return _judge(answer, _shown(endpoint), asked=tag is not None)


def _shown(endpoint: Endpoint) -> str:
    """Return the address for the log, without its query: a deployment may keep a key there."""
    address, mark, _ = str(endpoint).partition("?")
    return f"{address}?…" if mark else address


def _head(endpoint: Endpoint, tag: str | None) -> bytes:
    lines = [
        b"GET %b HTTP/1.1" % endpoint.target,
        b"Host: %b" % endpoint.origin.authority,
        b"Accept: application/json",
        b"Accept-Encoding: identity",
    ]
    if tag is not None:
        lines.append(b'If-None-Match: "%b"' % tag.encode())
    return b"".join(line + b"\r\n" for line in lines)


def _judge(answer: UpstreamAnswer, address: str, *, asked: bool) -> Pulled:
    if answer.failure is not None:
        reason = _FAILURES.get(answer.failure, PullFailure.CONNECT_FAILED)
        return Pulled(failure=reason, detail=f"{answer.detail or answer.failure.value} at {address}")
    if answer.status == NOT_MODIFIED:
        if asked:
            return Pulled(not_modified=True)
        return Pulled(failure=PullFailure.UNEXPECTED_NOT_MODIFIED, detail=f"304 without a condition from {address}")
    if answer.status != OK:
        detail = f"HTTP {answer.status} from {address}{_hint(answer.status)}"
        return Pulled(failure=PullFailure.HTTP_STATUS, detail=detail)
    problem = _content_problem(answer.headers)
    if problem is not None:
        return Pulled(failure=PullFailure.CONTENT_TYPE, detail=f"{problem} from {address}")
    return Pulled(body=answer.body)


def _hint(status: int) -> str:
    if status in REDIRECTS:
        return " (redirects are not followed)"
    return " (an MCP server needs protocol: mcp)" if status in NOT_MANIFESTS else ""


def _content_problem(headers: Mapping[bytes, bytes]) -> str | None:
    encoding = headers.get(b"content-encoding", b"").strip().lower()
    if encoding not in {b"", b"identity"}:
        return f"Content-Encoding {encoding[:40]!r}"
    kind = headers.get(b"content-type", b"")
    return None if is_json(kind) else f"Content-Type {kind[:80]!r}"
