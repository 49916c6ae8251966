"""Who somebody is by now, long after the request that a run began with (agent/R2)."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from axhub.agent.domain.actor import Actor

__all__ = ["CurrentActor"]

A = TypeVar("A", bound=Actor)

CurrentActor = Callable[[A], Awaitable[A | None]]
"""Returns an actor with the roles of now, asked before the calls of a run that waited; None: nobody may act for it any
more, and its calls are refused. It is the same person of the same tenant. If it raises, or takes too long, nothing
runs and the run stops."""
