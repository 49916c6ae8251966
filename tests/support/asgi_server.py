"""An ASGI app behind uvicorn on a loopback port, in the event loop of the test: up at once, and gone at once.

uvicorn's own `serve` and `shutdown` look only ten times a second whether there is something to do, which is most of
what a test of a request would take.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import uvicorn

GRACE_SECONDS: Final = 0.1
"""How long requests that a test has left behind may go on at its end."""


@asynccontextmanager
async def on_loopback(
    app: Any, port: int = 0, sockets: Sequence[socket.socket] | None = None, **said: Any
) -> AsyncIterator[int]:
    """Serve an ASGI app on `port` (0: any) or on bound sockets; yield the port. `said` are settings of uvicorn."""
    config = uvicorn.Config(app, **{"host": "127.0.0.1", "port": port, "log_config": None, "ws": "none", **said})
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup(None if sockets is None else list(sockets))
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        await _end(server)


async def _end(server: uvicorn.Server) -> None:
    """Do what uvicorn does to shut down, without its pauses."""
    for listening in server.servers:
        listening.close()
    state = server.server_state
    for connection in list(state.connections):
        connection.shutdown()
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE_SECONDS):
            while state.connections or state.tasks:  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(0.001)
    for task in state.tasks:
        task.cancel()
    await server.lifespan.shutdown()
