"""MCI systems on loopback ports that do what a test says, byte by byte."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from axhub.toolkit.config.settings import LengthField, MciSystemSettings

DIGITS: Final = LengthField(kind="ascii", size=4)
"""The telegram begins with four digits: all its bytes."""


def system(port: int, **more: Any) -> MciSystemSettings:
    """Return an entry of the configuration for a system on this machine."""
    usual = {"name": "cfpa", "host": "127.0.0.1", "port": port, "length": DIGITS, "connect_timeout_millis": 20_000}
    return MciSystemSettings(**{**usual, **more})


def with_digits(body: bytes) -> bytes:
    """Return a telegram that begins with its length in four digits, over whatever stands there in its header."""
    return f"{len(body) + 4:04d}".encode() + body


class Line:
    """The host's end of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        self._reader = reader
        self._writer = writer
        self.number: Final = number
        """Which connection of the host it is, from 0."""

    async def read(self) -> bytes:
        """Return the next telegram, its length in four digits.

        Raises:
            asyncio.IncompleteReadError: the other side has closed the connection.
        """
        digits = await self._reader.readexactly(4)
        return digits + await self._reader.readexactly(int(digits) - 4)

    async def read_to_end(self) -> bytes:
        """Return all that comes until the other side ends its stream."""
        return await self._reader.read()

    async def send(self, *parts: bytes, pause: float = 0.01) -> None:
        """Send bytes, with a pause between the parts so that each is read by itself."""
        for number, part in enumerate(parts):
            await asyncio.sleep(pause if number else 0)
            self._writer.write(part)
            await self._writer.drain()

    async def is_closed(self) -> bool:
        """Wait until the other side closes the connection; say whether nothing came before."""
        try:
            return await self._reader.read() == b""
        except ConnectionError:
            return True

    def close(self) -> None:
        """End the connection in order."""
        self._writer.close()

    def reset(self) -> None:
        """Break it off."""
        connection = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


Script: TypeAlias = Callable[[Line], Awaitable[object]]


class Host:
    """Listens while entered, and does with each connection what the script says; then it is closed."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._server: asyncio.Server | None = None
        self._running: set[asyncio.Task[None]] = set()
        self.connections = 0
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._running.add(task)
        number, self.connections = self.connections, self.connections + 1
        try:
            await self._script(Line(reader, writer, number))
        except (asyncio.IncompleteReadError, ConnectionError, RuntimeError, asyncio.CancelledError):
            pass  # the other side is gone (a RuntimeError of uvloop), or the test ends: streams report a cancelled task
        finally:
            writer.close()


async def echoing(line: Line) -> None:
    """Answer each telegram with itself, until the connection is closed."""
    while True:
        await line.send(await line.read())
