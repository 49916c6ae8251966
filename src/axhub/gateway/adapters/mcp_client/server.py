"""One MCP server as the gateway knows it: asked things of its own, and the session that all calls share (gateway/P11).

A session is opened when it is needed and kept until the server says that it is gone: first as the stateless era would
have it, and where that is not understood, by `initialize`. Whoever needs one while one is being opened waits for it.
"""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

from axhub.gateway.adapters.mcp_client import session as wire
from axhub.gateway.adapters.mcp_client.answers import (
    BAD_REQUEST,
    Answered,
    McpFaultError,
    OutOfTimeError,
    is_dead_session,
    refused,
)
from axhub.gateway.adapters.mcp_client.asking import Asking, Bounds, Fetch
from axhub.gateway.adapters.mcp_client.progress import Progress
from axhub.gateway.adapters.mcp_client.session import Client, Session
from axhub.gateway.domain.mcp_message import (
    LIST_CHANGED,
    PROGRESS,
    Notification,
    ServerRequest,
)
from axhub.gateway.ports import PullFailure, UpstreamAnswer

_SIDE_SECONDS: Final = 5.0
"""How long a message may take of which nobody waits for an answer."""
_SIDE_BYTES: Final = 65536
_MOST_REPLIES, _MOST_ASIDE = 16, 256
"""How many such messages may be under way when the server asks something, and when anything is told: each has a
connection of its own, and what all bundles share must not run out for the sake of one."""
_PROBE_SHARE: Final = 1 / 3
"""How much of the time for opening goes into asking whether a server speaks the stateless era."""


