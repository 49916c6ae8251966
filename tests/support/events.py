"""A caller that listens: one request over a raw connection, and the events of its answer as they come."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from support.gateway import CONTENT_TYPE, NEW, request
from support.http import Lines, render

PATIENCE_SECONDS = 30.0
TOOLS = {"notifications": {"toolsListChanged": True}}
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
CHANGED = "notifications/tools/list_changed"


@dataclass
class EventStream:
    """The answer to a request: its head, then blocks of server-sent events, in chunks or up to the end."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int = 0
    headers: dict[bytes, bytes] = field(default_factory=dict)
    text: bytes = b""
    """What has come of the body and was not looked at."""
    whole: bool = False
    """Whether the answer has ended as it should."""
    comments: int = 0

    async def begin(self) -> None:
        """Read the head."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            head = await self.reader.readuntil(b"\r\n\r\n")
        status_line, *lines = head[:-4].split(b"\r\n")
        self.status = int(status_line.split()[1])
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}

    async def message(self) -> dict[str, Any]:
        """Return the next message; comments before it are counted."""
        while True:
            block = await self.block()
            assert block, "the stream ended"
            if block.startswith(b":"):
                self.comments += 1
                continue
            event, _, data = block.partition(b"\n")
            assert (event, data[:6]) == (b"event: message", b"data: ")
            found: dict[str, Any] = json.loads(data[6:])
            return found

    async def block(self) -> bytes:
        """Return the text up to the next empty line, or nothing at the end."""
        while b"\n\n" not in self.text:
            if not await self._more():
                assert self.text == b""
                return b""
        block, _, self.text = self.text.partition(b"\n\n")
        return block

    async def _more(self) -> bool:
        """Read a piece of the body; say whether there was one."""
        if self.whole:
            return False
        async with asyncio.timeout(PATIENCE_SECONDS):
            if self.headers.get(b"transfer-encoding") == b"chunked":
                return await self._chunk()
            if b"content-length" in self.headers:
                self.text += await self.reader.readexactly(int(self.headers[b"content-length"]))
                self.whole = True
                return True
            piece = await self.reader.read(65536)
            self.text += piece
            self.whole = not piece
            return bool(piece)

    async def _chunk(self) -> bool:
        line = await self.reader.readline()
        if not line:
            return False
        piece = await self.reader.readexactly(int(line, 16) + 2)
        self.text += piece[:-2]
        self.whole = line == b"0\r\n"
        return not self.whole

    def leave(self) -> None:
        """Go away."""
        self.writer.close()


@asynccontextmanager
async def asking(
    port: int, method: str, params: Mapping[str, Any], *, revision: str = NEW, headers: Lines | None = None
) -> AsyncIterator[EventStream]:
    """Send one request, with other headers than its revision wants if they are given; read the head of the answer."""
    body, lines = request(method, params, revision=revision)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(render(body, (CONTENT_TYPE, *(lines if headers is None else headers))))
        stream = EventStream(reader, writer)
        await stream.begin()
        yield stream
    finally:
        writer.transport.abort()


@asynccontextmanager
async def listening(port: int, params: Mapping[str, Any] = TOOLS) -> AsyncIterator[EventStream]:
    """Open a subscription; the block begins once it is acknowledged."""
    async with asking(port, "subscriptions/listen", params) as stream:
        assert (await stream.message())["method"] == ACKNOWLEDGED
        yield stream
