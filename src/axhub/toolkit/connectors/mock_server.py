"""Serves mock systems on a port of their own, misbehaving as they are told (toolkit/B4)."""

import asyncio
import socket
import struct
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self

from aiohttp import web

from axhub.toolkit.connectors.http_bodies import json_bytes
from axhub.toolkit.connectors.http_context import TOOL_HEADER
from axhub.toolkit.connectors.mock_faults import GOOD, Misbehaviour
from axhub.toolkit.connectors.mock_systems import MAX_REQUEST_BYTES, Answering, Asked, MockAnswer

__all__ = ["MockServer", "Told"]

_GARBLED: Final = b'{"\xff\x00'
_BREAK: Final = struct.pack("ii", 1, 0)
_TOO_LARGE: Final = 413
_END_SECONDS: Final = 1.0

Told = Callable[[str], object]
"""Takes a line about each request; it holds nothing that was asked or answered."""


class MockServer:
    """Listens while entered."""

    def __init__(
        self, systems: Answering, faults: Mapping[str, Misbehaviour], listening: socket.socket, told: Told
    ) -> None:
        """Take what is served.

        Args:
            systems: decide the answers.
            faults: by API.
            listening: the bound socket; it is closed at the end.
            told: hears of each request.
        """
        self._systems = systems
        self._faults = faults
        self._told = told
        self._listening = listening
        self._runner = web.ServerRunner(web.Server(self._handle, access_log=None), shutdown_timeout=_END_SECONDS)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.SockSite(self._runner, self._listening).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await _body(request)
        if body is None:
            return web.Response(status=_TOO_LARGE)
        asked = Asked(
            request.method,
            request.path,
            request.rel_url.raw_query_string,
            body,
            request.headers.get("Content-Type", ""),
            request.headers.get(TOOL_HEADER, ""),
        )
        answer = self._systems.answer(asked)
        fault = self._faults.get(answer.api or "", GOOD)
        self._tell(asked, answer, fault)
        await asyncio.sleep(fault.delay_millis / 1000)
        return await _answered(request, answer, fault)

    def _tell(self, asked: Asked, answer: MockAnswer, fault: Misbehaviour) -> None:
        said = [asked.method, asked.path, str(fault.fail or answer.status), answer.api or "-", answer.sample or "-"]
        self._told(" ".join([*said, f"({fault})"] if fault != GOOD else said))


async def _body(request: web.BaseRequest) -> bytes | None:
    """Return a request's body; None if it is larger than any that is answered."""
    body = bytearray()
    async for part in request.content.iter_any():
        body += part
        if len(body) > MAX_REQUEST_BYTES:
            return None
    return bytes(body)


async def _answered(request: web.BaseRequest, answer: MockAnswer, fault: Misbehaviour) -> web.StreamResponse:
    status, body = answer.status, answer.body
    if fault.fail is not None:
        status, body = fault.fail, json_bytes({"mock": "told to fail"})
    if fault.garble:
        body = _GARBLED
    if fault.reset:
        _break(request.transport)
    headers = {"Content-Type": answer.content_type}
    if not fault.cut:
        return web.Response(status=status, body=body, headers=headers)
    response = web.StreamResponse(status=status, headers={**headers, "Content-Length": str(max(2, len(body)))})
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response


def _break(transport: asyncio.Transport | None) -> None:
    """End a connection with a reset."""
    connection = None if transport is None else transport.get_extra_info("socket")
    if transport is not None and connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _BREAK)
        transport.abort()
