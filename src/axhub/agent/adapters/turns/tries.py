"""Asking again: bounded, with full jitter, and never once a piece of text has gone out (agent/I5).

A model turn has no effect but its bill, so every failure of the way there may be tried again.
"""

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from axhub.agent.domain.messages import ModelTurn, TurnRequest
from axhub.agent.ports.effects import Clock
from axhub.agent.ports.turns import ModelRefusedError, ModelUnavailableError

__all__ = ["FailedTryError", "OneTry", "Patience", "RetryingTurns", "of_status"]

_LOG: Final = logging.getLogger("axhub.agent")
FIRST_SECONDS: Final = 0.5
_PASSING: Final = frozenset({408, 409, 425, 429})
"""Statuses below 500 of requests that may be taken a moment later."""
_SERVER_ERROR: Final = 500
_REDIRECT: Final = 300


class FailedTryError(Exception):
    """One try gave nothing. The text names the kind of failure in our words; the provider's stands in the cause."""

    def __init__(self, what: str, *, passing: bool, retry_after: float | None = None) -> None:
        """Take what happened.

        Args:
            what: such as `HTTP 503`; never a text of the provider.
            passing: it may be over a moment later.
            retry_after: seconds that the provider asks to wait.
        """
        super().__init__(what)
        self.passing = passing
        self.retry_after = retry_after


class OneTry(Protocol):
    """Takes a turn once."""

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None) -> ModelTurn:
        """Return what the model answered.

        Raises:
            FailedTryError: nothing came, or a refusal.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and when a turn is tried again."""

    tries: int = 3
    max_wait_seconds: float = 20.0
    chance: Callable[[], float] = random.random
    """Gives a number from 0 to 1."""

    def pause(self, tried: int, retry_after: float | None) -> float:
        """Return the seconds before the next try.

        Args:
            tried: how often it has failed.
            retry_after: what the provider asks for: the least; the jitter comes on top of it.
        """
        # Anything from nothing up to a bound that doubles: callers that failed together do not come back together.
        jitter = self.chance() * min(self.max_wait_seconds, FIRST_SECONDS * 2.0 ** (tried - 1))
        return jitter if retry_after is None else retry_after + jitter


class RetryingTurns:
    """See `ports.turns.Turns`; over one framework's single try."""

    def __init__(self, once: OneTry, clock: Clock, patience: Patience | None = None) -> None:
        self._once = once
        self._clock = clock
        self._patience = patience or Patience()

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        """See `Turns`."""
        told = None if on_text is None else _Told(on_text)
        tried = 0
        while True:
            try:
                return await self._once.take(request, told)
            except FailedTryError as error:
                tried += 1
                pause = self._pause(error, tried, told)
            await self._clock.sleep(pause)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._once.aclose()

    def _pause(self, error: FailedTryError, tried: int, told: "_Told | None") -> float:
        """Return the seconds before another try.

        Raises:
            ModelRefusedError: the provider does not take this request.
            ModelUnavailableError: there is no other try.
        """
        if told is not None and told.failure is not None:
            raise told.failure
        if not error.passing:
            _LOG.warning("a model's turn failed: %s; it is not tried again", error)
            raise ModelRefusedError(f"the model's provider refused the request: {error}") from error
        pause = self._patience.pause(tried, error.retry_after)
        is_asked_too_much = (error.retry_after or 0) > self._patience.max_wait_seconds
        if tried >= self._patience.tries or is_asked_too_much or (told is not None and told.is_begun):
            _LOG.warning("try %d of a model's turn failed: %s; it was the last", tried, error)
            raise ModelUnavailableError(f"the model gave no answer: {error} (tries: {tried})") from error
        _LOG.warning("try %d of a model's turn failed: %s; the next in %.1f s", tried, error, pause)
        return pause


class _Told:
    """The listener, and whether it has heard anything."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self.is_begun = False
        self.failure: Exception | None = None
        """What the listener itself raised: no failure of the model."""

    def __call__(self, piece: str) -> None:
        self.is_begun = True
        try:
            self._on_text(piece)
        except Exception as error:
            self.failure = error
            raise


def of_status(status: int, retry_after: float | None = None) -> FailedTryError:
    """Return the failure that an HTTP status stands for; one of success comes with an error inside a stream."""
    if status < _REDIRECT:
        return FailedTryError("an error inside the answer", passing=True, retry_after=retry_after)
    passing = status in _PASSING or status >= _SERVER_ERROR
    return FailedTryError(f"HTTP {status}", passing=passing, retry_after=retry_after)
