"""The adapter of `HttpClient` on aiohttp: a pool per API, bounds on everything, nothing from outside (toolkit/H2).

No redirects, cookies, proxies or credentials of the environment, no compression. One line is logged per call; bodies,
queries and employee numbers never are.
"""

import asyncio
import random
from collections.abc import Iterable
from types import TracebackType
from typing import Final, Self, TypeVar

import aiohttp
from pydantic import BaseModel

from axhub.toolkit.config.keys import IDEMPOTENT
from axhub.toolkit.config.settings import HttpApiSettings, is_mocked
from axhub.toolkit.connectors.deadlines import deadline_of
from axhub.toolkit.connectors.http_bodies import request_of
from axhub.toolkit.connectors.http_call import HttpCall
from axhub.toolkit.connectors.http_context import carried, told_to_mocks
from axhub.toolkit.connectors.http_session import check_library, new_session
from axhub.toolkit.connectors.retries import Chance, Retries, Sleep
from axhub.toolkit.context import current_context

__all__ = ["MAX_ANSWER_BYTES", "PooledHttpClient"]

MAX_ANSWER_BYTES: Final = 4_194_304

_A = TypeVar("_A", bound=BaseModel)


class PooledHttpClient:
    """Calls the APIs of the configuration; opened and closed with the service (`async with`)."""

    def __init__(
        self,
        apis: Iterable[HttpApiSettings],
        *,
        max_answer_bytes: int = MAX_ANSWER_BYTES,
        chance: Chance = random.random,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Take the APIs; nothing is connected yet.

        Args:
            apis: of the configuration.
            max_answer_bytes: size that an answer may have.
            chance: decides the pauses between tries, with `sleep`.
            sleep: waits between tries.
        """
        self._apis = {api.name: api for api in apis}
        self._max_answer_bytes = max_answer_bytes
        self._chance = chance
        self._sleep = sleep
        self._sessions: dict[str, aiohttp.ClientSession] = {}
        self._open = False

    async def __aenter__(self) -> Self:
        """Open the client; an aiohttp that repeats requests by itself, and cannot be kept from it, is refused.

        Raises:
            RuntimeError: the installed aiohttp has no such switch.
        """
        await check_library()
        self._open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection; calls that are still going on fail."""
        self._open = False
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.close()

    async def call(self, api: str, request: BaseModel, response_type: type[_A]) -> _A:
        """See `HttpClient`.

        Raises:
            LegacyError: also with the code `timeout`, `unreachable` (no connection, or it broke off), `too_large`,
                `invalid_answer` or `invalid_request`.
            LookupError: no entry of the configuration has this name.
            RuntimeError: the client is not open.
        """
        settings = self._apis.get(api)
        if settings is None:
            known = ", ".join(self._apis) or "none"
            raise LookupError(f'glow.communication.http.api-list has no entry named "{api}"; there are: {known}')
        if not self._open:
            raise RuntimeError("the HTTP client is not open: it is opened by the start of its service")
        context = current_context.get()
        along = carried(context, new_request_id=settings.new_request_id)
        if is_mocked(settings.url):
            along.headers.update(told_to_mocks())
        call = HttpCall(settings, request_of(settings, request), along, self._session(settings), self._max_answer_bytes)
        retries = Retries(settings.max_retries if settings.method in IDEMPOTENT else 0, self._chance, self._sleep)
        with call.logged():
            return await call.answered(response_type, retries, deadline_of(settings.total_timeout_millis, context))

    def _session(self, api: HttpApiSettings) -> aiohttp.ClientSession:
        session = self._sessions.get(api.name)
        if session is None:
            session = self._sessions[api.name] = new_session(api)
        return session
