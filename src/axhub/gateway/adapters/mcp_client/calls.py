"""`tools/call` to MCP servers: one call from its first byte to its end, in its server's era (gateway/P11).

Every call goes through its bundle's own pool and queue, as one to a Tool Service does (gateway/X9). It is sent once;
only a call that was refused because the server has lost the session is sent again, in a new one (gateway/X6). Where
its event stream ends before the response, the rest is asked for, if the server has offered that.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, Protocol

from axhub.gateway.adapters.mcp_client import session as wire
from axhub.gateway.adapters.mcp_client.answers import (
    OK,
    McpFaultError,
    OutOfTimeError,
    is_encoded,
    is_event_stream,
    response_in,
)
from axhub.gateway.adapters.mcp_client.progress import Progress
from axhub.gateway.adapters.mcp_client.resuming import Resuming, noted, without_rest
from axhub.gateway.adapters.mcp_client.server import McpServer
from axhub.gateway.adapters.mcp_client.session import Session
from axhub.gateway.domain.mcp_message import PROGRESS, Notification, Response, read_message
from axhub.gateway.ports import (
    Cancel,
    Clock,
    Failure,
    McpAnswer,
    McpCall,
    UpstreamAnswer,
    UpstreamRequest,
)

OnDone = Callable[[McpAnswer], None]
OnProgress = Callable[[bytes], None]
_NO_SESSION: Final = UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False)


class Send(Protocol):
    """Sends through a bundle's pool: the method of the port `Upstream`."""

    def __call__(
        self,
        request: UpstreamRequest,
        on_done: Callable[[UpstreamAnswer], None],
        on_event: Callable[[bytes], bool] | None = None,
    ) -> Cancel:
        """Start a request."""
        ...


class McpCalls:
    """Implements the port `McpUpstream` over HTTP."""

    def __init__(self, servers: Mapping[str, McpServer], send: Send, clock: Clock) -> None:
        self._servers = servers
        self.send = send
        self.now = clock.monotonic
        self.sleep = clock.sleep
        self.waiting: dict[asyncio.Task[None], Cancel] = {}
        """Of the calls that wait for a session, or for the rest of their answer; with what ends each of them."""
        self.closed = False
        self._places: Counter[str] = Counter()

    def call(self, call: McpCall, on_done: OnDone, on_progress: OnProgress | None) -> Cancel:
        """Start a call as the port says."""
        server = self._servers[call.bundle]
        running = _Running(self, server, call, on_done, on_progress)
        if server.session is None or self.closed:
            running.reopen()
        else:
            running.send(server.session, call.timeout)
        return running.cancel

    def close(self) -> None:
        """End every call that waits beside the pools, and let none begin or wait from here on: the gateway stops.

        Calls in the pools are left to whoever closes those. No session is opened any more and no rest of an answer
        asked for, so that whoever waits for either hears of it, too.
        """
        self.closed = True
        for server in self._servers.values():
            server.stop()
        for end in list(self.waiting.values()):
            end()

    def start(self, waiting: Coroutine[Any, Any, None], server: McpServer, end: Cancel) -> asyncio.Task[None]:
        """Have a call wait for a session, or for the rest of its answer; it holds a place until it is in the pool.

        `end` ends the call meanwhile.
        """
        self._places[server.bundle] += 1
        task = asyncio.create_task(waiting, name=f"waiting call to {server.bundle}")
        self.waiting[task] = end
        task.add_done_callback(lambda done: self.give_back(done, server))
        return task

    def is_full(self, server: McpServer) -> bool:
        """Say whether as many calls wait beside a server's pool as may."""
        return self._places[server.bundle] >= server.most_waiting

    def give_back(self, task: asyncio.Task[None], server: McpServer) -> None:
        """Give back the place of a call that waits no more: once, at the latest when its task is over."""
        if self.waiting.pop(task, None) is not None:
            self._places[server.bundle] -= 1


