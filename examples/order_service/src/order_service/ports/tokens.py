"""Who sends a request: a token in, an actor out (seed 000 §III.1)."""

from typing import Protocol

from order_service.domain.actor import ActorContext

__all__ = ["InvalidTokenError", "Tokens"]


class InvalidTokenError(Exception):
    """The token proves nothing; why is for the log, never for the sender."""


class Tokens(Protocol):
    """Verifies tokens."""

    async def actor(self, token: str) -> ActorContext:
        """Return whom a token was given to.

        Raises:
            InvalidTokenError: it is forged, over, somebody else's, or for another service.
            UnavailableError: the issuer's keys cannot be had now.
        """
        ...
