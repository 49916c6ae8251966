"""Refuses and notes every connection and name look-up that leaves this machine; it hears of Python's own sockets.

So a test that uses it runs on asyncio's own event loop: uvloop opens its sockets by itself.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

OWN: Final = frozenset({"127.0.0.1", "::1", "localhost", None})


class LeftThisMachineError(OSError):
    """Somebody wanted to connect to somewhere else."""


class _Guard:
    """One for the process, as hooks of this kind cannot be taken away again."""

    def __init__(self) -> None:
        self.found: list[str] | None = None
        self._is_hooked = False

    def hook(self) -> None:
        if not self._is_hooked:
            sys.addaudithook(self._heard)
            self._is_hooked = True

    def _heard(self, event: str, said: tuple[Any, ...]) -> None:
        if self.found is None or event not in {"socket.connect", "socket.getaddrinfo"}:
            return
        where = said[1] if event == "socket.connect" else said[0]
        host = where[0] if isinstance(where, tuple) else where
        if host not in OWN:
            self.found.append(f"{event} {host}")
            raise LeftThisMachineError(f"{event} {host}")


_GUARD: Final = _Guard()


@contextmanager
def loopback_only() -> Iterator[list[str]]:
    """Yield what was refused so far; nothing else is connected to meanwhile."""
    _GUARD.hook()
    before, found = _GUARD.found, list[str]()
    _GUARD.found = found
    try:
        yield found
    finally:
        _GUARD.found = before