class _Running:
    """One call."""

    __slots__ = (
        "call", "cancel_sent", "due", "ended", "garbled", "number", "on_done", "owner", "progress", "resent",
        "resuming", "server", "session", "task",
    )  # fmt: skip

    def __init__(
        self, owner: McpCalls, server: McpServer, call: McpCall, on_done: OnDone, on_progress: OnProgress | None
    ) -> None:
        self.owner = owner
        self.server = server
        self.call = call
        self.on_done = on_done
        self.progress = None if on_progress is None else Progress(on_progress)
        self.due = owner.now() + call.timeout
        self.number = 0
        self.session: Session | None = None
        self.resent = self.ended = self.garbled = False
        self.cancel_sent: Cancel | None = None
        self.task: asyncio.Task[None] | None = None
        self.resuming: Resuming | None = None
        """None until an event said how the stream goes on if it breaks off."""

    def send(self, session: Session, timeout: float) -> None:
        """Send the call in a session; `timeout` is what is left of its seconds."""
        self.session = session
        number = self.number = self.server.next_number()
        call, server = self.call, self.server
        if self.progress is not None:
            self.progress.token = b"%d" % number
            if not session.stateless:
                server.hear(self.progress)
        head = server.call_head(session) + call.headers
        body = server.client.call(session, number, call, progress=self.progress is not None)
        self._send(head, body, timeout)

    def _send(self, head: bytes, body: bytes, timeout: float) -> None:
        request = UpstreamRequest(self.call.bundle, self.server.client.server.origin, head, body, timeout)
        cancel = self.owner.send(request, self._answered, self._told)
        if not self.ended:
            self.cancel_sent = cancel

    def reopen(self) -> None:
        """Open a session first, within the time of the call, if not too many wait for one (gateway/X9)."""
        if self.owner.closed:
            self._fail(_NO_SESSION)
        elif self.owner.is_full(self.server):
            self._fail(UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False))
        else:
            self.task = self.owner.start(self._reopen(), self.server, self._give_up_opening)

    def cancel(self) -> None:
        """End the call; a server of the handshake era is told, the others see the connection close."""
        if self.ended:
            return
        if self.task is not None and not self.task.done():
            self.task.cancel()
            self._fail(UpstreamAnswer(0, {}, b"", Failure.CANCELLED, sent=self.resuming is not None))
        elif self.cancel_sent is not None:
            self.cancel_sent()

    def _give_up_opening(self) -> None:
        """End the call, which waits for a session: nothing of it was sent."""
        if self.task is not None:
            self.task.cancel()
        self._fail(_NO_SESSION)

    async def _reopen(self) -> None:
        try:
            session = await self.server.open(max(self.due - self.owner.now(), 0.001))
            self._stop_waiting()
            self.send(session, max(self.due - self.owner.now(), 0.0))
        except McpFaultError as fault:
            failure = Failure.TIMEOUT if isinstance(fault, OutOfTimeError) else Failure.UNREACHABLE
            self._fail(UpstreamAnswer(0, {}, b"", failure, sent=False, detail=fault.detail))
        except Exception:
            self._fail(_NO_SESSION)
            raise

    def _told(self, data: bytes) -> bool:
        """Take one event of the answer; say whether it was the last that matters."""
        resuming = self.resuming = noted(self.resuming, data)
        if resuming is not None and resuming.too_large:
            self._end_too_large()
            return True
        message = read_message(data)
        if message is None:
            self.garbled |= bool(data)
        elif isinstance(message, Response):
            if message.id == b"%d" % self.number:
                self._end(McpAnswer(message.result, message.error))
        elif isinstance(message, Notification) and message.method == PROGRESS:
            if self.progress is not None:
                self.progress.take(message)
        else:
            self.server.told(message)
        return self.ended

    def _end_too_large(self) -> None:
        """End the call, as all its streams are too much together.

        That is told as if one stream had been too large, and its connection is closed in the same way.
        """
        cancel = self.cancel_sent
        self._fail(UpstreamAnswer(0, {}, b"", Failure.TOO_LARGE))
        if cancel is not None:
            cancel()

    def _answered(self, http: UpstreamAnswer) -> None:
        """Take the end of the exchange: a whole JSON answer, a failure, or the end of a stream."""
        session = self.session
        if self.ended or session is None:
            return
        if self.resuming is None and self.server.has_lost(session, http, fresh=self.resent):
            self.resent = True
            self.cancel_sent = None
            if self.progress is not None:
                self.server.unhear(self.progress)
            self.server.forget(session)
            self.reopen()
        elif not self._resumes(http, session):
            answer = self._read(http)
            if answer.http is None:
                self._end(answer)
            else:
                self._fail(answer.http)

    def _resumes(self, http: UpstreamAnswer, session: Session) -> bool:
        """Ask for the rest of the answer after a while, if the server has offered it; say whether.

        The stateless era knows no such offer: there, an id of an event means nothing. Where the session has no
        id, no server could know whose stream is asked for.
        """
        resuming = self.resuming
        if resuming is None or session.stateless or not session.id or self.owner.closed:
            return False
        # A call for which the pool had no room waited until a moment ago; it waits on, even as one more than may.
        if self.owner.is_full(self.server) and http.failure is not Failure.BUSY:
            return False
        pause = resuming.next_pause(http, self.due - self.owner.now())
        if pause is None:
            return False
        self.cancel_sent = None
        self.task = self.owner.start(self._resume(session, resuming, pause), self.server, self.cancel)
        return True

    async def _resume(self, session: Session, resuming: Resuming, pause: float) -> None:
        try:
            await self.owner.sleep(pause)
            self._stop_waiting()
            head = self.server.client.resume_head(session, resuming.event_id) + self.call.headers
            self._send(head, b"", max(self.due - self.owner.now(), 0.0))
        except Exception:
            self._fail(UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE))
            raise

    def _stop_waiting(self) -> None:
        """Give the place beside the pool back: what is sent from here on has one in the pool, or none."""
        task, self.task = self.task, None
        if task is not None:
            self.owner.give_back(task, self.server)

    def _read(self, http: UpstreamAnswer) -> McpAnswer:
        """Return the response in a whole answer, or the answer if that says more.

        An error that names no request was made before the call was looked at: it is one of HTTP, not of the tool.
        """
        if self.resuming is not None and self.resuming.times:
            return McpAnswer(http=without_rest(http))
        response = response_in(http, self.number)
        if response is not None and response.id is not None:
            return McpAnswer(response.result, response.error)
        if http.failure is None and http.status in OK:
            cut = is_event_stream(http) and not is_encoded(http) and not self.garbled
            return McpAnswer(http=UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE if cut else Failure.INVALID))
        return McpAnswer(http=http)

    def _fail(self, http: UpstreamAnswer) -> None:
        """End the call without a response; it may run on, whatever came of the connection, so the server hears it."""
        if self.session is not None and http.failure is not None and http.sent:
            self.server.say(self.session, wire.cancelled(self.number))
        self._end(McpAnswer(http=http))

    def _end(self, answer: McpAnswer) -> None:
        if self.ended:
            return
        if self.progress is not None:
            self.server.unhear(self.progress)
            self.progress.end()
        self.ended = True
        self.cancel_sent = None
        self.on_done(answer)
