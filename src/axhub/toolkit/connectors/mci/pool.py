"""The TCP connections of one MCI system: so many at the same time, each for one call at a time (toolkit/B3)."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from axhub.toolkit.config.settings import MciSystemSettings
from axhub.toolkit.connectors.http_bodies import INVALID_REQUEST
from axhub.toolkit.connectors.http_context import Carried
from axhub.toolkit.connectors.mci.connection import Connection
from axhub.toolkit.connectors.mci.framing import Framing, FramingError
from axhub.toolkit.connectors.retries import TIMEOUT, UNREACHABLE
from axhub.toolkit.errors import LegacyError

__all__ = ["TcpTransport"]

_KEPT_SECONDS: Final = 30.0
"""How long a connection is kept that is not in use: less than what lies between usually forgets it."""

_T = TypeVar("_T")


class TcpTransport:
    """Carries telegrams of one system over its pool of connections."""

    def __init__(self, system: MciSystemSettings) -> None:
        """Take the system; nothing is connected before the first call."""
        self._system = system
        self._framing = Framing(system.length, system.max_telegram_bytes)
        self._slots = asyncio.Semaphore(system.max_connections)
        self._idle: list[Connection] = []
        self._taken: set[Connection] = set()
        self._closed = False

    async def exchange(self, telegram: bytes, along: Carried, read: Callable[[bytes], _T]) -> _T:  # noqa: ARG002 - over TCP all that goes along stands in the telegram
        """Send a telegram and return what `read` makes of its answer.

        Args:
            telegram: without a length.
            along: the ids of the call.
            read: takes the answer; if it raises the connection is closed, for whatever else comes there is not known.

        Raises:
            LegacyError: `timeout` (connecting), `unreachable`, `too_large`, `invalid_answer` or `invalid_request`.
        """
        try:
            wire = self._framing.framed(telegram)
        except FramingError as error:
            raise LegacyError(INVALID_REQUEST, str(error)) from None
        async with self._connection() as connection:
            value = read(self._framing.telegram(await connection.exchange(wire)))
            connection.settle()
            return value

    async def close(self) -> None:
        """Close every connection; calls that are still going on fail."""
        self._closed = True
        for connection in (*self._idle, *self._taken):
            connection.abort()
        self._idle.clear()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        """Lend a connection; it comes back only if its call has settled it."""
        async with self._slots:
            connection = self._reusable() or await self._connected()
            self._taken.add(connection)
            try:
                yield connection
            finally:
                self._taken.discard(connection)
                if connection.is_usable:
                    self._idle.append(connection)
                else:
                    connection.abort()

    def _reusable(self) -> Connection | None:
        """Return the connection that was used last, of those that can be used; others are closed."""
        oldest = asyncio.get_running_loop().time() - _KEPT_SECONDS
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable and connection.idle_since >= oldest:
                return connection
            connection.abort()
        return None

    async def _connected(self) -> Connection:
        if self._closed:
            raise LegacyError(UNREACHABLE, "the client is closed")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._system.connect_timeout_millis / 1000):
                _, connection = await loop.create_connection(
                    lambda: Connection(self._framing), self._system.host, self._system.port
                )
        except TimeoutError:
            raise LegacyError(TIMEOUT, "no connection in time") from None
        except (OSError, UnicodeError):
            raise LegacyError(UNREACHABLE, "no connection") from None
        return connection
