"""An observer that writes log lines: names, counts and references, never texts or arguments (agent/L5).

Of an exception the default log has types and places. Its text, which may be a provider's or hold what somebody typed,
is logged only where the logger `axhub.agent` is set to DEBUG.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from axhub.agent.ports.effects import Noted

__all__ = ["LogObserver", "kinds"]

_LOG: Final = logging.getLogger("axhub.agent")
_WARNINGS: Final = frozenset(
    {
        Noted.REJECTED,
        Noted.UNMAPPED,
        Noted.UNREADABLE,
        Noted.CALL_FOR_A_PERSON,
        Noted.EVENT_DEAD,
        Noted.EVENTS_BEHIND,
        Noted.TOOL_NOT_OFFERED,
        Noted.CATALOGUE_FAILED,
        Noted.CALL_NOT_TAKEN,
    }
)

_MOST: Final = 6
"""Exceptions of a chain that are told."""


class LogObserver:
    """See `ports.effects.Observer`; counts what it was told, for metrics."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        """By what was noted, with the tool's kind of result or the reason where there is one."""

    def note(self, what: Noted, **facts: str | float) -> None:
        """See `Observer`."""
        detail = facts.get("kind") or facts.get("reason")
        self.counts[what.value if detail is None else f"{what.value}:{detail}"] += 1
        level = logging.WARNING if what in _WARNINGS else logging.INFO
        _LOG.log(level, "%s %s", what.value, " ".join(f"{name}={value}" for name, value in facts.items()))

    def fault(self, reference: str, error: BaseException, **facts: str) -> None:
        """See `Observer`."""
        self.counts["fault"] += 1
        told = " ".join(f"{name}={value}" for name, value in {"reference": reference, **facts}.items())
        _LOG.error("fault %s error=%s", told, kinds(error))
        _LOG.debug("fault reference=%s", reference, exc_info=error)


def kinds(error: BaseException) -> str:
    """Return types and places, such as `ModelRefusedError at axhub.agent.adapters.turns.tries:141 < openai.AuthErr…`.

    Texts of exceptions hold what providers, tools and databases say: prompts, arguments, secrets (threat/T22).
    """
    return " < ".join(_told(one) for one in _chain(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = error
    for _ in range(_MOST):
        if found is None:
            return
        yield found
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


def _told(error: BaseException) -> str:
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    inner = error.exceptions[:_MOST] if isinstance(error, BaseExceptionGroup) else ()
    of = f" of ({', '.join(map(_told, inner))})" if inner else ""
    return f"{name}{of}{_place(error.__traceback__)}"


def _place(traceback: TracebackType | None) -> str:
    """Return where an exception was raised."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f" at {traceback.tb_frame.f_globals.get('__name__', '?')}:{traceback.tb_lineno}"
