"""The manifest of an MCP server: all pages of its `tools/list`, as one document (gateway/P11)."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from axhub.contract.jsontext import JsonTextError, members, split_array
from axhub.gateway.adapters.mcp_client.answers import (
    Answered,
    McpFaultError,
    is_dead_session,
    refused,
    speaks_otherwise,
)
from axhub.gateway.adapters.mcp_client.asking import Bounds
from axhub.gateway.adapters.mcp_client.server import McpServer
from axhub.gateway.adapters.mcp_client.session import Session
from axhub.gateway.ports import Clock, Pulled, PullFailure

GRACE_SECONDS: Final = 0.2
"""What the absolute deadline allows beyond connect and read timeout (gateway/G4)."""
_MAX_PAGES: Final = 1000
_NO_TOOLS: Final = msgspec.Raw(b"null")
_TTL_DIGITS: Final = 12
"""A number with more of them is longer than any interval, and perhaps longer than Python reads."""


class McpManifestSource:
    """A `ManifestSource` of bundles that are MCP servers; what it brings has `tools` and nothing else."""

    def __init__(
        self,
        servers: Mapping[str, McpServer],
        clock: Clock,
        *,
        connect_timeout: float,
        read_timeout: float,
        max_bytes: int,
    ) -> None:
        """Timeouts are in seconds; together they bound the whole pull, `max_bytes` bounds all pages together."""
        self._servers = servers
        self._clock = clock
        self._deadline = connect_timeout + read_timeout + GRACE_SECONDS
        self._max_bytes = max_bytes

    async def pull(self, bundle_id: str, if_none_match: str | None) -> Pulled:  # noqa: ARG002 - MCP has no conditions
        """Return what came within the deadline."""
        server = self._servers[bundle_id]
        pull = _Pull(server, self._clock, self._clock.monotonic() + self._deadline, self._max_bytes)
        try:
            return await pull.run()
        except McpFaultError as fault:
            return Pulled(failure=fault.reason, detail=fault.detail)


class _Pull:
    """One pull: pages, with the time and the bytes that are left for them."""

    def __init__(self, server: McpServer, clock: Clock, due: float, max_bytes: int) -> None:
        self._server = server
        self._clock = clock
        self._due = due
        self._bytes_left = max_bytes
        self._tools: list[bytes] = []
        self._fresh: float | None = None

    async def run(self) -> Pulled:
        known = self._server.session
        session = await self._server.open(self._seconds_left())
        first = await self._page(session, None)
        if first.response is None or first.response.result is None:
            if known is None or not speaks_otherwise(session, first):
                raise refused(first, self._server.address)
            self._server.give_back(session)
            session = await self._server.open(self._seconds_left())
            first = await self._page(session, None)
        return await self._collect(session, first)

    async def _collect(self, session: Session, page: Answered) -> Pulled:
        seen: set[bytes] = set()
        while True:
            if page.response is None or page.response.result is None:
                if is_dead_session(session, page.http):
                    self._server.forget(session)
                raise refused(page, self._server.address)
            cursor = self._take(self._members(page.response.result), len(page.response.result))
            if cursor is None:
                body = b'{"tools":[%b]}' % b",".join(self._tools)
                return Pulled(body=body, fresh_seconds=self._fresh)
            if cursor in seen or len(seen) >= _MAX_PAGES:
                detail = f"the pages of {self._server.address} come to no end"
                raise McpFaultError(PullFailure.INVALID_MANIFEST, detail)
            seen.add(cursor)
            page = await self._page(session, cursor)

    async def _page(self, session: Session, cursor: bytes | None) -> Answered:
        number = self._server.next_number()
        params: dict[str, Any] = {} if cursor is None else {"cursor": msgspec.Raw(cursor)}
        body = self._server.client.request(session, number, "tools/list", params)
        bounds = Bounds(self._seconds_left(), self._bytes_left)
        return await self._server.ask(session, number, "tools/list", body, bounds)

    def _members(self, result: bytes) -> dict[str, msgspec.Raw]:
        try:
            return members(result)
        except JsonTextError as error:
            detail = f"a page of {self._server.address}: {error}"
            raise McpFaultError(PullFailure.INVALID_MANIFEST, detail) from None

    def _take(self, result: dict[str, msgspec.Raw], size: int) -> bytes | None:
        """Keep what a page has; return the cursor of the next one."""
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise McpFaultError(PullFailure.TOO_LARGE, f"the pages of {self._server.address} are too large together")
        tools = split_array(result.get("tools", _NO_TOOLS))
        if tools is None:
            detail = f"a page of {self._server.address} has no array 'tools'"
            raise McpFaultError(PullFailure.INVALID_MANIFEST, detail)
        self._tools += map(bytes, tools)
        self._note_freshness(bytes(result.get("ttlMs", b"")))
        cursor = bytes(result.get("nextCursor", b"null"))
        if cursor == b"null":
            return None
        if not cursor.startswith(b'"'):
            detail = f"'nextCursor' of a page of {self._server.address} is no text"
            raise McpFaultError(PullFailure.INVALID_MANIFEST, detail)
        return cursor

    def _note_freshness(self, ttl_millis: bytes) -> None:
        """0 says that nothing may be kept: that is what pulling at intervals is for."""
        if ttl_millis.isdigit() and len(ttl_millis) <= _TTL_DIGITS and int(ttl_millis) > 0:
            seconds = int(ttl_millis) / 1000
            self._fresh = seconds if self._fresh is None else min(self._fresh, seconds)

    def _seconds_left(self) -> float:
        left = self._due - self._clock.monotonic()
        if left <= 0:
            raise McpFaultError(PullFailure.TIMED_OUT, f"no whole list from {self._server.address} in time")
        return left
