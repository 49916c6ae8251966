"""What a token must say, whoever signed it (RFC 7519, RFC 8725); plain functions, so that each rule has its test."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from axhub.agent.ports.tokens import TokenClaims, TokenError, TokenFault

__all__ = ["ASYMMETRIC", "TokenRules", "check_claims"]

ASYMMETRIC: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
"""Signatures that can be checked with a public key; a shared secret is none that a service should hold."""
_MAX_LEEWAY_SECONDS: Final = 60
_MAX_NAME_CHARS: Final = 255
_MAX_ROLES: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRules:
    """What is believed."""

    issuer: str
    """`iss` must be this, letter by letter."""
    audience: str
    """`aud` must be this, or a list with it."""
    algorithms: tuple[str, ...] = ("RS256", "ES256", "EdDSA")
    leeway_seconds: float = 30.0
    """By how much clocks may differ; at most 60."""
    tenant_claim: str = "tenant"
    roles_claim: str = "roles"

    def __post_init__(self) -> None:
        """Refuse rules that would believe too much.

        Raises:
            ValueError: an issuer or audience is missing, an algorithm has a shared key, or the leeway is too long.
        """
        if not self.issuer or not self.audience:
            raise ValueError("an issuer and an audience are needed")
        other = sorted(set(self.algorithms) - ASYMMETRIC)
        if other or not self.algorithms:
            raise ValueError(f"algorithms: {', '.join(other) or 'none'}; only asymmetric ones are taken")
        if not 0 <= self.leeway_seconds <= _MAX_LEEWAY_SECONDS:
            raise ValueError(f"leeway_seconds is {self.leeway_seconds}; 0 to {_MAX_LEEWAY_SECONDS} are taken")


def check_claims(claims: Mapping[str, Any], rules: TokenRules, now: float) -> TokenClaims:
    """Return what verified claims say.

    Args:
        claims: the payload of a token whose signature holds.
        rules: what is believed.
        now: seconds since 1970.

    Raises:
        TokenError: with the first rule that is broken.
    """
    issuer = claims.get("iss")
    if not isinstance(issuer, str) or issuer != rules.issuer:
        raise TokenError(TokenFault.ISSUER)
    if not _is_for(claims.get("aud"), rules.audience):
        raise TokenError(TokenFault.AUDIENCE)
    _check_times(claims, rules.leeway_seconds, now)
    return TokenClaims(_name(claims.get("sub")), _name(claims.get(rules.tenant_claim)), _roles(claims, rules))


def _is_for(said: object, audience: str) -> bool:
    if isinstance(said, str):
        return said == audience
    return isinstance(said, list) and all(isinstance(one, str) for one in said) and audience in said


def _check_times(claims: Mapping[str, Any], leeway: float, now: float) -> None:
    if now >= _moment(claims.get("exp")) + leeway:
        raise TokenError(TokenFault.EXPIRED)
    if any(name in claims and _moment(claims[name]) > now + leeway for name in ("nbf", "iat")):
        raise TokenError(TokenFault.NOT_YET)


def _moment(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TokenError(TokenFault.CLAIMS)
    try:
        moment = float(value)
    except OverflowError:
        raise TokenError(TokenFault.CLAIMS) from None
    if not math.isfinite(moment):
        raise TokenError(TokenFault.CLAIMS)
    return moment


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > _MAX_NAME_CHARS or not value.isprintable():
        raise TokenError(TokenFault.CLAIMS)
    return value


def _roles(claims: Mapping[str, Any], rules: TokenRules) -> frozenset[str]:
    said = claims.get(rules.roles_claim, [])
    if not isinstance(said, list) or len(said) > _MAX_ROLES:
        raise TokenError(TokenFault.CLAIMS)
    return frozenset(_name(one) for one in said)
