"""A Tool Service on a loopback port that can be told to misbehave; plain asyncio, no HTTP library.

    async with ToolService() as service:
        service.on("/tool-manifest", reply(body=manifest("insurance", [tool("claim_find")])))
        service.on("/tools/claim_find", reply(503), reply(body=b'{"found": 1}'))   # the last one repeats
        ...
        service.requests[0].lines     # header lines as they came: [(b"Host", b"127.0.0.1:1"), …]

An answer is a tuple of steps, run one after the other on the connection: `Send`, `Drip`, `Wait`, `Hold`, `Hang`,
`Close`, `Reset`. Connections are kept unless a step ends them or the request asks for it. `reply` makes usual answers.
"""

import asyncio
import socket
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, cycle, repeat
from types import TracebackType
from typing import Self, cast

LINGER_ZERO = struct.pack("ii", 1, 0)
PATIENCE_SECONDS = 30.0
"""How long a test waits for what a peer should do before it fails."""


@dataclass(frozen=True)
class Send:
    """Write bytes, whatever they are."""

    data: bytes


@dataclass(frozen=True)
class Drip:
    """Write `size` bytes every `every` seconds until all are out or the peer has gone."""

    data: bytes
    every: float = 0.02
    size: int = 1


@dataclass(frozen=True)
class Wait:
    """Do nothing for a while."""

    seconds: float


@dataclass(frozen=True)
class Hold:
    """Do nothing until the event is set or the peer has gone."""

    gate: asyncio.Event


@dataclass(frozen=True)
class Hang:
    """Do nothing until the peer has gone."""


@dataclass(frozen=True)
class Close:
    """End the connection after what was sent."""


@dataclass(frozen=True)
class Reset:
    """Break the connection with a reset."""


Step = Send | Drip | Wait | Hold | Hang | Close | Reset
Answer = tuple[Step, ...]


@dataclass(frozen=True)
class Received:
    """One request as it came over the wire."""

    method: bytes
    target: bytes
    lines: tuple[tuple[bytes, bytes], ...]
    """Header names and values exactly as sent, in order."""
    body: bytes
    connection: int
    """Number of the connection it came on, from 1."""
    head: bytes = b""
    """Request line and headers as sent, with the empty line."""

    @property
    def headers(self) -> dict[bytes, bytes]:
        """Lower-case names to values; of a repeated name, the last."""
        return {name.lower(): value for name, value in self.lines}


Answers = Answer | Callable[[Received], Answer]
"""An answer, or what makes one from the request."""


def response(
    status: int = 200,
    body: bytes = b"{}",
    *,
    content_type: bytes | None = b"application/json",
    headers: Sequence[tuple[bytes, bytes]] = (),
    length: int | None = -1,
    chunked: bool = False,
) -> bytes:
    """Return the bytes of a response; `length` None leaves Content-Length out, another number lies about it."""
    lines = [b"HTTP/1.1 %d Whatever" % status]
    if content_type is not None:
        lines.append(b"Content-Type: " + content_type)
    lines += [name + b": " + value for name, value in headers]
    if chunked:
        lines.append(b"Transfer-Encoding: chunked")
        body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in _parts(body)) + b"0\r\n\r\n"
    elif length is not None:
        lines.append(b"Content-Length: %d" % (len(body) if length < 0 else length))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def reply(
    status: int = 200,
    body: bytes = b"{}",
    *,
    content_type: bytes | None = b"application/json",
    headers: Sequence[tuple[bytes, bytes]] = (),
    length: int | None = -1,
    chunked: bool = False,
    then: Answer = (),
) -> Answer:
    """Return the answer that sends one response at once, and does `then`."""
    data = response(status, body, content_type=content_type, headers=headers, length=length, chunked=chunked)
    return (Send(data), *then)


NOT_FOUND = reply(404, b'{"error": {"code": "NOT_FOUND", "message": "no such path"}}')


