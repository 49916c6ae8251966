"""One call of an HTTP API with all its tries, from what is sent to the model of the answer (toolkit/H2)."""

import asyncio
import logging
from types import TracebackType
from typing import Any, Final, TypeVar

import aiohttp
from pydantic import BaseModel

from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.http_bodies import INVALID_ANSWER, TOO_LARGE, Written, answer_of
from axhub.toolkit.connectors.http_context import Carried
from axhub.toolkit.connectors.retries import TIMEOUT, UNREACHABLE, Retries
from axhub.toolkit.context import ToolContext
from axhub.toolkit.errors import LegacyError

__all__ = ["LOGGER", "TOO_LARGE", "HttpCall", "deadline_of"]

LOGGER: Final = "axhub.service.http"
_EVENT: Final = "http_call"
_SUCCESSES: Final = range(200, 300)

_A = TypeVar("_A", bound=BaseModel)
_log: Final = logging.getLogger(LOGGER)


def deadline_of(api: HttpApiSettings, context: ToolContext | None) -> float:
    """Return when the call must be over, on the event loop's clock."""
    own = asyncio.get_running_loop().time() + api.total_timeout_millis / 1000
    return own if context is None or context.deadline is None else min(own, context.deadline)


class HttpCall:
    """One call with all its tries."""

    def __init__(
        self, api: HttpApiSettings, written: Written, along: Carried, session: aiohttp.ClientSession, most: int
    ) -> None:
        self._api = api
        self._url = f"{api.domain}{written.target}"
        self._body = written.body
        self._along = along
        self._session = session
        self._most = most
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
                body, content_type = await retries.run(self._once, deadline)
        except TimeoutError:
            raise LegacyError(TIMEOUT, "no answer within the time of the whole call") from None
        return answer_of(body, content_type, response_type)

    def logged(self) -> "_Logged":
        """Return a block after which the call's line is written."""
        return _Logged(self)

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

    async def _once(self) -> tuple[bytes, str]:
        """Return body and content type of one try's answer."""
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
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if self._body is not None:
            headers["Content-Type"] = self._api.content_type
        given = {name.lower() for name, _ in self._api.headers}
        own = {name: value for name, value in headers.items() if name.lower() not in given}
        return {**own, **dict(self._api.headers), **self._along.headers}


class _Logged:
    """Writes the line of one call when its block ends, however it ends."""

    def __init__(self, call: HttpCall) -> None:
        self._call = call
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = asyncio.get_running_loop().time()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        level = logging.INFO if error is None else logging.WARNING
        if not _log.isEnabledFor(level):
            return
        fields = self._call.fields()
        fields["durationMs"] = round((asyncio.get_running_loop().time() - self._began) * 1000, 3)
        if isinstance(error, LegacyError):
            fields |= {"code": error.code, "problem": error.message}
        elif error is not None:
            fields["code"] = "cancelled" if isinstance(error, asyncio.CancelledError) else type(error).__name__
        _log.log(level, _EVENT, extra={"fields": fields})
