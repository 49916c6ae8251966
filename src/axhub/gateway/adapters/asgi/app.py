"""The same core as an ASGI app: for embedding, and as the second opinion on our own front (ASGI 3.0).

The ASGI server does the framing and its limits; bounds on body and headers are kept here as well.
"""

from collections.abc import Callable, MutableMapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from axhub.gateway.adapters.asgi.answer import Answer, Event, Receive, Send, deliver, report, send_whole
from axhub.gateway.ports import HttpHandler, HttpRequest, ReplyHead

__all__ = ("AsgiApp", "Event", "RefusedError", "Scope")

Scope = MutableMapping[str, Any]
Lifespan = Callable[[], AbstractAsyncContextManager[None]]
Refuse = Callable[[int, str], tuple[ReplyHead, bytes]]

MAX_HEADERS: Final = 64
MAX_HEADER_BYTES: Final = 32 * 1024
MAX_UNSENT_BYTES: Final = 1_048_576
STALL_SECONDS: Final = 10.0


class RefusedError(Exception):
    """The request is answered before the core sees it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class AsgiApp:
    """An ASGI 3.0 application around an `HttpHandler`."""

    def __init__(
        self,
        handler: HttpHandler,
        refuse: Refuse,
        *,
        max_request_bytes: int,
        lifespan: Lifespan,
        max_unsent_bytes: int = MAX_UNSENT_BYTES,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        """`lifespan` runs around the app's life: it starts and stops the refresh of the catalogue.

        Of an answer in pieces at most `max_unsent_bytes` wait for the server, and it may take nothing for
        `stall_seconds`; then the answer is left unfinished, which makes the server close the connection.
        """
        self._handler = handler
        self._refuse = refuse
        self._max_request_bytes = max_request_bytes
        self._lifespan = lifespan
        self._max_unsent_bytes = max_unsent_bytes
        self._stall_seconds = stall_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection scope; anything but HTTP and lifespan is left alone."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._lifespan():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = Answer(self._max_unsent_bytes)
        try:
            answer.cancel = self._handler(await self._request(scope, receive), answer.reply)
        except RefusedError as refused:
            await send_whole(send, *self._refuse(refused.status, str(refused)))
        except Exception as error:  # noqa: BLE001 - the server would make a 500 of it, with its own words (gateway/P6)
            report("A request could not be answered.", error)
            await send_whole(send, *self._refuse(503, "The server could not answer."))
        else:
            await deliver(answer, receive, send, self._stall_seconds)

    async def _request(self, scope: Scope, receive: Receive) -> HttpRequest:
        headers, repeated = _headers_of(scope)
        body = await self._read_body(receive, headers)
        path = scope.get("raw_path") or scope["path"].encode()
        return HttpRequest(scope["method"].encode(), path.partition(b"?")[0], headers, repeated, body)

    async def _read_body(self, receive: Receive, headers: dict[bytes, bytes]) -> bytes:
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > self._max_request_bytes:
            raise RefusedError(413, f"The body is over {self._max_request_bytes} bytes")
        parts: list[bytes] = []
        size = 0
        while True:
            event = await receive()
            if event["type"] == "http.disconnect":
                raise RefusedError(400, "The request ended before its body did")
            parts.append(event.get("body", b""))
            size += len(parts[-1])
            if size > self._max_request_bytes:
                raise RefusedError(413, f"The body is over {self._max_request_bytes} bytes")
            if not event.get("more_body"):
                return b"".join(parts)


def _headers_of(scope: Scope) -> tuple[dict[bytes, bytes], frozenset[bytes]]:
    headers: dict[bytes, bytes] = {}
    repeated: set[bytes] = set()
    size = 0
    for raw_name, value in scope["headers"]:
        name = raw_name.lower()
        size += len(name) + len(value) + 4
        if name in headers:
            repeated.add(name)
        else:
            headers[name] = value.strip(b" \t")
    if len(scope["headers"]) > MAX_HEADERS or size > MAX_HEADER_BYTES:
        raise RefusedError(431, f"More than {MAX_HEADERS} headers, or over {MAX_HEADER_BYTES} bytes of them")
    if b"host" in repeated:
        raise RefusedError(400, "More than one Host header")
    return headers, frozenset(repeated)
