"""Number fields: ASCII digits and packed decimals; exact in both directions, and never a float (toolkit/B2)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation
from typing import Any, Final

from axhub.toolkit.mci.codec import FieldCodec, Reader, Writer, blank_reader, wrong_type
from axhub.toolkit.mci.errors import FieldError
from axhub.toolkit.mci.fields import Num, Packed

__all__ = ["MAX_DIGITS", "num_codec", "packed_codec"]

MAX_DIGITS: Final = 64
"""The most digits of a number; COBOL's own limit is 38."""

_EXACT: Final = Context(prec=2 * MAX_DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact, InvalidOperation])
_COUNTABLE_BITS: Final = 8192
"""Up to this size the digits of an int are counted, beyond that they are reckoned: writing them out takes too long."""
_ZERO: Final = 0x30
_MINUS_NIBBLE, _UNSIGNED_NIBBLE = "d", "f"
_PUNCHED_PLUS, _PUNCHED_MINUS = b"{ABCDEFGHI", b"}JKLMNOPQR"
_PUNCHED: Final = {
    **{byte: (1, b"%d" % digit) for digit, byte in enumerate(b"0123456789")},
    **{byte: (1, b"%d" % digit) for digit, byte in enumerate(_PUNCHED_PLUS)},
    **{byte: (-1, b"%d" % digit) for digit, byte in enumerate(_PUNCHED_MINUS)},
}
_NIBBLES: Final = {"c": 1, "f": 1, "d": -1}

_Digits = Callable[[bytes], int]
"""Reads the digits and the sign of a field; raises FieldError."""


def num_codec(note: Num, kind: type, optional: bool) -> FieldCodec:
    """Return the codec of a number in ASCII digits; `kind` is int or Decimal."""
    places = note.size - (note.sign in {"leading", "trailing"})
    whole = _Whole(places, note.sign != "none", _shown(note, places))
    return _codec(note, _digits(note), whole, kind, optional)


def packed_codec(note: Packed, kind: type, optional: bool) -> FieldCodec:
    """Return the codec of a packed decimal; `kind` is int or Decimal."""
    places = note.size * 2 - 1
    plus = "c" if note.signed else _UNSIGNED_NIBBLE

    def shown(number: int) -> bytes:
        return bytes.fromhex(str(abs(number)).zfill(places) + (_MINUS_NIBBLE if number < 0 else plus))

    def digits(raw: bytes) -> int:
        nibbles = raw.hex()
        sign = _NIBBLES.get(nibbles[-1])
        if sign is None or (sign < 0 and not note.signed):
            raise FieldError("sign", "its last half byte is no sign that it may have")
        if not nibbles[:-1].isdigit():
            raise FieldError("digits", "its half bytes are not all digits")
        return sign * int(nibbles[:-1])

    return _codec(note, digits, _Whole(places, note.signed, shown), kind, optional)


@dataclass(frozen=True, slots=True)
class _Whole:
    """How a whole number is written: a decimal's too, once its point is moved to the end."""

    places: int
    is_signed: bool
    shown: Callable[[int], bytes]
    """Takes a number that fits."""

    def bounds(self) -> tuple[int, int]:
        """Return the greatest number that is too small, and the least that is too great."""
        return -(10**self.places) if self.is_signed else -1, 10**self.places

    def check(self, number: int) -> int:
        """Return the number if it fits."""
        if abs(number) >= 10**self.places:
            raise _too_long(_count(number), self.places)
        if number < 0 and not self.is_signed:
            raise FieldError("sign", "it is negative, and the field has no sign")
        return number


def _codec(note: Num | Packed, digits: _Digits, whole: _Whole, kind: type, optional: bool) -> FieldCodec:
    blank = b" " * note.size
    zero = whole.shown(0)
    read = blank_reader(digits, optional)
    if digits is _unsigned:
        read = _quick(read)
    if kind is Decimal:
        return FieldCodec(
            note.size,
            _scaling(read, note.scale),
            _writer_of_decimals(whole, note.scale, optional, blank),
            blank if optional else zero,
        )
    return FieldCodec(note.size, read, _writer_of_ints(whole, optional, blank), blank if optional else zero)


def _quick(read: Callable[[bytes], int | None]) -> Callable[[bytes], int | None]:
    """Return a reader that takes digits alone at once."""

    def read_digits(raw: bytes) -> int | None:
        return int(raw) if raw.isdigit() else read(raw)  # of bytes, so ASCII digits alone

    return read_digits


