"""Bearer tokens: header, key, signature, claims, in this order; each step refuses, none repairs."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import jwt
from jwt.api_jws import PyJWS

from axhub.agent.adapters.tokens.claims import TokenRules, check_claims
from axhub.agent.adapters.tokens.keys import KeySource
from axhub.agent.ports.tokens import TokenClaims, TokenError, TokenFault

__all__ = ["JwtVerifier", "wall_clock"]

_MAX_CHARS: Final = 8192
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})


def wall_clock() -> float:
    """Return seconds since 1970: `exp` is compared with the issuer's clock, so the wall clock is what counts."""
    return datetime.now(UTC).timestamp()  # noqa: TID251 - this is the adapter's own clock; tests bring theirs


class JwtVerifier:
    """See `ports.tokens.TokenVerifier`."""

    def __init__(self, rules: TokenRules, keys: KeySource, now: Callable[[], float] = wall_clock) -> None:
        """Take what is believed, and the issuer's keys."""
        self._rules: Final = rules
        self._keys: Final = keys
        self._now: Final = now
        self._signatures: Final = PyJWS(algorithms=list(rules.algorithms))

    async def verify(self, token: str) -> TokenClaims:
        """See `TokenVerifier`."""
        header = self._header(token)
        algorithm, name = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in self._rules.algorithms:
            raise TokenError(TokenFault.ALGORITHM)
        choice = await self._keys.find(name)
        if choice is None:
            raise TokenError(TokenFault.UNKNOWN_KEY)
        key = choice.of(algorithm)
        if key is None:
            raise TokenError(TokenFault.ALGORITHM)
        return check_claims(self._payload(token, key, algorithm), self._rules, self._now())

    def _header(self, token: str) -> Mapping[str, Any]:
        if len(token) > _MAX_CHARS or not token.isascii():
            raise TokenError(TokenFault.MALFORMED)
        try:
            header = self._signatures.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise TokenError(TokenFault.MALFORMED) from None
        kind = header.get("typ", "JWT")
        name = header.get("kid")
        is_known = isinstance(kind, str) and kind.lower() in _TYPES and (name is None or isinstance(name, str))
        if not is_known or "crit" in header or "b64" in header:
            raise TokenError(TokenFault.MALFORMED)
        return header

    def _payload(self, token: str, key: jwt.PyJWK, algorithm: str) -> Mapping[str, Any]:
        try:
            payload = self._signatures.decode(token, key=key, algorithms=[algorithm])
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
            raise TokenError(TokenFault.SIGNATURE) from None
        try:
            claims = json.loads(payload)
        except (ValueError, RecursionError):
            raise TokenError(TokenFault.MALFORMED) from None
        if not isinstance(claims, dict):
            raise TokenError(TokenFault.MALFORMED)
        return claims
