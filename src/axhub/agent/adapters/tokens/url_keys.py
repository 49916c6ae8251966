"""The issuer's keys from its address: kept, looked at again now and then, and when a token names an unknown key.

Whoever sends tokens with made-up key names causes one look in each cool-down and no more; a look that fails changes
nothing, so an issuer that is away stops only tokens with keys that nobody has seen.
"""

import asyncio
import http.client
import json
import ssl
import time
from typing import Final

from axhub.agent.adapters.tokens.keys import KeyChoice, Keys, KeysError
from axhub.agent.ports.tokens import KeysUnavailableError
from axhub.contract.endpoints import Endpoint, parse_url

__all__ = ["UrlKeys"]

_MAX_BYTES: Final = 256 * 1024
_CHUNK_BYTES: Final = 16 * 1024
_OK: Final = 200
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class UrlKeys:
    """See `KeySource`."""

    def __init__(
        self,
        url: str,
        *,
        refresh_seconds: float = 600.0,
        cool_down_seconds: float = 30.0,
        timeout_seconds: float = 5.0,
        trust: str | None = None,
    ) -> None:
        """Name the address; nothing is fetched yet.

        Args:
            url: of the key set; `https`, or `http` on this machine. Redirects are not followed.
            refresh_seconds: after which known keys are looked at again.
            cool_down_seconds: the shortest time between two looks, whatever tokens come.
            timeout_seconds: how long one look may take.
            trust: file with the certificates that are trusted; None: those of the system.

        Raises:
            EndpointError: the URL cannot be used.
            ValueError: it would be fetched in the clear.
        """
        self._endpoint: Final = parse_url(url)
        if self._endpoint.origin.scheme != "https" and self._endpoint.origin.host not in _LOOPBACK:
            raise ValueError("the issuer's keys are fetched over https, or from this machine")
        self._refresh_seconds: Final = refresh_seconds
        self._cool_down_seconds: Final = cool_down_seconds
        self._timeout_seconds: Final = timeout_seconds
        self._trust: Final = trust
        self._keys: Keys | None = None
        self._read_at = float("-inf")
        self._tried_at = float("-inf")
        self._looking = asyncio.Lock()

    async def find(self, name: str | None) -> KeyChoice | None:
        """See `KeySource`."""
        found = None if self._keys is None else self._keys.get(name)
        is_fresh = time.monotonic() - self._read_at < self._refresh_seconds
        if found is not None and (is_fresh or self._looking.locked()):
            return found
        async with self._looking:
            if time.monotonic() - self._tried_at >= self._cool_down_seconds:
                await self._look()
        if self._keys is None:
            raise KeysUnavailableError("the issuer's keys could not be fetched yet")
        return self._keys.get(name)

    async def _look(self) -> None:
        self._tried_at = time.monotonic()
        try:
            async with asyncio.timeout(self._timeout_seconds):
                read = await asyncio.to_thread(_fetched, self._endpoint, self._trust, self._timeout_seconds)
            self._keys = Keys(json.loads(read))
        except (OSError, http.client.HTTPException, ValueError, RecursionError):
            return  # the keys that are known stay
        self._read_at = time.monotonic()


def _fetched(endpoint: Endpoint, trust: str | None, seconds: float) -> bytes:
    """Return the body at an address.

    Raises:
        OSError, HTTPException: it cannot be had in time.
        KeysError: what came is none.
    """
    until = time.monotonic() + seconds
    connection = _connection(endpoint, trust, seconds)
    try:
        connection.request("GET", endpoint.target.decode("ascii"), headers={"Accept": "application/json"})
        answer = connection.getresponse()
        if answer.status != _OK:
            raise KeysError(f"the issuer answered {answer.status}")
        body = b""
        while chunk := answer.read1(_CHUNK_BYTES):
            body += chunk
            if len(body) > _MAX_BYTES or time.monotonic() > until:
                raise KeysError("the issuer's key set is too long, or comes too slowly")
        return body
    finally:
        connection.close()


def _connection(endpoint: Endpoint, trust: str | None, seconds: float) -> http.client.HTTPConnection:
    origin = endpoint.origin
    if origin.scheme == "http":
        return http.client.HTTPConnection(origin.host, origin.port, timeout=seconds)
    context = ssl.create_default_context(cafile=trust)
    return http.client.HTTPSConnection(origin.host, origin.port, timeout=seconds, context=context)
