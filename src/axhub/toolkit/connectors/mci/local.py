"""The `MciClient` of the profile `local`: systems with the port 0 are mocks that it starts itself (toolkit/B4)."""

import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from axhub.toolkit.config.settings import MciSystemSettings
from axhub.toolkit.connectors.mci.client import LOGGER, PooledMciClient
from axhub.toolkit.connectors.mci.mock_server import MciMockServer
from axhub.toolkit.connectors.mci.mock_systems import MciMock
from axhub.toolkit.connectors.mci.parts import Parts
from axhub.toolkit.context import current_tool
from axhub.toolkit.mci import Envelope, Layout, MciCall

__all__ = ["LocalMciClient"]

_HOST: Final = "127.0.0.1"
_LISTENING: Final = "mci_mock_listening"
_ASKED: Final = "mci_mock_asked"

_L = TypeVar("_L", bound=Layout)
_log: Final = logging.getLogger(LOGGER)


class LocalMciClient:
    """Calls the systems of the configuration, and answers for those that nobody else answers for."""

    def __init__(
        self, systems: Iterable[MciSystemSettings], parts: Callable[[], Mapping[str, Parts]], folder: Path
    ) -> None:
        """Take the systems; nothing listens yet.

        Args:
            systems: of the configuration.
            parts: what the package says about its systems.
            folder: of the package, with `samples` in it.
        """
        self._systems = tuple(systems)
        self._parts = parts
        self._folder = folder
        self._stack = AsyncExitStack()
        self._client = PooledMciClient(())
        self._asking: dict[Any, str] = {}
        """Which tool asks, by the correlation of its telegram."""

    async def __aenter__(self) -> Self:
        """Start the mocks.

        Raises:
            LookupError: the package has no `ENVELOPE` for a system whose port is 0.
        """
        stack, parts = AsyncExitStack(), self._parts()
        async with stack:
            there = [await self._served(stack, parts, one) if one.is_mock else one for one in self._systems]
            self._client = await stack.enter_async_context(PooledMciClient(there))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def call(self, system: str, envelope: Envelope, request: Layout, response_type: type[_L]) -> _L:
        """See `MciClient`; a mock is told which tool asks, so that it answers with that tool's samples."""
        noted: list[Any] = []

        def noting(call: MciCall) -> Layout:
            header = envelope.head(call)
            noted.append(getattr(header, envelope.correlation))
            self._asking[noted[-1]] = current_tool.get()
            return header

        try:
            return await self._client.call(system, replace(envelope, head=noting), request, response_type)
        finally:
            for correlation in noted:
                self._asking.pop(correlation, None)

    async def _served(
        self, stack: AsyncExitStack, parts: Mapping[str, Parts], system: MciSystemSettings
    ) -> MciSystemSettings:
        """Return a system whose mock has been started."""
        if system.name not in parts:
            raise LookupError(
                f"the port of the MCI system {system.name} is 0, and no folder of infra/mci has an ENVELOPE of it"
            )
        listening = socket.create_server((_HOST, 0))
        port = listening.getsockname()[1]
        mock = MciMock(parts[system.name], self._folder, self._asking)
        await stack.enter_async_context(MciMockServer(system, mock, listening, _told))
        _log.info(_LISTENING, extra={"fields": {"system": system.name, "host": _HOST, "port": port}})
        return replace(system, host=_HOST, port=port)


def _told(line: str) -> None:
    _log.debug(_ASKED, extra={"fields": {"told": line}})
