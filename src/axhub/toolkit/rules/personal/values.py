"""Personal data in samples and examples: numbers by their form and check digits, others by the name before them."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from axhub.toolkit.rules.personal.names import Personal, by_name

__all__ = ["ANONYMOUS", "FoundValue", "find_values"]

ANONYMOUS: Final = {
    Personal.RESIDENT: "000000-0000000",
    Personal.CARD: "0000-0000-0000-0000",
    Personal.ACCOUNT: "000-000-000000",
    Personal.PHONE: "010-0000-0000",
    Personal.PASSWORD: "********",
}
"""What to write instead; none of these is found."""

_RESIDENT: Final = re.compile(r"(?<![0-9A-Za-z-])([0-9]{2})([0-9]{2})([0-9]{2})(-?)([1-8])([0-9]{6})(?![0-9A-Za-z-])")
_CARD: Final = re.compile(r"(?<![0-9A-Za-z-])[3-69][0-9]{3}([- ]?)[0-9]{4}\1[0-9]{4}\1[0-9]{4}(?![0-9A-Za-z-])")
_PHONE: Final = re.compile(r"(?<![0-9A-Za-z-])01[016789]([- ]?)[0-9]{3,4}\1([0-9]{4})(?![0-9A-Za-z-])")
_MEMBER: Final = re.compile(r"(?<![\w-])([A-Za-z가-힣][\w-]{0,63})[\"']?\s*:\s*[\"']?([^\"',}\]\n]*)")
_ACCOUNT: Final = re.compile(r"[0-9][0-9 -]{6,}[0-9]")
_WEIGHTS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
_CENTURY: Final = 2000


class FoundValue(NamedTuple):
    """One value that looks real."""

    kind: Personal
    start: int
    """Where it begins in the text."""


def find_values(text: str) -> list[FoundValue]:
    """Return what looks like somebody's data, in the order of the text, each place once."""
    found: dict[int, Personal] = {}
    for kind, start in (*_numbers(text), *_named(text)):
        found.setdefault(start, kind)
    return [FoundValue(found[start], start) for start in sorted(found)]


def _numbers(text: str) -> Iterator[tuple[Personal, int]]:
    for match in _RESIDENT.finditer(text):
        if _is_resident(match):
            yield Personal.RESIDENT, match.start()
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if _passes_luhn(digits) and not _is_anonymous(digits):
            yield Personal.CARD, match.start()
    for match in _PHONE.finditer(text):
        if not _is_anonymous(re.sub(r"\D", "", match[0])[3:]):
            yield Personal.PHONE, match.start()


def _named(text: str) -> Iterator[tuple[Personal, int]]:
    """Yield accounts and passwords, which have no form of their own."""
    for match in _MEMBER.finditer(text):
        kind, value = by_name(match[1]), match[2].strip()
        account = kind is Personal.ACCOUNT and _ACCOUNT.fullmatch(value) and not _is_anonymous(re.sub(r"\D", "", value))
        password = kind is Personal.PASSWORD and value and value not in {"null", "{", "["} and set(value) - set("*xX#-")
        if kind is not None and (account or password):
            yield kind, match.start(2)


def _is_resident(match: re.Match[str]) -> bool:
    year, month, day, hyphen, century, rest = match.groups()
    full = int(year) + (_CENTURY if century in "3478" else _CENTURY - 100)
    try:
        date(full, int(month), int(day))
    except ValueError:
        return False
    digits = f"{year}{month}{day}{century}{rest}"
    if hyphen:  # newer numbers have no check digit, so the form must do
        return not _is_anonymous(rest)
    check = (11 - sum(int(digit) * weight for digit, weight in zip(digits, _WEIGHTS, strict=False)) % 11) % 10
    return check == int(digits[-1])


def _passes_luhn(digits: str) -> bool:
    total = 0
    for at, digit in enumerate(reversed(digits)):
        total += sum(divmod(2 * int(digit), 10)) if at % 2 else int(digit)
    return total % 10 == 0


def _is_anonymous(digits: str) -> bool:
    return len(set(digits)) == 1 or digits.startswith("0000")
