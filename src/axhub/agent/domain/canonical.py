"""One spelling for a JSON value, so that equal values hash equally (RFC 8785, agent/R1, agent/L2)."""

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["NotCanonicalError", "canonical", "digest", "read_arguments"]

_LARGEST_EXACT: Final = 2**53 - 1
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
_MOST_DIGITS: Final = 21
_MOST_ZEROS: Final = 6
"""Digits before the point, and zeros after it, that ECMA-262's Number::toString writes before it takes an exponent."""
_MOST_CHARACTERS: Final = 65_536
"""Of the arguments of one call; whatever is longer was not meant to be read by an approver."""
_MOST_MEMBERS: Final = 2_000
"""Of all objects in the arguments of one call together; to say of more what is wrong with each takes long."""
_LONGEST_INTEGER: Final = 1_000
"""Characters; Python reads no integer of any length."""
_DEEPEST: Final = 64
"""Objects and arrays that may stand in each other."""


class NotCanonicalError(ValueError):
    """The value has no canonical form: a number that is none, or text that is no Unicode."""


def canonical(value: Any) -> str:
    """Return the canonical text of a JSON value.

    Keys are sorted by UTF-16 code units and numbers are written as ECMAScript does. Integers beyond 2^53 keep their
    digits, where RFC 8785 would round them: an approved amount is the amount that runs.

    Raises:
        NotCanonicalError: NaN, an infinity, or a lone surrogate.
    """
    try:
        text = _written(value)
        text.encode()
    except UnicodeEncodeError as error:
        raise NotCanonicalError(f"a character that is no Unicode at position {error.start}") from None
    return text


def digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def read_arguments(text: str) -> dict[str, Any]:
    """Return the arguments that a model wrote; blank text counts as none.

    Raises:
        ValueError: no JSON object, a name that stands twice, a number that JSON does not know, too long or too deep.
            The text is ours, but where JSON itself is wrong.
    """
    if not text.strip():
        return {}
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"more than {_MOST_CHARACTERS} characters")
    try:
        value = json.loads(
            text, object_pairs_hook=_Members().unique, parse_constant=_refuse_constant, parse_int=_integer
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 -- it is the model's text that is wrong, not a type of ours
    if _depth(value) > _DEEPEST:
        raise ValueError("nested too deeply")
    canonical(value)
    return value


def _depth(value: Any) -> int:
    """Return how many objects and arrays stand in each other."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


class _Members:
    """The members of all objects in one text."""

    def __init__(self) -> None:
        self._seen = 0

    def unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return an object in which no name stands twice."""
        self._seen += len(pairs)
        if self._seen > _MOST_MEMBERS:
            raise ValueError(f"more than {_MOST_MEMBERS} members")
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a name that stands twice")
        return found


def _integer(text: str) -> int:
    if len(text) > _LONGEST_INTEGER:
        raise ValueError(f"a number of more than {_LONGEST_INTEGER} characters")
    return int(text)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        in_order = sorted(value) if all(map(str.isascii, value)) else sorted(value, key=_utf16)
        members = ((name, value[name]) for name in in_order)
        return "{" + ",".join(f"{_text(name)}:{_written(inner)}" for name, inner in members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_written, value)) + "]"
    if isinstance(value, float):
        return _number(value)
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _text(value: str) -> str:
    return _ENCODER.encode(value)


def _number(value: float) -> str:
    """Return a number as ECMAScript writes it: shortest digits that read back, exponents only beyond 1e21 and 1e-7."""
    if not math.isfinite(value):
        raise NotCanonicalError("a number that is not finite")
    if value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return str(int(value))
    mantissa, _, exponent = repr(value).partition("e")
    power = int(exponent or 0)
    sign, digits = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    whole, _, fraction = digits.partition(".")
    fraction = "" if fraction == "0" else fraction
    return sign + _placed((whole + fraction).lstrip("0"), _point(whole, fraction) + power)


def _point(whole: str, fraction: str) -> int:
    """Return how many digits stand before the point, counted from the first that is not 0."""
    if whole.strip("0"):
        return len(whole.lstrip("0"))
    return len(fraction.lstrip("0")) - len(fraction)


def _placed(digits: str, point: int) -> str:
    """Return digits with the point after `point` of them, as ECMAScript's Number::toString does."""
    digits = digits.rstrip("0") or "0"
    count = len(digits)
    if count <= point <= _MOST_DIGITS:
        return digits + "0" * (point - count)
    if 0 < point <= _MOST_DIGITS:
        return f"{digits[:point]}.{digits[point:]}"
    if -_MOST_ZEROS < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits[0] + (f".{digits[1:]}" if count > 1 else "")
    return f"{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"
