"""What the reader of requests and the reader of answers share."""

from collections.abc import Iterable
from typing import Final

_SIGNIFICANT_DIGITS: Final = 18
"""A length with more of them is beyond any limit; `int` would refuse thousands."""


class StopParsingError(Exception):
    """Ends llhttp's run from inside a callback; readers never let it out."""


def fits(length: bytes, limit: int) -> bool:
    """Say whether a `Content-Length`, digits by llhttp's check, is at most `limit`."""
    digits = length.lstrip(b"0") or b"0"
    return len(digits) <= _SIGNIFICANT_DIGITS and int(digits) <= limit


def sure_digits(limit: int) -> int:
    """Return how many digits a length may have that is within `limit` whatever they are: no need for `fits`."""
    return len(str(limit)) - 1


def joined(held: bytes | bytearray, piece: bytes) -> bytes | bytearray:
    """Return `held`, which is not empty, with `piece` behind it, without copying what has been joined before."""
    if isinstance(held, bytearray):
        held += piece
        return held
    return bytearray(held + piece)


def fields_size(fields: Iterable[tuple[bytes, bytes]]) -> int:
    """Return the bytes of header fields with their separators and line ends."""
    return sum(len(name) + len(value) + len(": \r\n") for name, value in fields)
