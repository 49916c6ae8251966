"""How many values a JSON text has, told without parsing it: work that grows with them is bounded by it.

Reading a million small values, and telling what is wrong with each, takes a validator seconds in which nothing else
runs; counting them first takes a few milliseconds.
"""

from typing import Final

__all__ = ["MAX_FAULTS_BUILT", "more_values_than"]

MAX_FAULTS_BUILT: Final = 2000
"""Of a validation error with more faults than this only their number is told: building them takes too long."""


def more_values_than(text: bytes, limit: int) -> bool:
    """Say whether a JSON text has more than about `limit` values: members, items, objects and lists.

    Args:
        text: UTF-8, or another charset in which ASCII characters are what they seem; it need not be valid JSON.
        limit: a number of values.
    """
    if text.count(b'"') <= 4 * limit and _marks(text) <= limit:
        return False
    # An escaped quotation mark ends no text; what is left of the others separates texts from the rest.
    plain = text.replace(rb"\\", b"").replace(rb"\"", b"")
    if plain.count(b'"') > 4 * limit:  # a value has at most two texts: its name and itself
        return True
    return _marks(b"".join(plain.split(b'"')[::2])) > limit


def _marks(text: bytes) -> int:
    return text.count(b",") + text.count(b"[") + text.count(b"{")
