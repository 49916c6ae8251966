"""One call of an HTTP API with all its tries, from what is sent to the model of the answer (toolkit/H2)."""

import asyncio
import logging
from typing import Any, Final, TypeVar

import aiohttp
from pydantic import BaseModel

from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.call_log import Logged
from axhub.toolkit.connectors.http_bodies import INVALID_ANSWER, TOO_LARGE, Written, answer_of
from axhub.toolkit.connectors.http_context import Carried
from axhub.toolkit.connectors.retries import TIMEOUT, UNREACHABLE, Retries
from axhub.toolkit.errors import LegacyError

__all__ = ["LOGGER", "TOO_LARGE", "HttpCall"]

LOGGER: Final = "axhub.service.http"
_EVENT: Final = "http_call"
_SUCCESSES: Final = range(200, 300)

_A = TypeVar("_A", bound=BaseModel)
_log: Final = logging.getLogger(LOGGER)


class HttpCall:
    """One call with all its tries."""

    def __init__(
        self,
        api: HttpApiSettings,
        written: Written,
        along: Carried,
        session: aiohttp.ClientSession,
        most: int,
        *,
        accept: str = "application/json",
    ) -> None:
        self._api = api
        self._url = f"{api.domain}{written.target}"
        self._body = written.body
        self._along = along
        self._session = session
        self._most = most
        self._accept = accept
        self._tries = 0
        self._status: int | None = None

    async def answered(self, response_type: type[_A], retries: Retries, deadline: float) -> _A:
        """Return the answer of the first try that succeeds.

        Raises:
            LegacyError: see `PooledHttpClient.call`.
        """
        limit = asyncio.timeout_at(deadline)
        try:
            async with limit:
                body, content_type = await retries.run(self.once, deadline)
        except TimeoutError:
            raise LegacyError(TIMEOUT, "no answer within the time of the whole call") from None
        return answer_of(body, content_type, response_type)

    def logged(self) -> Logged:
        """Return a block after which the call's line is written."""
        return Logged(_log, _EVENT, self.fields)

    def fields(self) -> dict[str, Any]:
        """Return what may be logged."""
        fields = {
            "api": self._api.name,
            "method": self._api.method,
            "status": self._status,
            "tries": self._tries,
            "traceId": self._along.trace_id,
            "xRequestId": self._along.request_id,
        }
        if self._along.parent_request_id is not None:
            fields["parentRequestId"] = self._along.parent_request_id
        return fields

    async def once(self) -> tuple[bytes, str]:
        """Return body and content type of one try's answer.

        Raises:
            LegacyError: see `PooledHttpClient.call`.
        """
        self._tries += 1
        self._status = None
        try:
            async with self._session.request(
                self._api.method, self._url, data=self._body, headers=self._headers(), allow_redirects=False
            ) as response:
                return await self._received(response)
        except TimeoutError as error:
            raise LegacyError(TIMEOUT, "no connection, or no byte of an answer, in time") from error
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError) as error:
            raise LegacyError(UNREACHABLE, "no connection, or it broke off") from error
        except aiohttp.ClientError:
            raise LegacyError(INVALID_ANSWER, "the answer is not HTTP") from None

    async def _received(self, response: aiohttp.ClientResponse) -> tuple[bytes, str]:
        self._status = response.status
        if response.status not in _SUCCESSES:
            raise LegacyError(str(response.status), f"the API answered with the status {response.status}")
        if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            response.close()
            raise LegacyError(INVALID_ANSWER, "the answer is compressed, which was not asked for")
        body = bytearray()
        too_large = (response.content_length or 0) > self._most
        while not too_large and (part := await response.content.readany()):
            body += part
            too_large = len(body) > self._most
        if too_large:
            response.close()
            raise LegacyError(TOO_LARGE, f"the answer has more than {self._most} bytes")
        return bytes(body), response.headers.get("Content-Type", "")

    def _headers(self) -> dict[str, str]:
        headers = {"Accept": self._accept, "Accept-Encoding": "identity"}
        if self._body is not None:
            headers["Content-Type"] = self._api.content_type
        given = {name.lower() for name, _ in self._api.headers}
        own = {name: value for name, value in headers.items() if name.lower() not in given}
        return {**own, **dict(self._api.headers), **self._along.headers}
