"""The same core as an ASGI app: for embedding, and as the second opinion on our own front (ASGI 3.0).

The ASGI server does the framing and its limits; bounds on body and headers are kept here as well.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from axhub.gateway.ports import Cancel, HttpHandler, HttpRequest, ReplyHead

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Lifespan = Callable[[], AbstractAsyncContextManager[None]]
Refuse = Callable[[int, str], tuple[ReplyHead, bytes]]

MAX_HEADERS: Final = 64
MAX_HEADER_BYTES: Final = 32 * 1024


class RefusedError(Exception):
    """The request is answered before the core sees it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class AsgiApp:
    """An ASGI 3.0 application around an `HttpHandler`."""

    def __init__(self, handler: HttpHandler, refuse: Refuse, *, max_request_bytes: int, lifespan: Lifespan) -> None:
        """`lifespan` runs around the app's life: it starts and stops the refresh of the catalogue."""
        self._handler = handler
        self._refuse = refuse
        self._max_request_bytes = max_request_bytes
        self._lifespan = lifespan

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
        try:
            head, body = await self._answer(scope, receive)
        except RefusedError as refused:
            head, body = self._refuse(refused.status, str(refused))
        except Exception as error:  # noqa: BLE001 - the server would make a 500 of it, with its own words (gateway/P6)
            _report("A request could not be answered.", error)
            head, body = self._refuse(503, "The server could not answer.")
        await _send(send, head, body)

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[ReplyHead, bytes]:
        answer: asyncio.Future[tuple[ReplyHead, bytes]] = asyncio.get_running_loop().create_future()

        def reply(head: ReplyHead, body: bytes, tail: bytes = b"", /) -> None:
            if not answer.done():
                answer.set_result((head, body + tail))

        headers, repeated = _headers_of(scope)
        body = await self._read_body(receive, headers)
        path = scope.get("raw_path") or scope["path"].encode()
        request = HttpRequest(scope["method"].encode(), path.partition(b"?")[0], headers, repeated, body)
        cancel = self._handler(request, reply)
        if not answer.done():
            await _wait(answer, receive, cancel)
        return await answer

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


async def _wait(answer: asyncio.Future[tuple[ReplyHead, bytes]], receive: Receive, cancel: Cancel | None) -> None:
    """Wait for the answer; a caller that leaves meanwhile cancels the call, where its revision wants that.

    So does a server that cancels the task: nobody is left to answer.
    """
    leaves = asyncio.ensure_future(_disconnect(receive))
    try:
        await asyncio.wait((answer, leaves), return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaves.cancel()
        if not answer.done() and cancel is not None:
            try:
                cancel()
            except Exception as error:  # noqa: BLE001 - whatever it does, its answer is waited for
                _report("Cancelling a request failed.", error)


async def _disconnect(receive: Receive) -> None:
    """Return when the caller has gone, or when the server cannot tell any more."""
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    except Exception as error:  # noqa: BLE001 - a server that fails here has lost the caller
        _report("Waiting for the end of a connection failed.", error)


def _report(message: str, error: Exception) -> None:
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})


async def _send(send: Send, head: ReplyHead, body: bytes) -> None:
    headers = [(name.lower(), value) for name, value in head.headers]
    headers.append((b"content-length", b"%d" % len(body)))
    if head.close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": head.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
