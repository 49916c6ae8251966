"""What a store sends to its database: statements with their parameters, and how often a transaction was committed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.engine.interfaces import CacheStats


@dataclass
class Sent:
    """What was sent, in order."""

    statements: list[tuple[str, Any]] = field(default_factory=list)
    """With their parameters; of several rows, those of the first."""
    commits: int = 0
    built: list[str] = field(default_factory=list)
    """Statements whose text was built for this one time; all others were found ready."""

    def _statement(
        self, _connection: Any, _cursor: Any, statement: str, parameters: Any, context: Any, executemany: bool
    ) -> None:
        self.statements.append((statement, parameters[0] if executemany else parameters))
        if context.compiled is not None and context.cache_hit is not CacheStats.CACHE_HIT:
            self.built.append(statement)

    def _commit(self, _connection: Any) -> None:
        self.commits += 1


@contextmanager
def sent() -> Iterator[Sent]:
    """Watch all engines for the length of a block."""
    made = Sent()
    watched: list[tuple[str, Callable[..., Any]]] = [
        ("before_cursor_execute", made._statement),
        ("commit", made._commit),
    ]
    for name, listener in watched:
        event.listen(Engine, name, listener)
    try:
        yield made
    finally:
        for name, listener in watched:
            event.remove(Engine, name, listener)
