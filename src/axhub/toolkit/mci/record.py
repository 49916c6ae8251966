"""Where a value of a layout keeps what it holds: one tuple, so that it is made in one step and cannot change."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

__all__ = ["Record", "new_record", "put_values", "values_of"]


class Record:
    """What has the values of some fields, in the order of the fields; those of fillers are None."""

    __slots__ = ("_values",)


_SLOT: Final[Any] = vars(Record)["_values"]

new_record: Final[Callable[[type], Any]] = object.__new__
"""Makes an instance of a subclass that holds nothing yet."""
put_values: Final[Callable[[Record, tuple[Any, ...]], None]] = _SLOT.__set__
"""Gives an instance what it holds, past its constructor and past the lock on its names."""
values_of: Final[Callable[[Record], tuple[Any, ...]]] = attrgetter("_values")
"""Returns what an instance holds."""
