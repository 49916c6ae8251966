"""Who sends a request: bearer tokens, and what they say once they are believed (agent/A7).

Everything that an application does for somebody starts here; what a verifier refuses reaches no use case and no model.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from axhub.agent.domain.errors import AgentError

__all__ = ["KeysUnavailableError", "TokenClaims", "TokenError", "TokenFault", "TokenVerifier"]


class TokenFault(StrEnum):
    """Why a token is not believed: for logs and counters, never for its sender."""

    MALFORMED = "malformed"
    ALGORITHM = "algorithm"
    """None of the allowed ones, or none that the key is for."""
    UNKNOWN_KEY = "unknown_key"
    """The issuer has no such key, or two under one name."""
    SIGNATURE = "signature"
    ISSUER = "issuer"
    AUDIENCE = "audience"
    EXPIRED = "expired"
    NOT_YET = "not_yet"
    """It is for later, or was issued in the future."""
    CLAIMS = "claims"
    """Subject, tenant, roles or times are missing or of another type."""


class TokenError(AgentError):
    """A token that proves nothing; nothing of the token stands in the text."""

    def __init__(self, fault: TokenFault) -> None:
        super().__init__(f"the token is refused: {fault.value}")
        self.fault = fault


class KeysUnavailableError(AgentError):
    """The issuer's keys could not be had yet, so nobody can tell good tokens from others."""


@dataclass(frozen=True, slots=True)
class TokenClaims:
    """What a believed token says."""

    subject: str
    tenant: str
    roles: frozenset[str] = frozenset()


class TokenVerifier(Protocol):
    """Believes tokens, or not."""

    async def verify(self, token: str) -> TokenClaims:
        """Return what a token says.

        Raises:
            TokenError: it is not to be believed.
            KeysUnavailableError: nobody can tell.
        """
        ...
