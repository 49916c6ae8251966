"""An issuer for a developer's machine: a key pair made at the start and forgotten at the end, and tokens for anybody.

Whoever can ask it is whoever they say; so it exists in the profile `local` alone, and its tokens are worth nothing to
a service that was given another issuer's keys.
"""

import json
import secrets
from collections.abc import Callable, Iterable
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from jwt.algorithms import ECAlgorithm

from axhub.agent.adapters.tokens.claims import TokenRules
from axhub.agent.adapters.tokens.keys import Keys, inline_keys
from axhub.agent.adapters.tokens.verifier import wall_clock

__all__ = ["DevelopmentIssuer", "DevelopmentOnlyError"]

LOCAL: Final = "local"
_ALGORITHM: Final = "ES256"


class DevelopmentOnlyError(RuntimeError):
    """Somebody tried to start it where real people are served."""

    def __init__(self, profile: str) -> None:
        super().__init__(
            f"profile is {profile!r}: the development issuer gives a token to anybody, so it runs in {LOCAL!r} only; "
            "configure an issuer and its keys"
        )


class DevelopmentIssuer:
    """Issuer and keys in one."""

    def __init__(
        self,
        profile: str,
        *,
        issuer: str = "urn:development-issuer",
        audience: str = "orders",
        now: Callable[[], float] = wall_clock,
    ) -> None:
        """Make a key pair.

        Raises:
            DevelopmentOnlyError: the profile is not exactly `local`.
        """
        if profile != LOCAL:
            raise DevelopmentOnlyError(profile)
        self._issuer: Final = issuer
        self._audience: Final = audience
        self._now: Final = now
        self._key: Final = generate_private_key(SECP256R1())
        self._name: Final = secrets.token_hex(8)

    @property
    def rules(self) -> TokenRules:
        """What a verifier of its tokens goes by."""
        return TokenRules(issuer=self._issuer, audience=self._audience, algorithms=(_ALGORITHM,))

    def jwks(self) -> dict[str, Any]:
        """Return the public key as a key set."""
        members = json.loads(ECAlgorithm.to_jwk(self._key.public_key()))
        return {"keys": [{**members, "kid": self._name, "alg": _ALGORITHM, "use": "sig"}]}

    def keys(self) -> Keys:
        """Return the same for a verifier."""
        return inline_keys(self.jwks())

    def token(self, user_id: str, tenant_id: str, roles: Iterable[str] = (), *, seconds: float = 3600.0) -> str:
        """Return a token that says that its bearer is somebody, for some seconds."""
        now = int(self._now())
        claims = {
            "iss": self._issuer,
            "aud": self._audience,
            "sub": user_id,
            "tenant": tenant_id,
            "roles": sorted(roles),
            "iat": now,
            "nbf": now,
            "exp": now + int(seconds),
        }
        return jwt.encode(claims, self._key, algorithm=_ALGORITHM, headers={"kid": self._name})
