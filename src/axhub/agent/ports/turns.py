"""The model, one turn at a time (agent/A8)."""

from collections.abc import Callable
from typing import Protocol

from axhub.agent.domain.errors import AgentError
from axhub.agent.domain.messages import ModelTurn, TurnRequest

__all__ = ["ModelRefusedError", "ModelUnavailableError", "Turns"]


class ModelUnavailableError(AgentError):
    """No answer, after all retries: a timeout, a connection that broke, a 429 or 5xx (agent/I5)."""


class ModelRefusedError(AgentError):
    """The provider refused the request: its text goes to the log, never to a person."""


class Turns(Protocol):
    """Takes one turn of a model: messages and tools in, text or calls out. It executes nothing (agent/A8)."""

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        """Return what the model answered.

        Args:
            request: everything it is told.
            on_text: gets the pieces of its text as they come; None: nobody listens, nothing is streamed.

        Raises:
            ModelUnavailableError: it cannot be reached, or did not answer in time.
            ModelRefusedError: it does not take this request.
        """
        ...
