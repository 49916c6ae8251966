"""Serves the mock of one MCI system on a TCP port of its own, misbehaving as it is told (toolkit/B4)."""

import asyncio
import socket
import struct
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from axhub.toolkit.config.settings import MciSystemSettings
from axhub.toolkit.connectors.mci.framing import Framing, FramingError, OversizeError
from axhub.toolkit.connectors.mci.mock_faults import GOOD, MciMisbehaviour
from axhub.toolkit.connectors.mci.mock_systems import MciMock, MockTelegram

__all__ = ["MciMockServer", "Told"]

_BREAK: Final = struct.pack("ii", 1, 0)
_GARBLE: Final = 0xFF
_PART: Final = 65_536
_PAUSE_SECONDS: Final = 0.02
"""Between the two parts of a telegram."""

Told = Callable[[str], object]
"""Takes a line about each request; it holds nothing that was asked or answered."""


class MciMockServer:
    """Listens while entered."""

    def __init__(
        self,
        system: MciSystemSettings,
        mock: MciMock,
        listening: socket.socket,
        told: Told,
        fault: MciMisbehaviour = GOOD,
    ) -> None:
        """Take what is served.

        Args:
            system: how its telegrams are told apart.
            mock: decides the answers.
            listening: the bound socket; it is closed at the end.
            told: hears of each request.
            fault: what is done wrong.
        """
        self._name = system.name
        self._framing = Framing(system.length, system.max_telegram_bytes)
        self._mock = mock
        self._listening = listening
        self._told = told
        self._fault = fault
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, sock=self._listening)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)
        line.add_done_callback(lambda _: writer.close())  # also of one that is cancelled before it begins

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while telegram := await self._asked(reader):
                if not await self._answer(telegram, writer):
                    return
        except (asyncio.IncompleteReadError, ConnectionError, FramingError, RuntimeError):
            pass  # the other side is gone (uvloop: a RuntimeError where it is known already), or says what is no length

    async def _asked(self, reader: asyncio.StreamReader) -> bytes:
        """Return the next telegram; empty where there is none.

        Raises:
            FramingError: what came has no length that can be.
            asyncio.IncompleteReadError: the other side is gone.
        """
        if self._framing.is_none:
            return await self._to_the_end(reader)
        head = await reader.readexactly(self._framing.head)
        return self._framing.telegram(head + await reader.readexactly(self._framing.total(head) - len(head)))

    async def _to_the_end(self, reader: asyncio.StreamReader) -> bytes:
        telegram = bytearray()
        while part := await reader.read(_PART):
            telegram += part
            if len(telegram) > self._framing.most:
                raise OversizeError(f"the request has more than {self._framing.most} bytes")
        return bytes(telegram)

    async def _answer(self, telegram: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answer a telegram; say whether there can be another on this connection."""
        fault = self._fault
        answer = self._mock.answer(telegram, fail=fault.fail, wrong=fault.wrong)
        self._tell(answer)
        await asyncio.sleep(fault.delay_millis / 1000)
        if fault.reset:
            _break(writer)
            return False
        if answer.raw is None:
            return False
        wire = self._framing.framed(answer.raw)
        await self._send(_garbled(wire, self._framing.head) if fault.garble else wire, writer)
        return not (fault.cut or self._framing.is_none)

    async def _send(self, wire: bytes, writer: asyncio.StreamWriter) -> None:
        fault, middle = self._fault, len(wire) // 2
        if fault.cut:
            writer.write(wire[:middle])
            return
        if fault.half:
            writer.write(wire[:middle])
            await asyncio.sleep(_PAUSE_SECONDS)
            wire = wire[middle:]
        writer.write(wire * 2 if fault.double else wire)
        await writer.drain()
        if fault.late_millis is not None:
            await asyncio.sleep(fault.late_millis / 1000)
            writer.write(wire)
            await writer.drain()

    def _tell(self, answer: MockTelegram) -> None:
        said = ["mci", self._name, answer.interface or "-", answer.sample or answer.problem or "-"]
        self._told(" ".join([*said, f"({self._fault})"] if self._fault != GOOD else said))


def _garbled(wire: bytes, head: int) -> bytes:
    """Return bytes of the same length, which is still told, that are no telegram."""
    return wire[:head] + bytes([_GARBLE]) * (len(wire) - head)


def _break(writer: asyncio.StreamWriter) -> None:
    """End a connection with a reset."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _BREAK)
    writer.transport.abort()
