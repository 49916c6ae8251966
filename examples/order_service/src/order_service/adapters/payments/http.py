"""A provider over HTTP. Whatever it does, or does not do, becomes one of the port's outcomes (agent/I5).

    POST {url}/payouts, Idempotency-Key: KEY, {"payee": …, "amount": …, "currency": "KRW"}
    GET  {url}/payouts/KEY

Both are answered with `{"state": "paid"}`, `{"state": "declined", "reason": …}` or `{"state": "pending"}`; the latter
with 404 where the key is not known. Only a connection that could not be made, and 429, say that nothing was done.
"""

import json
import logging
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import aiohttp

from order_service.ports.payments import Asked, Declined, NothingKnown, NotSent, PaidOut, Payment, Sent, Unknown

__all__ = ["HttpPayments"]

_LOG: Final = logging.getLogger("order_service.payments")
_ANSWERED: Final = frozenset({200, 201})
_NOT_FOUND: Final = 404
_TOO_MANY: Final = 429
_MAX_BYTES: Final = 16 * 1024
_REASON: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
_OTHER: Final = "other"


class HttpPayments:
    """See `ports.payments.Payments`."""

    def __init__(self, url: str, key: str = "", *, seconds: float = 5.0, connect_seconds: float = 2.0) -> None:
        """Name the provider; nothing is connected yet.

        Args:
            url: of its API, without a `/` at the end.
            key: what it knows us by; nothing: it asks for none.
            seconds: how long one request may take with everything.
            connect_seconds: how long a connection may take of that.
        """
        self._url: Final = url.rstrip("/")
        self._headers: Final = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._timeout: Final = aiohttp.ClientTimeout(total=seconds, connect=connect_seconds)

    async def pay_out(self, payment: Payment) -> Sent:
        """See `Payments`."""
        body = {"payee": payment.payee, "amount": payment.amount, "currency": "KRW"}
        answer = await self._exchanged("POST", "/payouts", {"Idempotency-Key": _quoted(payment.key)}, body)
        outcome = answer if isinstance(answer, NotSent | Unknown) else _sent(*answer)
        if isinstance(outcome, NotSent | Unknown):
            _LOG.warning("payout key=%s is %s: %s", payment.key, type(outcome).__name__, outcome.why)
        return outcome

    async def find(self, key: str) -> Asked:
        """See `Payments`."""
        answer = await self._exchanged("GET", f"/payouts/{_quoted(key)}")
        if isinstance(answer, NotSent):
            outcome: Asked = Unknown(answer.why)
        else:
            outcome = answer if isinstance(answer, Unknown) else _asked(*answer)
        if isinstance(outcome, Unknown):
            _LOG.warning("asked about payout key=%s, which stays unknown: %s", key, outcome.why)
        return outcome

    async def _exchanged(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: object = None
    ) -> tuple[int, bytes] | NotSent | Unknown:
        """Return status and body of an answer.

        Each request has a connection of its own: one that was kept might be closed by the other side at the moment of
        the next request, and nobody could tell whether that has arrived. POST is never repeated by the library.
        """
        try:
            async with (
                aiohttp.ClientSession(
                    connector=aiohttp.TCPConnector(force_close=True),
                    cookie_jar=aiohttp.DummyCookieJar(),
                    headers=self._headers,
                    timeout=self._timeout,
                    auto_decompress=False,
                ) as session,
                session.request(
                    method, self._url + path, headers=headers, json=body, allow_redirects=False
                ) as response,
            ):
                return response.status, await _read(response)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            return NotSent(type(error).__name__)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            return Unknown(type(error).__name__)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    """Return the body, or as much of it as shows that it is too long."""
    body = b""
    while len(body) <= _MAX_BYTES and (part := await response.content.readany()):
        body += part
    return body


def _sent(status: int, body: bytes) -> Sent:
    if status == _TOO_MANY:
        return NotSent(f"HTTP {status}")
    return _settled(body) if status in _ANSWERED else Unknown(f"HTTP {status}")


def _asked(status: int, body: bytes) -> Asked:
    if status == _NOT_FOUND:
        return NothingKnown()
    return _settled(body) if status in _ANSWERED else Unknown(f"HTTP {status}")


def _settled(body: bytes) -> PaidOut | Declined | Unknown:
    """Return what an answer says; anything but a clear word is none."""
    said = _object(body)
    match said.get("state"):
        case "paid":
            return PaidOut()
        case "declined":
            reason = said.get("reason")
            return Declined(reason if isinstance(reason, str) and _REASON.fullmatch(reason) else _OTHER)
        case _:
            return Unknown("the answer says neither paid nor declined")


def _object(body: bytes) -> dict[str, Any]:
    try:
        said = json.loads(body) if len(body) <= _MAX_BYTES else None
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _quoted(key: str) -> str:
    """Return a key in letters that a header and a path may have."""
    return quote(key, safe=":")