@dataclass
class _Counter:
    """A number to wait for."""

    value: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self) -> None:
        self.value += 1
        self.changed.set()

    async def reach(self, number: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.value < number:
                self.changed.clear()
                await self.changed.wait()


class ToolService:
    """Listens on 127.0.0.1 while entered; `stop` refuses connections and keeps the port, `start` accepts again."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.port = 0
        self._received = _Counter()
        self._accepted = _Counter()
        self._ended = _Counter()
        self._answers: dict[bytes, Iterator[Answers]] = {}
        self._open: set[_Connection] = set()
        self._server: asyncio.Server | None = None
        self._reserved: socket.socket | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        if self._reserved is not None:
            self._reserved.close()

    @property
    def origin(self) -> str:
        """Return `http://127.0.0.1:port`."""
        return f"http://127.0.0.1:{self.port}"

    def url(self, target: str = "/tool-manifest") -> str:
        """Return the whole URL of a path of this service."""
        return self.origin + target

    @property
    def connections(self) -> int:
        """Return how many connections were accepted so far."""
        return self._accepted.value

    @property
    def open_connections(self) -> int:
        """Return how many of them are open."""
        return len(self._open)

    def on(self, target: str, *answers: Answers) -> None:
        """Answer requests of this target (query included, any method) with these in turn; the last one repeats."""
        self._answers[target.encode()] = chain(answers, repeat(answers[-1]))

    def flap(self, target: str, *answers: Answers) -> None:
        """Answer requests of this target with these in turn, for ever."""
        self._answers[target.encode()] = cycle(answers)

    async def received(self, number: int) -> Received:
        """Wait until `number` whole requests have come; return the last of them."""
        await self._received.reach(number)
        return self.requests[number - 1]

    async def accepted(self, number: int) -> None:
        """Wait until that many connections were accepted."""
        await self._accepted.reach(number)

    async def ended(self, number: int) -> None:
        """Wait until that many connections have ended, by whichever side."""
        await self._ended.reach(number)

    async def start(self) -> None:
        """Listen, on the same port as before."""
        if self._reserved is not None:
            self._reserved.close()
            self._reserved = None
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", self.port, backlog=2048)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Break off all connections and refuse new ones; the port stays ours."""
        if self._server is None:
            return
        self._server.close()
        for connection in tuple(self._open):
            connection.abort()
        await self._ended.reach(self._accepted.value)
        await self._server.wait_closed()
        self._server = None
        self._reserved = socket.socket()
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved.bind(("127.0.0.1", self.port))

    def opened(self, connection: "_Connection") -> int:
        """Note a new connection; return its number."""
        self._open.add(connection)
        self._accepted.add()
        return self._accepted.value

    def closed(self, connection: "_Connection") -> None:
        """Note that a connection has ended."""
        self._open.discard(connection)
        self._ended.add()

    def answer(self, request: Received) -> Answer:
        """Record a request and return its answer."""
        self.requests.append(request)
        self._received.add()
        answers = self._answers.get(request.target)
        answer: Answers = NOT_FOUND if answers is None else next(answers)
        return answer if isinstance(answer, tuple) else answer(request)


class _Connection(asyncio.Protocol):
    """One connection: reads a request, runs the steps of its answer, reads on."""

    def __init__(self, service: ToolService) -> None:
        self._service = service
        self._buffer = bytearray()
        self._arrived = asyncio.Event()
        self._gone = asyncio.Event()
        self._number = 0
        self._transport: asyncio.Transport
        self._task: asyncio.Task[None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._number = self._service.opened(self)
        self._task = asyncio.get_running_loop().create_task(self._serve())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._arrived.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set()
        self._arrived.set()
        self._task.cancel()
        self._service.closed(self)

    def abort(self) -> None:
        self._transport.abort()

    async def _serve(self) -> None:
        try:
            while not self._transport.is_closing():
                request = await self._request()
                for step in self._service.answer(request):
                    await self._run(step)
                if b"close" in request.headers.get(b"connection", b"").lower():
                    self._transport.close()
        finally:  # also when a test's own answer is at fault: its client must not wait for ever
            self._transport.close()

    async def _request(self) -> Received:
        head = await self._until(b"\r\n\r\n")
        request_line, *lines = head[:-4].split(b"\r\n")
        method, target, _ = request_line.split(b" ", 2)
        pairs = tuple((name, value.strip(b" \t")) for name, _, value in (line.partition(b":") for line in lines))
        headers = {name.lower(): value for name, value in pairs}
        if headers.get(b"transfer-encoding", b"").lower() == b"chunked":
            body = await self._chunks()
        else:
            body = await self._exactly(int(headers.get(b"content-length", b"0")))
        return Received(method, target, pairs, body, self._number, head)

    async def _chunks(self) -> bytes:
        body = b""
        while size := int(await self._until(b"\r\n"), 16):
            body += await self._exactly(size)
            await self._until(b"\r\n")
        await self._until(b"\r\n")
        return body

    async def _until(self, mark: bytes) -> bytes:
        while (end := self._buffer.find(mark)) < 0:
            await self._more()
        return self._take(end + len(mark))

    async def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            await self._more()
        return self._take(size)

    async def _more(self) -> None:
        self._arrived.clear()
        await self._arrived.wait()

    def _take(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    async def _run(self, step: Step) -> None:
        match step:
            case Send(data):
                self._transport.write(data)
            case Drip(data, every, size):
                for part in _parts(data, size):
                    self._transport.write(part)
                    await asyncio.sleep(every)
            case Wait(seconds):
                await asyncio.sleep(seconds)
            case Hold(gate):
                await gate.wait()
            case Hang():
                await self._gone.wait()
            case Close() | Reset():
                self._end(reset=isinstance(step, Reset))

    def _end(self, *, reset: bool) -> None:
        if not reset:
            self._transport.close()
            return
        connection: socket.socket = self._transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
        self._transport.abort()


def _parts(body: bytes, size: int = 1000) -> Iterator[bytes]:
    return (body[start : start + size] for start in range(0, len(body), size))
