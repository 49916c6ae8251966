"""Variables of the environment while a tool is tried: none of the machine's, and stand-ins for those that it lists.

A check knows no value of them. One that the definition lists (`required_env_keys`) is set whenever the service runs, so
that what reads it gets a text here too; what then fails may fail of that text alone, and is not told (rule/TK503).
"""

import os
from collections.abc import Iterable
from typing import Any, Final, Self

__all__ = ["StandIns", "unset_variable"]

_TEXT: Final = "1"
"""Also a number, for who makes one of it."""
_READS: Final = type(os.environ).__getitem__.__code__


def unset_variable(error: BaseException | None) -> str | None:
    """Return the variable that is not set if an error is that of `os.environ[…]`; else None."""
    if not isinstance(error, KeyError) or error.__traceback__ is None:
        return None
    last: Any = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    return str(error.args[0]) if last.tb_frame.f_code is _READS else None


class StandIns:
    """Sets a text for listed variables when somebody misses them, until the end of `with`."""

    def __init__(self, listed: Iterable[str]) -> None:
        """Take which variables may be set.

        Args:
            listed: their names; those that are set already stay as they are.
        """
        self.are_set: set[str] = set()
        self._listed = frozenset(name for name in listed if name.isidentifier())  # of others rule/TK312 speaks

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.are_set:
            os.environ.pop(name, None)

    def set(self, name: str | None) -> bool:
        """Set a variable that was missed; say whether trying again may come to something else."""
        if name is None or name not in self._listed or name in self.are_set:
            return False
        os.environ[name] = _TEXT
        self.are_set.add(name)
        return True
