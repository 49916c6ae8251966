"""An observer that writes log lines: names, counts and references, never texts or arguments (agent/L5)."""

import logging
from collections import Counter
from typing import Final

from axhub.agent.ports.effects import Noted

__all__ = ["LogObserver"]

_LOG: Final = logging.getLogger("axhub.agent")


class LogObserver:
    """See `ports.effects.Observer`; counts what it was told, for metrics."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        """By what was noted, with the tool's kind of result or the reason where there is one."""

    def note(self, what: Noted, **facts: str | float) -> None:
        """See `Observer`."""
        detail = facts.get("kind") or facts.get("reason")
        self.counts[what.value if detail is None else f"{what.value}:{detail}"] += 1
        level = logging.WARNING if what in {Noted.REJECTED, Noted.UNMAPPED} else logging.INFO
        _LOG.log(level, "%s %s", what.value, " ".join(f"{name}={value}" for name, value in facts.items()))

    def fault(self, reference: str, error: BaseException, **facts: str) -> None:
        """See `Observer`."""
        self.counts["fault"] += 1
        told = " ".join(f"{name}={value}" for name, value in facts.items())
        _LOG.error("fault reference=%s %s", reference, told, exc_info=error)
