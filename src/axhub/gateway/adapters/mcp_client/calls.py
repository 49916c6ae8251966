"""`tools/call` to MCP servers: one call from its first byte to its end, in its server's era (gateway/P11).

Every call goes through its bundle's own pool and queue, as one to a Tool Service does (gateway/X9). It is sent once;
only a call that was refused because the server has lost the session is sent again, in a new one (gateway/X6).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, Protocol

import msgspec

from axhub.gateway.adapters.mcp_client import session as wire
from axhub.gateway.adapters.mcp_client.answers import (
    OK,
    McpFaultError,
    OutOfTimeError,
    is_encoded,
    is_event_stream,
    response_in,
)
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

_NUMBER: Final = b"-0123456789"
_PROGRESS: Final = {"progress": _NUMBER, "total": _NUMBER, "message": b'"'}
"""What a notice of progress says, and how each value begins: a client need not be able to read anything else."""

OnDone = Callable[[McpAnswer], None]
OnProgress = Callable[[bytes], None]


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
        self.reopening: set[asyncio.Task[None]] = set()
        self._waiting: Counter[str] = Counter()

    def call(self, call: McpCall, on_done: OnDone, on_progress: OnProgress | None) -> Cancel:
        """Start a call as the port says."""
        server = self._servers[call.bundle]
        running = _Running(self, server, call, on_done, on_progress)
        if server.session is None:
            running.reopen()
        else:
            running.send(server.session, call.timeout)
        return running.cancel

    def start(self, reopening: Coroutine[Any, Any, None], server: McpServer) -> asyncio.Task[None]:
        """Have a call wait for a session; it holds a place until it has one."""
        self._waiting[server.bundle] += 1
        task = asyncio.create_task(reopening, name=f"call in a new session of {server.bundle}")
        self.reopening.add(task)
        task.add_done_callback(lambda done: self._over(done, server.bundle))
        return task

    def is_full(self, server: McpServer) -> bool:
        """Say whether as many calls wait for a session of a server as may."""
        return self._waiting[server.bundle] >= server.most_waiting

    def _over(self, task: asyncio.Task[None], bundle: str) -> None:
        self.reopening.discard(task)
        self._waiting[bundle] -= 1


class _Running:
    """One call."""

    __slots__ = (
        "call", "cancel_sent", "due", "ended", "garbled", "number", "on_done", "on_progress", "owner", "resent",
        "server", "session", "task",
    )  # fmt: skip

    def __init__(
        self, owner: McpCalls, server: McpServer, call: McpCall, on_done: OnDone, on_progress: OnProgress | None
    ) -> None:
        self.owner = owner
        self.server = server
        self.call = call
        self.on_done = on_done
        self.on_progress = on_progress
        self.due = owner.now() + call.timeout
        self.number = 0
        self.session: Session | None = None
        self.resent = self.ended = self.garbled = False
        self.cancel_sent: Cancel | None = None
        self.task: asyncio.Task[None] | None = None

    def send(self, session: Session, timeout: float) -> None:
        """Send the call in a session; `timeout` is what is left of its seconds."""
        self.session = session
        number = self.number = self.server.next_number()
        call, server = self.call, self.server
        head = server.call_head(session) + call.headers
        body = server.client.call(session, number, call, progress=self.on_progress is not None)
        request = UpstreamRequest(call.bundle, server.client.server.origin, head, body, timeout)
        cancel = self.owner.send(request, self._answered, self._told)
        if not self.ended:
            self.cancel_sent = cancel

    def reopen(self) -> None:
        """Open a session first, within the time of the call, if not too many wait for one (gateway/X9)."""
        if self.owner.is_full(self.server):
            self._end_without_response(UpstreamAnswer(0, {}, b"", Failure.BUSY, sent=False))
        else:
            self.task = self.owner.start(self._reopen(), self.server)

    def cancel(self) -> None:
        """End the call; a server of the handshake era is told, the others see the connection close."""
        if self.ended:
            return
        if self.task is not None and not self.task.done():
            self.task.cancel()
            self._end_without_response(UpstreamAnswer(0, {}, b"", Failure.CANCELLED, sent=False))
        elif self.cancel_sent is not None:
            self.cancel_sent()

    async def _reopen(self) -> None:
        try:
            session = await self.server.open(max(self.due - self.owner.now(), 0.001))
            self.task = None
            self.send(session, max(self.due - self.owner.now(), 0.0))
        except McpFaultError as fault:
            failure = Failure.TIMEOUT if isinstance(fault, OutOfTimeError) else Failure.UNREACHABLE
            self._end_without_response(UpstreamAnswer(0, {}, b"", failure, sent=False, detail=fault.detail))
        except Exception:
            self._end_without_response(UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False))
            raise

    def _told(self, data: bytes) -> bool:
        """Take one event of the answer; say whether it was the last that matters."""
        message = read_message(data)
        if isinstance(message, Response):
            if message.id == b"%d" % self.number:
                self._end(McpAnswer(message.result, message.error))
        elif isinstance(message, Notification) and message.method == PROGRESS:
            self._progress(message)
        else:
            self.garbled |= message is None
            self.server.told(message)
        return self.ended

    def _progress(self, message: Notification) -> None:
        params = message.params
        if self.on_progress is None or bytes(params.get("progressToken", b"")) != b"%d" % self.number:
            return
        shown = {name: bytes(params[name]) for name, begins in _PROGRESS.items() if _begins(params.get(name), begins)}
        if "progress" in shown:
            self.on_progress(b"".join(b',"%b":%b' % (name.encode(), value) for name, value in shown.items()))

    def _answered(self, http: UpstreamAnswer) -> None:
        """Take the end of the exchange: a whole JSON answer, a failure, or the end of a stream."""
        session = self.session
        if self.ended or session is None:
            return
        if self.server.has_lost(session, http, fresh=self.resent):
            self.resent = True
            self.cancel_sent = None
            self.server.forget(session)
            self.reopen()
            return
        answer = self._read(http)
        if answer.http is not None and answer.http.failure is not None and answer.http.sent:
            self.server.say(session, wire.cancelled(self.number))  # it may run on, whatever came of the connection
        self._end(answer)

    def _read(self, http: UpstreamAnswer) -> McpAnswer:
        """Return the response in a whole answer, or the answer if that says more.

        An error that names no request was made before the call was looked at: it is one of HTTP, not of the tool.
        """
        response = response_in(http, self.number)
        if response is not None and response.id is not None:
            return McpAnswer(response.result, response.error)
        if http.failure is None and http.status in OK:
            cut = is_event_stream(http) and not is_encoded(http) and not self.garbled
            return McpAnswer(http=UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE if cut else Failure.INVALID))
        return McpAnswer(http=http)

    def _end_without_response(self, http: UpstreamAnswer) -> None:
        self._end(McpAnswer(http=http))

    def _end(self, answer: McpAnswer) -> None:
        if self.ended:
            return
        self.ended = True
        self.cancel_sent = None
        self.on_done(answer)


def _begins(value: msgspec.Raw | None, characters: bytes) -> bool:
    return value is not None and bytes(value)[:1] in characters
