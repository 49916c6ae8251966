"""Telegrams as bodies: a POST carries one, its answer the other; the rest is as for HTTP APIs (toolkit/B3, H2)."""

from collections.abc import Callable
from typing import TypeVar

import aiohttp

from axhub.toolkit.config.kinds import charset_of
from axhub.toolkit.config.settings import HttpApiSettings, MciSystemSettings, is_mocked
from axhub.toolkit.connectors.http_bodies import INVALID_ANSWER, INVALID_REQUEST, Written
from axhub.toolkit.connectors.http_call import HttpCall
from axhub.toolkit.connectors.http_context import Carried, told_to_mocks
from axhub.toolkit.connectors.http_session import check_library, new_session
from axhub.toolkit.connectors.mci.framing import Framing, FramingError
from axhub.toolkit.errors import LegacyError

__all__ = ["HttpTransport"]

_T = TypeVar("_T")


class HttpTransport:
    """Carries telegrams of one system as HTTP bodies."""

    def __init__(self, system: MciSystemSettings) -> None:
        """Take the system; nothing is connected before the first call."""
        self._api = HttpApiSettings(
            name=system.name,
            domain=system.domain,
            url=system.url,
            content_type=system.content_type,
            connect_timeout_millis=system.connect_timeout_millis,
            read_timeout_millis=system.total_timeout_millis,
            total_timeout_millis=system.total_timeout_millis,
            max_connections=system.max_connections,
        )
        self._framing = Framing(system.length, system.max_telegram_bytes)
        self._session: aiohttp.ClientSession | None = None

    async def exchange(self, telegram: bytes, along: Carried, read: Callable[[bytes], _T]) -> _T:
        """Send a telegram and return what `read` makes of its answer; see `TcpTransport.exchange`.

        Raises:
            LegacyError: also with the status as code, where that is no success.
        """
        try:
            wire = self._framing.framed(telegram)
        except FramingError as error:
            raise LegacyError(INVALID_REQUEST, str(error)) from None
        session = await self._opened()
        if is_mocked(self._api.url):
            along.headers.update(told_to_mocks())
        call = HttpCall(self._api, Written(self._api.url, wire), along, session, self._framing.most, accept="*/*")
        body, content_type = await call.once()
        self._check_charset(content_type)
        self._check_length(body)
        return read(self._framing.telegram(body))

    async def close(self) -> None:
        """Close every connection; calls that are still going on fail."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            await check_library()
        if self._session is None:  # else another call was faster
            self._session = new_session(self._api)
        return self._session

    def _check_charset(self, content_type: str) -> None:
        """Refuse an answer that says that it is in another charset than the telegrams of the system."""
        own, said = charset_of(self._api.content_type), charset_of(content_type)
        if own is not None and said is not None and own != said:
            raise LegacyError(INVALID_ANSWER, f"the answer is in {said}, and the system's content-type says {own}")

    def _check_length(self, body: bytes) -> None:
        if self._framing.is_none:
            return
        try:
            if len(body) >= self._framing.head and self._framing.total(body) == len(body):
                return
        except FramingError as error:
            raise LegacyError(INVALID_ANSWER, str(error)) from None
        raise LegacyError(INVALID_ANSWER, "the answer has another length than its length field says")
