"""Peers that do exactly what a script says, over real sockets: both sides of the wire tests.

A script is a list of steps; each step is what the peer does next on one connection. Bytes received are kept.
"""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from axhub.contract.endpoints import Origin

PATIENCE_SECONDS = 20.0
"""How long a peer waits for bytes, or a test for an event, before the test fails."""

Step = Callable[["Peer"], Awaitable[None]]


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait until a gauge shows what is expected; where there is an event, wait for that instead."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 - gauges have no event
            await asyncio.sleep(0.001)


@dataclass
class Peer:
    """One end of a connection, driven by hand or by a script."""

    sock: socket.socket
    received: bytearray = field(default_factory=bytearray)
    taken: int = 0
    """Bytes of `received` that have been looked at."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the other side has closed or reset, or the script has."""
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.sock, data)

    async def receive(self) -> bytes:
        """Take what comes next; empty at the end of the stream."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                data = await asyncio.get_running_loop().sock_recv(self.sock, 1 << 16)
        except ConnectionError:
            data = b""
        self.received += data
        self.news.set()
        if not data:
            self.ended.set()
        return data

    async def saw(self, text: bytes) -> None:
        """Wait until the script has received `text`."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while text not in self.received:
                self.news.clear()
                await self.news.wait()

    async def until(self, count: int) -> bytes:
        """Take exactly `count` bytes more."""
        while len(self.received) - self.taken < count:
            assert await self.receive(), f"ended after {bytes(self.received)!r}"
        data = bytes(self.received[self.taken : self.taken + count])
        self.taken += count
        return data

    async def until_text(self, text: bytes) -> bytes:
        """Take everything up to and with `text`."""
        while (at := self.received.find(text, self.taken)) < 0:
            assert await self.receive(), f"no {text!r} in {bytes(self.received)!r}"
        return await self.until(at + len(text) - self.taken)

    async def until_end(self) -> bytes:
        """Take everything until the other side closes."""
        while await self.receive():
            pass
        data = bytes(self.received[self.taken :])
        self.taken = len(self.received)
        return data

    async def message(self) -> bytes:
        """Take one message with a length, or without a body."""
        head = await self.until_text(b"\r\n\r\n")
        length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        return head + (await self.until(int(length[0].partition(b":")[2])) if length else b"")

    def half_close(self) -> None:
        self.sock.shutdown(socket.SHUT_WR)

    def reset(self) -> None:
        """Close with RST instead of FIN."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def close(self) -> None:
        self.sock.close()


# Steps.


def read() -> Step:
    """Read one whole request."""

    async def step(peer: Peer) -> None:
        await peer.message()

    return step


def read_some(count: int = 1) -> Step:
    """Read only the first bytes of a request."""

    async def step(peer: Peer) -> None:
        await peer.until(count)

    return step


def send(data: bytes) -> Step:
    async def step(peer: Peer) -> None:
        await peer.send(data)

    return step


def sleep(seconds: float) -> Step:
    async def step(peer: Peer) -> None:
        await asyncio.sleep(seconds)

    return step


def drip(data: bytes, seconds: float) -> Step:
    """Send byte by byte with a pause before each."""

    async def step(peer: Peer) -> None:
        for at in range(len(data)):
            await asyncio.sleep(seconds)
            await peer.send(data[at : at + 1])

    return step


def flood(data: bytes) -> Step:
    """Send the same again and again until the other side closes."""

    async def step(peer: Peer) -> None:
        while True:
            await peer.send(data)
            await asyncio.sleep(0)  # sending alone need not let others run

    return step


def reset() -> Step:
    async def step(peer: Peer) -> None:
        peer.reset()

    return step


def half_close() -> Step:
    async def step(peer: Peer) -> None:
        peer.half_close()

    return step


def close() -> Step:
    async def step(peer: Peer) -> None:
        peer.close()

    return step


def hang() -> Step:
    """Say nothing more; wait for the other side to close."""

    async def step(peer: Peer) -> None:
        await peer.until_end()

    return step


# A Tool Service by script.


@dataclass
class Upstream:
    """Answers its nth connection by the nth script; the last script goes on for all further ones."""

    scripts: Sequence[Sequence[Step]]
    origin: Origin
    peers: list[Peer] = field(default_factory=list)
    accepted: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def peer(self, number: int = 0) -> Peer:
        """Wait for the connection with that number."""
        async with asyncio.timeout(PATIENCE_SECONDS), self.accepted:
            await self.accepted.wait_for(lambda: len(self.peers) > number)
        return self.peers[number]

    async def ended(self, number: int = 0) -> None:
        """Wait until that connection has closed, from either side."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await (await self.peer(number)).ended.wait()

    async def accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as conversations:
            while True:
                sock, _ = await loop.sock_accept(listener)
                sock.setblocking(False)
                peer = Peer(sock)
                async with self.accepted:
                    self.peers.append(peer)
                    self.accepted.notify_all()
                script = self.scripts[min(len(self.peers), len(self.scripts)) - 1]
                conversations.create_task(self.converse(peer, script))

    async def converse(self, peer: Peer, script: Sequence[Step]) -> None:
        try:
            for step in script:
                await step(peer)
            if peer.sock.fileno() >= 0:
                await peer.until_end()
        except (ConnectionError, AssertionError, TimeoutError):
            pass  # the test looks at what was received
        finally:
            peer.ended.set()
            peer.sock.close()


@asynccontextmanager
async def upstream(*scripts: Sequence[Step]) -> AsyncIterator[Upstream]:
    """Run a scripted Tool Service on a free port of the loopback address."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    listener.setblocking(False)
    service = Upstream(scripts, Origin("http", "127.0.0.1", listener.getsockname()[1]))
    accepting = asyncio.create_task(service.accept(listener))
    try:
        yield service
    finally:
        accepting.cancel()
        await asyncio.gather(accepting, return_exceptions=True)
        listener.close()
