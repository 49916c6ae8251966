"""One answer between the handler, which replies at any time, and an ASGI server, which is awaited (ASGI 3.0)."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

from axhub.gateway.ports import Cancel, ReplyHead

Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]


class Piece(NamedTuple):
    """What one call of `reply` brought: the whole answer, or a part of it that more follows."""

    head: ReplyHead
    body: bytes
    more: bool


class Answer:
    """Keeps what the handler replies until the server takes it; tells the handler once if the caller goes."""

    def __init__(self, max_unsent_bytes: int) -> None:
        """A caller that lets more than `max_unsent_bytes` wait before a further piece counts as gone."""
        self.ended = False
        """Whether the handler has given its last piece."""
        self.gone = False
        self.cancel: Cancel | None = None
        """What tells the handler; used once."""
        self._max_unsent_bytes = max_unsent_bytes
        self._pieces: deque[Piece] = deque()
        self._unsent = 0
        self._news = asyncio.Event()

    def reply(self, head: ReplyHead, body: bytes, tail: bytes = b"", /, *, more: bool = False) -> None:
        """Take an answer or a piece of one; what comes after the last piece is dropped."""
        if self.ended:
            return
        self.ended = not more
        if self._unsent > self._max_unsent_bytes:
            self.leave()
        self._pieces.append(Piece(head, body + tail, more))
        self._unsent += len(body) + len(tail)
        self._news.set()

    async def first(self) -> Piece:
        """Return the beginning of the answer; the handler owes one even to a caller that has gone."""
        while not self._pieces:
            await self._wait()
        return self._take()

    async def following(self) -> Piece | None:
        """Return the next piece, or None if the caller has gone."""
        while not (self._pieces or self.gone):
            await self._wait()
        return None if self.gone else self._take()

    def leave(self) -> None:
        """Tell the handler that the caller has gone, unless it has ended its answer or been told."""
        self.gone = True
        self._news.set()
        cancel, self.cancel = self.cancel, None
        if cancel is None or self.ended:
            return
        try:
            cancel()
        except Exception as error:  # noqa: BLE001 - whatever it does, its answer is waited for
            report("Cancelling a request failed.", error)

    def _take(self) -> Piece:
        piece = self._pieces.popleft()
        self._unsent -= len(piece.body)
        return piece

    async def _wait(self) -> None:
        self._news.clear()
        await self._news.wait()


async def deliver(answer: Answer, receive: Receive, send: Send, stall_seconds: float) -> None:
    """Hand the answer to the server; a caller that leaves meanwhile cancels the call, where its revision wants that.

    So does a server that cancels the task: nobody is left to answer.
    """
    leaving = None if answer.ended else asyncio.ensure_future(_leave(answer, receive))
    try:
        piece = await answer.first()
        if piece.more:
            await _stream(answer, piece, send, stall_seconds)
        else:
            await send_whole(send, piece.head, piece.body)
    finally:
        if leaving is not None:
            leaving.cancel()
        answer.leave()


async def send_whole(send: Send, head: ReplyHead, body: bytes) -> None:
    """Hand a whole answer to the server."""
    await send(_start(head, (b"content-length", b"%d" % len(body))))
    await send({"type": "http.response.body", "body": body})


async def _stream(answer: Answer, first: Piece, send: Send, stall_seconds: float) -> None:
    """Send piece by piece; a caller that takes nothing for `stall_seconds` has its answer left unfinished."""
    piece: Piece | None = first
    try:
        async with asyncio.timeout(stall_seconds):
            await send(_start(first.head))
        while piece is not None:
            async with asyncio.timeout(stall_seconds):
                await send({"type": "http.response.body", "body": piece.body, "more_body": piece.more})
            piece = await answer.following() if piece.more else None
    except OSError:  # a time-out is one too; a server that fails here has lost the caller
        return


def _start(head: ReplyHead, *more: tuple[bytes, bytes]) -> Event:
    headers = [*((name.lower(), value) for name, value in head.headers), *more]
    if head.close:
        headers.append((b"connection", b"close"))
    return {"type": "http.response.start", "status": head.status, "headers": headers}


async def _leave(answer: Answer, receive: Receive) -> None:
    """Wait until the caller has gone, or the server cannot tell any more; then tell the handler."""
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    except Exception as error:  # noqa: BLE001 - a server that fails here has lost the caller
        report("Waiting for the end of a connection failed.", error)
    answer.leave()


def report(message: str, error: Exception) -> None:
    """Tell the loop's exception handler of a fault of ours."""
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})
