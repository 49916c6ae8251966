"""Our own server and client as the wire tests use them: with a core by hand, and with calls that keep their answers."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from axhub.contract.endpoints import Origin
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import BundleLimits, Http1Client, PoolUsage
from axhub.gateway.adapters.http1.server import Http1Server, ServerLimits
from axhub.gateway.ports import (
    Cancel,
    Clock,
    HttpHandler,
    HttpRequest,
    Reply,
    ReplyHead,
    UpstreamAnswer,
    UpstreamRequest,
)
from support.wire import PATIENCE_SECONDS, Peer


def render_refusal(status: int, message: str) -> tuple[ReplyHead, bytes]:
    return ReplyHead(status, ((b"Content-Type", b"text/plain"),)), message.encode()


OK = ReplyHead(200, ((b"Content-Type", b"application/json"),))


@dataclass
class Core:
    """A handler that keeps requests; it answers at once with `answer`, or when the test says so if that is None."""

    answer: bytes | None = b"{}"
    requests: list[HttpRequest] = field(default_factory=list)
    pending: list[Reply] = field(default_factory=list)
    cancelled: list[int] = field(default_factory=list)
    """Numbers of the requests whose callers went away."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self, request: HttpRequest, reply: Reply) -> Cancel | None:
        number = len(self.requests)
        self.requests.append(request)
        self.changed.set()
        if self.answer is not None:
            reply(OK, self.answer)
            return None
        self.pending.append(reply)
        return lambda: self._cancel(number)

    def _cancel(self, number: int) -> None:
        self.cancelled.append(number)
        self.changed.set()

    async def until(self, *, requests: int = 0, cancelled: int = 0) -> None:
        """Wait until so many requests have come and so many callers have gone."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.requests) < requests or len(self.cancelled) < cancelled:
                self.changed.clear()
                await self.changed.wait()


@asynccontextmanager
async def serving(
    handler: HttpHandler, *, clock: Clock | None = None, limits: ServerLimits | None = None
) -> AsyncIterator[Http1Server]:
    """Run the server on a free port; nothing of it is left at the end."""
    server = Http1Server(handler, render_refusal, limits or ServerLimits(), clock or SystemClock())
    await server.start("127.0.0.1", 0)
    try:
        yield server
    finally:
        await server.close()
        assert server.connections == 0
        assert server.in_flight == 0


@asynccontextmanager
async def caller(server: Http1Server) -> AsyncIterator[Peer]:
    """Connect to the server."""
    sock = socket.socket()
    sock.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", server.port))
        yield Peer(sock)
    finally:
        sock.close()


BUNDLE = "ins"
FAR_SECONDS = 60.0
"""A limit that no test reaches, as it comes after PATIENCE_SECONDS; a test about a limit says its own."""


@asynccontextmanager
async def calling(
    *,
    limits: BundleLimits | None = None,
    bundles: Mapping[str, BundleLimits] | None = None,
    connect_timeout: float = FAR_SECONDS,
    max_response_bytes: int = 1 << 20,
    tls: ssl.SSLContext | None = None,
    clock: Clock | None = None,
    trial_seconds: float = 0.0,
) -> AsyncIterator["Caller"]:
    """Make a client with the bundle `ins`; nothing of it is left at the end. No trial, unless one is asked for."""
    client = Http1Client(
        bundles or {BUNDLE: limits or BundleLimits()},
        connect_timeout,
        max_response_bytes,
        tls,
        clock or SystemClock(),
        trial_seconds,
    )
    try:
        yield Caller(client)
    finally:
        await client.close()
        assert all(use == PoolUsage(0, 0, 0) for use in client.usage().values())


@dataclass
class Exchange:
    """One call: its answer, how often it was answered, and how to cancel it."""

    future: asyncio.Future[UpstreamAnswer]
    answers: list[UpstreamAnswer] = field(default_factory=list)
    cancel: Cancel = lambda: None
    then: Callable[[], object] = lambda: None
    """Called inside `on_done`."""

    def done(self, answer: UpstreamAnswer) -> None:
        self.answers.append(answer)
        if not self.future.done():
            self.future.set_result(answer)
        self.then()

    async def answer(self) -> UpstreamAnswer:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await asyncio.shield(self.future)


@dataclass
class Caller:
    """Calls through a client."""

    client: Http1Client

    def start(
        self,
        origin: Origin,
        body: bytes = b"{}",
        *,
        timeout: float = FAR_SECONDS,
        bundle: str = BUNDLE,
        head: bytes = b"",
    ) -> Exchange:
        exchange = Exchange(asyncio.get_running_loop().create_future())
        lines = head or b"POST /tool HTTP/1.1\r\nHost: %b\r\n" % origin.authority
        exchange.cancel = self.client.send(UpstreamRequest(bundle, origin, lines, body, timeout), exchange.done)
        return exchange

    async def call(self, origin: Origin, body: bytes = b"{}", *, timeout: float = FAR_SECONDS) -> UpstreamAnswer:
        return await self.start(origin, body, timeout=timeout).answer()

    @property
    def usage(self) -> PoolUsage:
        return self.client.usage()[BUNDLE]
