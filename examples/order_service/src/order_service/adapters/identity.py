"""`Tokens` over axhub's verifier: what a token says becomes the actor of everything that follows."""

from typing import Final

from axhub.agent.ports.tokens import KeysUnavailableError, TokenError, TokenVerifier
from order_service.domain.actor import ActorContext
from order_service.ports.faults import UnavailableError
from order_service.ports.tokens import InvalidTokenError

__all__ = ["VerifiedTokens"]


class VerifiedTokens:
    """See `ports.tokens.Tokens`."""

    def __init__(self, verifier: TokenVerifier) -> None:
        self._verifier: Final = verifier

    async def actor(self, token: str) -> ActorContext:
        """See `Tokens`."""
        try:
            claims = await self._verifier.verify(token)
        except TokenError as error:
            raise InvalidTokenError(error.fault.value) from error
        except KeysUnavailableError as error:
            raise UnavailableError from error
        return ActorContext(claims.subject, claims.tenant, claims.roles)
