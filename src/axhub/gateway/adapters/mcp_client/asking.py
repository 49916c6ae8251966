"""One request of the gateway's own to an MCP server, up to its response: on one stream or on several (gateway/P11).

A server may close the stream of any request before the response and let its client ask for the rest (MCP 2025-11-25,
resumability), so of `initialize` and of a list as well as of a call. The request itself is not sent again for that.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.mcp_client.answers import (
    Answered,
    McpFaultError,
    counted,
    response_in,
    response_to,
    unanswered,
)
from axhub.gateway.adapters.mcp_client.resuming import Resuming, noted, without_rest
from axhub.gateway.adapters.mcp_client.session import Client, Session, is_session_id
from axhub.gateway.domain.mcp_message import Message, Response, read_message
from axhub.gateway.ports import PullFailure, UpstreamAnswer

_TOO_LARGE: Final = "the streams of an answer are too large together"


class Fetch(Protocol):
    """Sends one request on a connection of its own; one deadline in seconds and one bound of bytes for everything.

    The data of the events of an event stream go to `on_event`, which returns True when it wants no more.
    """

    def __call__(
        self,
        endpoint_origin: Origin,
        head: bytes,
        timeout: float,
        max_bytes: int,
        body: bytes = b"",
        on_event: Callable[[bytes], bool] | None = None,
    ) -> Awaitable[UpstreamAnswer]:
        """Return what came."""
        ...


class Bounds(NamedTuple):
    """Of one request, over all streams of its answer."""

    seconds: float
    bytes: int
    """Of one body or event; all streams together may have four times as many."""


@dataclass(slots=True, eq=False)
class Asking:
    """One request under way."""

    client: Client
    fetch: Fetch
    pause: Callable[[float], Awaitable[None]]
    """Returns after so many seconds, or raises `McpFaultError`."""
    told: Callable[[Message | None], None]
    """Hears what the server says besides."""
    number: int
    bounds: Bounds
    _response: Response | None = None
    _resuming: Resuming | None = None

    async def run(self, session: Session | None, method: str, body: bytes) -> Answered:
        """Send the request and return its response, whether it comes as JSON or as an event.

        `session` is None for the request that opens one.

        Raises:
            McpFaultError: no HTTP answer came, or not the rest of one that was broken off.
        """
        due = _now() + self.bounds.seconds
        http = await self._fetch(self.client.head(session, method), self.bounds.seconds, body)
        rest = await self._rest(http, session, due)
        if self._response is not None:
            said = http if http.failure is None else rest  # of the first one, if it has a head: it names the session
            return Answered(said, counted(rest, self._response))
        if self._resuming is not None and self._resuming.too_large:
            raise McpFaultError(PullFailure.TOO_LARGE, f"{_TOO_LARGE} from {self.client.address}")
        if rest.failure is not None:
            raise unanswered(rest, self.client.address)
        return Answered(http, response_in(http, self.number))

    async def _rest(self, http: UpstreamAnswer, session: Session | None, due: float) -> UpstreamAnswer:
        """Return what came last: `http` itself, or what was asked for after it as long as the response was missing."""
        last, session_id = http, _session_id(http, session)
        while self._response is None and session_id and self._resuming is not None and not self._resuming.too_large:
            pause = self._resuming.next_pause(last, due - _now())
            if pause is None:
                break
            await self.pause(pause)
            head = self.client.resume_head(session, self._resuming.event_id, session_id)
            last = await self._fetch(head, max(due - _now(), 0.0))
        return last if last is http or self._response is not None else without_rest(last)

    async def _fetch(self, head: bytes, seconds: float, body: bytes = b"") -> UpstreamAnswer:
        return await self.fetch(self.client.server.origin, head, seconds, self.bounds.bytes, body, self._take)

    def _take(self, data: bytes) -> bool:
        """Take one event of an answer; say whether it was the last that matters."""
        resuming = self._resuming = noted(self._resuming, data)
        message = read_message(data)
        self._response = response_to(self.number, message)
        if self._response is None:
            self.told(message)
        return self._response is not None or (resuming is not None and resuming.too_large)


def _session_id(http: UpstreamAnswer, session: Session | None) -> bytes:
    """Return the id of the session that an answer belongs to, empty if a server cannot know whose stream it is.

    A session that is only being opened has been named by the answer that was broken off.
    """
    if session is not None:
        return b"" if session.stateless else session.id
    given = http.headers.get(b"mcp-session-id", b"")
    return given if is_session_id(given) else b""


def _now() -> float:
    return asyncio.get_running_loop().time()
