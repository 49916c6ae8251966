"""One HTTP request over a raw connection, and the answer as it came."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Lines = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Response:
    """An answer: header names in lower case, values as sent."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as a JSON value."""
        return json.loads(self.body)


def render(body: bytes, headers: Lines = (), *, method: bytes = b"POST", path: bytes = b"/mcp") -> bytes:
    """Return the bytes of a request; a `Host` and a length are added unless they are given."""
    given = {name.lower() for name, _ in headers}
    lines = [b"%b %b HTTP/1.1" % (method, path), *(b"%b: %b" % pair for pair in headers)]
    if b"host" not in given:
        lines.append(b"Host: 127.0.0.1")
    if b"content-length" not in given and b"transfer-encoding" not in given:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


async def read_response(reader: asyncio.StreamReader) -> Response:
    """Read one answer with a length (or a status that has no body)."""
    head = await reader.readuntil(b"\r\n\r\n")
    status_line, *lines = head[:-4].split(b"\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    body = await reader.readexactly(int(headers.get(b"content-length", b"0")))
    return Response(int(status_line.split()[1]), headers, body)


async def exchange(port: int, request: bytes) -> Response:
    """Send one request on a connection of its own and return its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await read_response(reader)
    finally:
        writer.close()
