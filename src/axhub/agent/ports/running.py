"""Which write a task runs, for stores that share a database with the application (agent/I2, agent/L6).

A process that stood still for longer than its lease goes on as if nothing had been, while another one has found that
its write did not happen and has said so. A store that sees this name lets such a write commit nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

__all__ = ["running", "running_call"]

_call: Final[ContextVar[str | None]] = ContextVar("axhub_running_call", default=None)


@contextmanager
def running(call_id: str | None) -> Iterator[None]:
    """Say for the length of a block which call runs; None: one whose intent is not stored."""
    token = _call.set(call_id)
    try:
        yield
    finally:
        _call.reset(token)


def running_call() -> str | None:
    """Return the id of the call that this task runs, if its intent is stored."""
    return _call.get()
