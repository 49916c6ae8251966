"""The MCP server behind everybody in the part about MCP bundles: cheap, so that it does not set the pace.

Speaks both eras without sessions, with answers that were made at the start; only the id of a request is put in. It
reads HTTP/1.1 with a length, as the clients here send it, and nothing more. Environment: PORT, TOOLS (how many).
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench import inputs

INFO = {"name": "bench-upstream", "version": "1"}
META = {"_meta": {f"{inputs.META_PREFIX}serverInfo": INFO}, "resultType": "complete"}
CACHED = {"ttlMs": 60_000, "cacheScope": "public"}
TOOLS = inputs.public_tools(inputs.manifest(int(os.environ.get("TOOLS", "50")), "http://nowhere"))
CALLED = {"content": [{"type": "text", "text": inputs.answer()}]}
CAPABILITIES = {"tools": {"listChanged": False}}
OLD: dict[str, dict[str, Any]] = {
    "initialize": {"protocolVersion": inputs.LEGACY, "capabilities": CAPABILITIES, "serverInfo": INFO},
    "ping": {},
    "tools/list": {"tools": TOOLS},
    "tools/call": CALLED,
}
NEW: dict[str, dict[str, Any]] = {
    "server/discover": {"supportedVersions": [inputs.MODERN], "capabilities": CAPABILITIES, **CACHED, **META},
    "tools/list": {"tools": TOOLS, **CACHED, **META},
    "tools/call": {**CALLED, **META},
}
UNKNOWN = b'"error":{"code":-32601,"message":"Method not found"}'
HEAD = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
ACCEPTED = b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"
REFUSED = b"HTTP/1.1 405 Method Not Allowed\r\nallow: POST\r\ncontent-length: 0\r\n\r\n"
MODERN_LINE = f"mcp-protocol-version: {inputs.MODERN}".encode()


class Asked(msgspec.Struct):
    """What of a request is looked at."""

    method: str
    id: msgspec.Raw = msgspec.Raw(b"")


def written(results: dict[str, dict[str, Any]]) -> dict[str, bytes]:
    """Return the members `result` of the answers, by method."""
    return {method: b'"result":' + inputs.compact(result).encode() for method, result in results.items()}


RESULTS = {False: written(OLD), True: written(NEW)}
DECODE = msgspec.json.Decoder(Asked).decode


def answer(head: bytes, body: bytes) -> bytes:
    """Return the answer to one request; `head` is in lower case."""
    if not head.startswith(b"post "):
        return REFUSED
    asked, modern = DECODE(body), MODERN_LINE in head
    if not bytes(asked.id):
        return ACCEPTED
    result = RESULTS[modern].get(asked.method, UNKNOWN)
    status = b"404 Not Found" if result is UNKNOWN and modern else b"200 OK"
    text = b'{"jsonrpc":"2.0","id":%b,%b}' % (bytes(asked.id), result)
    return HEAD % (status, len(text)) + text


class Connection(asyncio.Protocol):
    """One connection, kept alive."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._kept = b""

    def data_received(self, data: bytes) -> None:
        self._kept += data
        while (end := self._kept.find(b"\r\n\r\n")) >= 0:
            head = self._kept[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self._kept) < end + 4 + length:
                return
            body, self._kept = self._kept[end + 4 : end + 4 + length], self._kept[end + 4 + length :]
            self._transport.write(answer(head, body))


async def serve() -> None:
    """Serve until the process is ended."""
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", int(os.environ["PORT"]))
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve())
