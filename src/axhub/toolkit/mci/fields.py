"""The notes that say how a field of a layout lies in its bytes (toolkit/B1).

They stand inside `Annotated[…]`. Sizes are bytes of the whole field, its sign included. What a note says is checked
where the layout is made, where class and field can be named.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Date", "Filler", "Note", "Num", "Packed", "Rows", "Text"]


@dataclass(frozen=True, slots=True)
class Text:
    """Text in the telegram's charset: `name: Annotated[str, Text(20)]`. With `str | None`, None is a blank field."""

    size: int
    pad: str = " "
    """What fills the field up: a space, `"\\0"`, `"0"` or the full-width space `"\\u3000"`."""
    trim: str | None = None
    """What is taken off the padded side when reading; None: the pad, and spaces with it unless the pad is `"0"`. With
    None, a field of spaces and NULs alone is blank."""
    align: Literal["left", "right"] = "left"
    """Where the text stands; the pad is on the other side."""
    overflow: Literal["error", "cut"] = "error"
    """What a text that is too long is: an error, or cut between two characters."""
    on_bad_tail: Literal["error", "drop"] = "error"
    """What half a character at the end of the field is when reading: an error, or left out."""


@dataclass(frozen=True, slots=True)
class Num:
    """A zero-filled number in ASCII digits: `amount: Annotated[int, Num(13)]`. With `| None`, None is a blank field."""

    size: int
    scale: int = 0
    """Decimal places, without a point in the bytes; more than none needs the type `Decimal`."""
    sign: Literal["none", "leading", "trailing", "overpunch"] = "none"
    """Where the sign is: nowhere, in the first or last byte, or in the last digit (`{A…I` plus, `}J…R` minus)."""
    plus: Literal["+", "0", " "] = "+"
    """What stands at the place of a leading or trailing sign if the number is not negative."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A packed decimal (COMP-3): two digits a byte, the last half byte is the sign, so `size * 2 - 1` digits."""

    size: int
    scale: int = 0
    """Decimal places, as in `Num`."""
    signed: bool = True
    """Whether the sign is written as C or D; False: as F, and there are no negative numbers. C, D and F are read."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date, a time or both, by the telegram's own clock. With `| None`, a blank field or zeros are None."""

    format: Literal["YYYYMMDD", "YYYY-MM-DD", "YYYYMMDDHHMMSS", "YYYYMMDDHHMMSSmmm", "HHMMSS"] = "YYYYMMDD"
    """The first two are a `date`, the next two a `datetime`, the last a `time`, whose zeros are midnight."""
    none: Literal[" ", "0"] = " "
    """What fills the field for None."""


@dataclass(frozen=True, slots=True)
class Filler:
    """Bytes without meaning: `reserve: Annotated[None, Filler(10)] = None`. They are not looked at when reading."""

    size: int
    fill: str = " "
    """One ASCII character."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Repeated rows: `rows: Annotated[list[ClaimRow], Rows(max=5, count="row_count")]`."""

    max: int
    """The most rows that there can be."""
    count: str = ""
    """The `Num` of the same class, before this one, that tells how many there are; empty: always `max` of them."""
    fixed: bool = True
    """Whether the area always has room for `max` rows; False: it ends with the last row."""


Note = Text | Num | Packed | Date | Filler | Rows
