"""Callers that keep their connection, as real clients do, and ways to wait for what the product shows as a state."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from support.gateway import CONTENT_TYPE, Asking, call_request
from support.http import Lines, Response, read_response, render
from support.tool_service import LINGER_ZERO

PATIENCE_SECONDS = 20.0


class Caller(Asking):
    """One connection to a gateway; requests go out one after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def post(self, body: bytes, headers: Lines = ()) -> Response:
        """Write one POST and read its answer."""
        self.write(body, headers)
        return await self.read()

    def start_call(
        self, name: str, arguments: bytes = b"{}", *, revision: str = "2025-11-25", headers: Lines = ()
    ) -> None:
        """Write a call and do not wait for its answer."""
        body, lines = call_request(name, arguments, revision=revision)
        self.write(body, (*lines, *headers))

    def write(self, body: bytes, headers: Lines = ()) -> None:
        """Write one POST."""
        self._writer.write(render(body, (CONTENT_TYPE, *headers)))

    async def read(self) -> Response:
        """Read one answer."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await read_response(self._reader)

    async def at_end(self) -> bytes:
        """Read until the other side closes."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self._reader.read()

    def close(self) -> None:
        """Go away in good order."""
        self._writer.close()

    def half_close(self) -> None:
        """Send no more."""
        self._writer.write_eof()

    def reset(self) -> None:
        """Go away with a reset."""
        connection: socket.socket = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
        self._writer.transport.abort()


@asynccontextmanager
async def calling(port: int) -> AsyncIterator[Caller]:
    """Connect to a gateway."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Caller(reader, writer)
    finally:
        writer.transport.abort()


@asynccontextmanager
async def many_calling(port: int, number: int) -> AsyncIterator[list[Caller]]:
    """Connect so many times to a gateway."""
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(number)]
    try:
        yield [Caller(reader, writer) for reader, writer in streams]
    finally:
        for _, writer in streams:
            writer.transport.abort()


def text_of(answer: Response) -> str:
    """Return the text of a call's result."""
    text = answer.json["result"]["content"][0]["text"]
    assert isinstance(text, str)
    return text


def is_error(answer: Response) -> bool:
    """Say whether a call's result is an error result."""
    return answer.json["result"].get("isError") is True


def names_of(answer: Response) -> list[str]:
    """Return the names that `tools/list` shows."""
    return [tool["name"] for tool in answer.json["result"]["tools"]]


async def until(condition: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait for a state of the product that has no event."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 -- see above
            await asyncio.sleep(0.002)