def _scaling(read: Callable[[bytes], int | None], scale: int) -> Reader:
    move = _EXACT.scaleb

    def read_scaled(raw: bytes) -> Decimal | None:
        whole = read(raw)
        return None if whole is None else move(Decimal(whole), -scale)

    return read_scaled


def _digits(note: Num) -> _Digits:
    if note.sign == "none":
        return _unsigned
    return _overpunched if note.sign == "overpunch" else _signed(note)


def _unsigned(raw: bytes) -> int:
    if raw.isdigit():
        return int(raw)
    raise FieldError("digits", "not all of it is ASCII digits")


def _signed(note: Num) -> _Digits:
    place, rest = (slice(0, 1), slice(1, None)) if note.sign == "leading" else (slice(-1, None), slice(0, -1))
    name = "first" if note.sign == "leading" else "last"
    signs = {b"+": 1, b"-": -1, note.plus.encode(): 1}

    def read(raw: bytes) -> int:
        sign = signs.get(raw[place])
        if sign is None:
            raise FieldError("sign", f"its {name} byte is no sign")
        return sign * _unsigned(raw[rest])

    return read


def _overpunched(raw: bytes) -> int:
    sign, last = _PUNCHED.get(raw[-1], (0, b""))
    if not sign:
        raise FieldError("sign", "its last byte is no digit with a sign")
    return sign * _unsigned(raw[:-1] + last)


def _shown(note: Num, places: int) -> Callable[[int], bytes]:
    digits, plus = b"%%0%dd" % places, note.plus.encode()
    if note.sign == "none":
        return digits.__mod__
    if note.sign == "leading":  # the flag that writes + or a space before a number, or fills up with zeros
        return (b"%%%b0%dd" % (plus.replace(b"0", b""), note.size)).__mod__

    def trailing(number: int) -> bytes:
        return digits % abs(number) + (b"-" if number < 0 else plus)

    def overpunched(number: int) -> bytes:
        written = digits % abs(number)
        last = written[-1] - _ZERO
        return written[:-1] + (_PUNCHED_MINUS if number < 0 else _PUNCHED_PLUS)[last : last + 1]

    return trailing if note.sign == "trailing" else overpunched


def _writer_of_ints(whole: _Whole, optional: bool, blank: bytes) -> Writer:
    (low, high), shown = whole.bounds(), whole.shown

    def write(value: Any) -> bytes:
        if type(value) is int and low < value < high:
            return shown(value)
        return blank if value is None and optional else shown(whole.check(_int(value, "int")))

    return write


def _writer_of_decimals(whole: _Whole, scale: int, optional: bool, blank: bytes) -> Writer:
    def write(value: Any) -> bytes:
        if isinstance(value, Decimal):
            number = _moved(value, scale)
        elif value is None and optional:
            return blank
        else:
            number = _int(value, "Decimal") * 10**scale
        return whole.shown(whole.check(number))

    return write


def _int(value: object, expected: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    raise wrong_type(value, expected)


def _moved(value: Decimal, scale: int) -> int:
    """Return the digits of a decimal with the point moved behind its last place."""
    if not value:
        return 0
    if not value.is_finite():
        raise FieldError("type", "it is infinite or no number")
    if value.adjusted() >= MAX_DIGITS:
        raise _too_long(value.adjusted() + 1, MAX_DIGITS)
    try:
        moved = _EXACT.scaleb(value, scale)
        whole = int(moved)
        if whole == moved:
            return whole
    except Inexact:  # it has more digits than any field
        pass
    places = _places(value)
    raise FieldError("scale", f"{places} decimal places do not fit in {scale}", limit=scale, length=places)


def _places(value: Decimal) -> int:
    _, digits, exponent = value.as_tuple()
    zeros = next(count for count, digit in enumerate(reversed(digits)) if digit)
    return -int(exponent) - zeros


def _count(number: int) -> int:
    if number.bit_length() <= _COUNTABLE_BITS:
        return len(str(abs(number)))
    return int(math.log10(abs(number))) + 1


def _too_long(digits: int, places: int) -> FieldError:
    return FieldError("overflow", f"{digits} digits do not fit in {places}", limit=places, length=digits)
