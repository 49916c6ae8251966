"""One request to our own server, answered piece by piece by the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import h11

from axhub.gateway.adapters.http1.limits import ServerLimits
from axhub.gateway.adapters.http1.server import Http1Server
from axhub.gateway.ports import ReplyHead
from support.wire import Peer
from support.wire_ends import Core, caller, serving

EVENTS = ReplyHead(200, ((b"Content-Type", b"text/event-stream"),))
GET = b"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n"
CHUNKED = b"Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@asynccontextmanager
async def streaming(
    request: bytes = GET, limits: ServerLimits | None = None
) -> AsyncIterator[tuple[Core, Http1Server, Peer]]:
    """Ask, and give the core with the one request that it has not answered yet."""
    core = Core(answer=None)
    async with serving(core, limits=limits) as server, caller(server) as peer:
        await peer.send(request)
        await core.until(requests=1)
        yield core, server, peer


def parsed(text: bytes) -> list[tuple[int, bytes]]:
    """Return status and body of each answer, as h11 reads them."""
    ours = h11.Connection(h11.CLIENT)
    ours.receive_data(text)
    answers: list[tuple[int, bytes]] = []
    while ours.trailing_data[0] or not answers:
        ours.send(h11.Request(method="GET", target="/", headers=[("Host", "a")]))
        ours.send(h11.EndOfMessage())
        head = ours.next_event()
        assert isinstance(head, h11.Response)
        body = b""
        while isinstance(event := ours.next_event(), h11.Data):
            body += bytes(event.data)
        assert isinstance(event, h11.EndOfMessage)
        answers.append((head.status_code, body))
        if ours.our_state is not h11.DONE or ours.their_state is not h11.DONE:
            break
        ours.start_next_cycle()
    return answers
