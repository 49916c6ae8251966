"""A payment provider on loopback: it keeps each key's answer as real ones do, and misbehaves as a test says.

async with provider() as made:
    made.troubles.append(DONE_AND_RESET)
    await HttpPayments(made.url).pay_out(payment)
"""

import asyncio
import json
import re
import socket
import struct
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import unquote

__all__ = [
    "BUSY",
    "DONE_AND_FAILED",
    "DONE_AND_RESET",
    "DONE_AND_SILENT",
    "DONE_AND_TOLD_TWICE",
    "FAILED",
    "GARBAGE",
    "PENDING",
    "REDIRECTED",
    "RESET",
    "SILENT",
    "TOO_LONG",
    "Provider",
    "Trouble",
    "provider",
]

_HEAD: Final = re.compile(rb"(?P<method>POST|GET) /payouts(?:/(?P<key>\S+))? HTTP/1\.1\r\n", re.IGNORECASE)
_KEY: Final = re.compile(rb"\r\nidempotency-key: (\S+)\r\n", re.IGNORECASE)
_LENGTH: Final = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


def _answer(status: str, body: bytes, *headers: str) -> bytes:
    lines = (f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
    return "\r\n".join((*lines, "", "")).encode() + body


class Trouble(NamedTuple):
    """What becomes of a request instead."""

    is_done: bool = False
    """Whether it is carried out all the same."""
    answer: bytes | None = None
    """None: nothing comes."""
    is_reset: bool = False
    """Whether the connection is then torn down."""


SILENT: Final = Trouble()
RESET: Final = Trouble(is_reset=True)
FAILED: Final = Trouble(answer=_answer("503 Service Unavailable", b""))
BUSY: Final = Trouble(answer=_answer("429 Too Many Requests", b""))
GARBAGE: Final = Trouble(is_done=True, answer=_answer("200 OK", b"<html>paid</html>"))
TOO_LONG: Final = Trouble(is_done=True, answer=_answer("200 OK", b'{"state": "paid"}' + b" " * 100_000))
PENDING: Final = Trouble(is_done=True, answer=_answer("200 OK", b'{"state": "pending"}'))
REDIRECTED: Final = Trouble(answer=_answer("307 Temporary Redirect", b"", "Location: /payouts"))
DONE_AND_SILENT: Final = Trouble(is_done=True)
DONE_AND_RESET: Final = Trouble(is_done=True, is_reset=True)
DONE_AND_FAILED: Final = Trouble(is_done=True, answer=_answer("500 Internal Server Error", b""))
DONE_AND_TOLD_TWICE: Final = Trouble(
    is_done=True,
    answer=_answer("200 OK", b'{"state": "paid"}') + _answer("200 OK", b'{"state": "declined", "reason": "other"}'),
)


@dataclass
class Provider:
    """What it is told, and what it was asked."""

    url: str
    declines: Callable[[str], str | None] = lambda _key: None
    """Returns why a key is declined; None: it is paid."""
    troubles: deque[Trouble] = field(default_factory=deque)
    """Of the next requests, one each."""
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Method and key, as they came."""
    headers: list[bytes] = field(default_factory=list)
    """Heads of them."""
    paid: dict[str, int] = field(default_factory=dict)
    """Amounts that were paid, by key: each once, whatever came."""
    told: dict[str, str] = field(default_factory=dict)
    """What it says of each key, from the first request on."""

    def asked(self, key: str) -> list[str]:
        """Return the methods of the requests about a key."""
        return [method for method, named in self.requests if named == key]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request of a connection."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length[1])) if length else b""
            await _sent(reader, writer, self._taken(head, body))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # whoever asked is gone
        finally:
            writer.close()

    def _taken(self, head: bytes, body: bytes) -> Trouble:
        """Note a request and carry it out; return what becomes of the connection."""
        asked, key = _HEAD.match(head), _KEY.search(head)
        assert asked is not None, head  # noqa: S101 -- a test asked for something else
        method = asked["method"].decode()
        named = unquote((key[1] if key else asked["key"]).decode())
        self.requests.append((method, named))
        self.headers.append(head)
        trouble = self.troubles.popleft() if self.troubles else None
        if method == "POST" and (trouble is None or trouble.is_done):
            self._decide(named, json.loads(body)["amount"])
        return trouble or Trouble(answer=self._told(named))

    def _decide(self, key: str, amount: int) -> None:
        """Carry a request out, unless its key was seen before."""
        if key in self.told:
            return
        reason = self.declines(key)
        self.told[key] = json.dumps({"state": "paid"} if reason is None else {"state": "declined", "reason": reason})
        if reason is None:
            self.paid[key] = amount

    def _told(self, key: str) -> bytes:
        if key not in self.told:
            return _answer("404 Not Found", b'{"state": "unknown"}')
        return _answer("200 OK", self.told[key].encode())


async def _sent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, trouble: Trouble) -> None:
    """Send what there is, and tear the connection down, or wait until the other side has had enough."""
    if trouble.answer is not None:
        writer.write(trouble.answer)
        await writer.drain()
    elif trouble.is_reset:
        at_once = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        writer.transport.abort()
    else:
        await reader.read()


@asynccontextmanager
async def provider() -> AsyncIterator[Provider]:
    """Serve a provider until the end of the block."""
    made = Provider("")
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.close()