@dataclass(slots=True, eq=False)
class McpServer:
    """One bundle's server."""

    bundle: str
    client: Client
    fetch: Fetch
    on_changed: Callable[[str], None]
    """Hears the bundle's id when the server says that its tools have changed."""
    open_seconds: float = 5.0
    """How long opening may take, whatever time those have who wait for it."""
    most_waiting: int = 96
    """How many calls may begin to wait for a session or for the rest of an answer: as many as the bundle's bulkhead
    takes when there is one (gateway/X9)."""
    session: Session | None = None
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while there is a session."""
    _handshake: bool = False
    """Whether the last session was one of the handshake era: the next one is first asked for in the same way."""
    _refuses_by_400: bool = False
    """Whether it gives the answer of a lost session to calls in a fresh one, too: it may mean the call's arguments."""
    _opening: asyncio.Task[Session] | None = None
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _waiting: int = 0
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _aside: set[asyncio.Task[None]] = field(default_factory=set)
    _call_head: tuple[Session, bytes] | None = None
    _hearing: dict[bytes, Progress] = field(default_factory=dict)
    heard_for: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while a call is under way whose progress may come on the session's own stream."""

    @property
    def address(self) -> str:
        """The declared address for the log, without its query."""
        return self.client.address

    def next_number(self) -> int:
        """Return the id of the next request; each is used once."""
        return next(self._numbers)

    def call_head(self, session: Session) -> bytes:
        """Return request line and headers of a `tools/call`, made once a session."""
        made = self._call_head
        if made is None or made[0] is not session:
            self._call_head = made = (session, self.client.head(session, "tools/call"))
        return made[1]

    def forget(self, stale: Session) -> None:
        """Drop a session that the server does not know any more, unless it has been replaced already."""
        if self.session is stale:
            self.session = None
            self.opened.clear()

    def has_lost(self, session: Session, http: UpstreamAnswer, *, fresh: bool) -> bool:
        """Say whether a call is to be sent again since its session has gone; with `fresh` it was sent again already."""
        if not is_dead_session(session, http):
            return False
        if http.status == BAD_REQUEST:
            self._refuses_by_400 |= fresh
            return not self._refuses_by_400
        return not fresh

    async def open(self, timeout: float) -> Session:
        """Return the session, opened now if there is none.

        Raises:
            McpFaultError: the server cannot be reached, or gives no session that the gateway can use.
            OutOfTimeError: `timeout` was over first.
        """
        if self.session is not None:
            return self.session
        if self._stopping.is_set():
            raise self._stopped()
        if self._opening is None or self._opening.done():
            self._opening = asyncio.create_task(self._open_in_time(), name=f"open {self.bundle}")
            self._opening.add_done_callback(_look_at)
        opening = self._opening
        self._waiting += 1
        try:
            await asyncio.wait({opening}, timeout=timeout)  # unlike a plain await: who waits cannot cancel it
        finally:
            self._waiting -= 1
            self._give_up_opening()
        if not opening.done():
            raise OutOfTimeError(PullFailure.TIMED_OUT, f"no session with {self.address} in time")
        if opening.cancelled():
            raise self._stopped()
        return opening.result()

    def _give_up_opening(self) -> None:
        """End an opening that nobody waits for any more: the next one must not wait for what hangs."""
        if self._opening is not None and not self._waiting and not self._opening.done():
            self._opening.cancel()
            self._opening = None

    async def ask(self, session: Session | None, number: int, method: str, body: bytes, bounds: Bounds) -> Answered:
        """Send one request and return its response, whether it comes as JSON or as an event, at once or in parts.

        Raises:
            McpFaultError: no HTTP answer came, or not the rest of one.
        """
        return await Asking(self.client, self.fetch, self._pause, self.told, number, bounds).run(session, method, body)

    async def _pause(self, seconds: float) -> None:
        """Return after that time, or raise `McpFaultError` once the gateway stops."""
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return
        raise self._stopped()

    def told(self, message: object) -> None:
        """Take what a server says besides: its tools changed, or it asks something of its client."""
        if isinstance(message, Notification) and message.method == LIST_CHANGED:
            self.on_changed(self.bundle)
        elif isinstance(message, ServerRequest) and len(self._aside) < _MOST_REPLIES:
            self.say(self.session, wire.reply_to(message.id, message.method))

    def hear(self, progress: Progress) -> None:
        """Have a call hear of its progress on the session's own stream, too, until `unhear`."""
        self._hearing[progress.token] = progress
        self.heard_for.set()

    def unhear(self, progress: Progress) -> None:
        """Let a call go that has ended, or gets another number."""
        self._hearing.pop(progress.token, None)
        if not self._hearing:
            self.heard_for.clear()

    def told_on_own_stream(self, message: object) -> None:
        """Take what a server says on the session's own stream: progress of a call, or anything else as `told` does.

        Servers of the handshake era do so that do not know to which request a notice belongs.
        """
        if isinstance(message, Notification) and message.method == PROGRESS:
            progress = self._hearing.get(bytes(message.params.get("progressToken", b"")))
            if progress is not None:
                progress.take(message)
        else:
            self.told(message)

    def say(self, session: Session | None, body: bytes) -> None:
        """Send a message that nobody waits for; whatever comes of it. A server that takes too few is told no more."""
        if session is not None and not session.stateless and len(self._aside) < _MOST_ASIDE:
            self._beside(self._say(session, body))

    def give_back(self, session: Session) -> None:
        """Forget a session that may have gone, and tell the server so in case that it has not."""
        self._refuses_by_400 = self._handshake = False  # another server may stand there by now
        self.forget(session)
        if session.id and len(self._aside) < _MOST_ASIDE:
            self._beside(self._delete(session, _SIDE_SECONDS))

    def stop(self) -> None:
        """Open no session and wait for the rest of no answer from here on: the gateway stops."""
        self._stopping.set()
        if self._opening is not None:
            self._opening.cancel()

    def _stopped(self) -> McpFaultError:
        detail = f"nothing more is asked of {self.address}: the gateway is stopping"
        return McpFaultError(PullFailure.CONNECT_FAILED, detail)

    async def end(self, timeout: float) -> None:
        """Tell a server of the handshake era that its session is not needed any more.

        It first has half of the time to hear what it was being told, such as which calls were cancelled.
        """
        self.stop()
        session, self.session = self.session, None
        self.opened.clear()
        if self._aside:
            await asyncio.wait(self._aside, timeout=timeout / 2)
        for task in self._aside:
            task.cancel()
        if session is not None and session.id:
            await self._delete(session, timeout / 2)

    def _beside(self, telling: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(telling, name=f"tell {self.bundle}")
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    async def _delete(self, session: Session, timeout: float) -> None:
        head = self.client.head(session, "", b"DELETE")
        await self.fetch(self.client.server.origin, head, timeout, _SIDE_BYTES)

    async def _say(self, session: Session, body: bytes) -> None:
        await self.fetch(self.client.server.origin, self.client.head(session, ""), _SIDE_SECONDS, _SIDE_BYTES, body)

    async def _open_in_time(self) -> Session:
        try:
            async with asyncio.timeout(self.open_seconds):
                return await self._open()
        except TimeoutError:
            raise McpFaultError(PullFailure.TIMED_OUT, f"no session with {self.address} in time") from None

    async def _open(self) -> Session:
        session = await (self._reinitialize() if self._handshake else self._first())
        self._handshake = not session.stateless
        self.session = session
        self.opened.set()
        return session

    async def _first(self) -> Session:
        return await self._discover() or await self._initialize(self.open_seconds)

    async def _reinitialize(self) -> Session:
        """Open as the last time; only if that fails, look whether the server speaks otherwise by now."""
        try:
            return await self._initialize(self.open_seconds * (1 - _PROBE_SHARE))
        except McpFaultError as fault:
            session = await self._discover() if fault.reached else None
            if session is None:
                raise
            return session

    async def _discover(self) -> Session | None:
        """Return the session of a server that speaks the stateless era, or None.

        Some servers never answer what they do not know, or close the connection: time is left to ask otherwise.
        """
        number = self.next_number()
        body = self.client.request(wire.DISCOVERING, number, "server/discover")
        bounds = Bounds(self.open_seconds * _PROBE_SHARE, _SIDE_BYTES)
        try:
            found = await self.ask(wire.DISCOVERING, number, "server/discover", body, bounds)
        except McpFaultError as fault:
            if not fault.reached:
                raise
            return None
        result = None if found.response is None else found.response.result
        return None if result is None else wire.discovered(result)

    async def _initialize(self, seconds: float) -> Session:
        number = self.next_number()
        bounds = Bounds(seconds, _SIDE_BYTES)
        found = await self.ask(None, number, "initialize", self.client.initialize(number), bounds)
        if found.response is None or found.response.result is None:
            raise refused(found, self.address)
        session_id = found.http.headers.get(b"mcp-session-id", b"")
        if not wire.is_session_id(session_id):
            detail = f"{self.address} gave a session id that is not of visible ASCII characters"
            raise McpFaultError(PullFailure.INVALID_MANIFEST, detail)
        session = wire.initialized(found.response.result, session_id)
        if session is None:
            detail = f"{self.address} speaks no revision of MCP that the gateway speaks: "
            detail += wire.revisions_apart(found.response.result)
            raise McpFaultError(PullFailure.INVALID_MANIFEST, detail)
        await self._say(session, wire.INITIALIZED)
        return session


def _look_at(task: asyncio.Task[Session]) -> None:
    """Take note of how it ended: everybody who waited for it may have gone."""
    if not task.cancelled():
        task.exception()
