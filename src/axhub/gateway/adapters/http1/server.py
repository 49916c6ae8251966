"""The HTTP/1.1 server: listens, counts, drains (gateway/P6, gateway/C6). Each connection answers for itself."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final, cast

from axhub.gateway.adapters.http1.deadlines import Deadlines
from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.replies import Replies
from axhub.gateway.adapters.http1.server_connection import Front, ServerConnection
from axhub.gateway.ports import Clock, HttpHandler, ReplyHead

__all__ = ("Http1Server", "ServerLimits")

_BACKLOG: Final = 2048
_CLOSING_SECONDS: Final = 1.0


class Http1Server:
    """Hands each whole request to `handler`; what is wrong with a request is answered by `refuse`. Made inside a loop.

    `handler` must call `reply` for each request, also after `Cancel`; if it raises, the caller gets a 503 and the
    loop's exception handler hears of it. Above `limits.max_connections` a new caller is told 503 and closed, so that
    a load balancer can go elsewhere; accepting never pauses.
    """

    def __init__(
        self,
        handler: HttpHandler,
        refuse: Callable[[int, str], tuple[ReplyHead, bytes]],
        limits: ServerLimits,
        clock: Clock,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._front = Front(handler, refuse, limits, Replies(clock), Deadlines(self._loop, clock.monotonic))
        self._listener: asyncio.Server | None = None
        self._taken_in: list[asyncio.Task[object]] = []
        self.port = 0
        """The port listened on, also after the listener has closed."""

    async def start(self, host: str, port: int, *, reuse_port: bool = False) -> None:
        """Listen; port 0 takes a free one. Raise OSError if the address cannot be had."""
        self._listener = await self._loop.create_server(
            self._new_connection, host, port, backlog=_BACKLOG, reuse_port=reuse_port or None
        )
        self.port = self._listener.sockets[0].getsockname()[1]

    @property
    def connections(self) -> int:
        """Open connections."""
        return len(self._front.deadlines.items)

    @property
    def in_flight(self) -> int:
        """Requests handed to the handler and not yet answered."""
        return sum(connection.busy for connection in self._open())

    def stop_accepting(self) -> None:
        """Close the listening socket; open connections, and those that wait to be accepted, go on."""
        listener, self._listener = self._listener, None
        if listener is not None:
            for listening in listener.sockets:
                self._take_in(listening.fileno())
            listener.close()

    async def drain(self, seconds: float) -> int:
        """Stop accepting, let requests end for up to `seconds`, close everything; return how many were cut.

        Idle connections close after `drain_idle_seconds`, others with their next answer, which says so.
        """
        self.stop_accepting()
        self._front.draining = True
        await asyncio.gather(*self._taken_in, return_exceptions=True)
        for connection in self._open():
            connection.drain()
        await self._wait_until_empty(seconds)
        cut = self.in_flight
        await self.close()
        return cut

    async def close(self) -> None:
        """Stop accepting and close everything at once."""
        self.stop_accepting()
        await asyncio.gather(*self._taken_in, return_exceptions=True)
        for connection in self._open():
            connection.abort()
        await self._wait_until_empty(_CLOSING_SECONDS)
        self._front.deadlines.stop()

    def _take_in(self, listening: int) -> None:
        """Accept who waits in the system's queue: closing it would reset them, with their requests sent (ops/O5)."""
        with socket.socket(fileno=os.dup(listening)) as queue:
            queue.setblocking(False)
            queue.listen(0)  # no longer a queue: who comes between here and the end asks again, and is refused
            with suppress(OSError):  # nobody waits any more, or no file is free
                while True:
                    accepted = queue.accept()[0]
                    connecting = self._loop.connect_accepted_socket(self._new_connection, accepted)
                    self._taken_in.append(self._loop.create_task(connecting))

    def _new_connection(self) -> ServerConnection:
        return ServerConnection(self._front)

    def _open(self) -> list[ServerConnection]:
        return cast("list[ServerConnection]", list(self._front.deadlines.items))

    async def _wait_until_empty(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._front.deadlines.items:
                    self._front.emptied.clear()
                    await self._front.emptied.wait()
