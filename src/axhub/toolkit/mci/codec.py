"""What one field does with bytes and values, made once from its note when a layout is made."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from axhub.toolkit.mci.errors import FieldError

__all__ = ["FieldCodec", "Reader", "Writer", "blank_reader", "is_blank", "wrong_type"]

_BLANKS: Final = b" \0"

Reader = Callable[[bytes], Any]
"""Takes the bytes of a field, as many as it has; raises FieldError."""
Writer = Callable[[Any], bytes]
"""Takes a value and returns as many bytes as the field has; raises FieldError."""
_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class FieldCodec:
    """The two directions of a field of one size."""

    size: int
    read: Reader
    write: Writer
    blank: bytes
    """What the field holds in a row that is not used."""


def is_blank(raw: bytes) -> bool:
    """Say whether a field holds spaces or NULs only."""
    return not raw.strip(_BLANKS)


def blank_reader(read: Callable[[bytes], _V], optional: bool) -> Callable[[bytes], _V | None]:
    """Return a reader that tries `read` and gives None for a blank field, or a fault if the type has no None."""

    def read_or_none(raw: bytes) -> _V | None:
        if not is_blank(raw):
            return read(raw)
        if optional:
            return None
        raise FieldError("blank", "it is blank, and its type has no None")

    return read_or_none


def wrong_type(value: object, expected: str) -> FieldError:
    """Return the fault of a value of another type; it names the types only."""
    if value is None:
        return FieldError("missing", "it is None, and its type has no None")
    return FieldError("type", f"it takes {expected}, and this is {type(value).__name__}")
