"""The words of a sheet's cells: names as Python writes them, types, signs, and how often a group stands there."""

import re
from collections.abc import Mapping
from keyword import iskeyword
from typing import Final

from axhub.toolkit.scaffold.sheets.model import Occurs

__all__ = [
    "FILLER",
    "GROUP",
    "KINDS",
    "SIGNS",
    "TOTALS",
    "digits_of",
    "kind_of",
    "name_of",
    "occurs_of",
    "required_in",
    "sign_of",
    "whole_of",
]

FILLER: Final = "filler"
GROUP: Final = "group"
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("text", "string", "str", "char", "varchar", "c", "x", "a", "an", "ah", "ahn", "문자", "문자열", "한글"),
    "num": ("num", "number", "numeric", "int", "integer", "decimal", "n", "9", "숫자", "정수", "금액"),
    "packed": ("packed", "comp3", "팩", "팩십진수"),
    "date": ("date", "datetime", "timestamp", "날짜", "일자", "일시"),
    "time": ("time", "시각", "시간"),
    FILLER: ("filler", "reserve", "reserved", "예비", "공백", "여백"),
    GROUP: ("group", "rows", "array", "list", "그룹", "배열", "목록", "반복", "반복부"),
}
SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    "leading": ("leading", "앞", "선행"),
    "trailing": ("trailing", "뒤", "후행"),
    "overpunch": ("overpunch", "오버펀치"),
}
_SIGN_BYTES: Final = frozenset({"leading", "trailing"})
"""Signs that have a byte of their own."""
_REQUIRED: Final = frozenset({"", "y", "yes", "true", "required", "필수"})
_OPTIONAL: Final = frozenset({"n", "no", "false", "optional", "선택"})
TOTALS: Final = frozenset({"total", "sum", "합계", "총계", "총길이", "전체길이"})
"""What stands in the column of fields on the row that has the size of all."""
_OCCURS: Final = re.compile(r"(?P<least>[0-9]+\s*(?:\.\.|~|-)\s*)?(?P<most>[0-9]{1,4})(?:\s+(?P<count>\S+))?")
_WHOLE: Final = re.compile(r"[0-9]{1,5}|[0-9]{1,2},[0-9]{3}")
"""Sizes: a telegram of more than 99,999 bytes is none."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


def kind_of(cell: str) -> str | None:
    """Return the kind of a field whose type a sheet writes so, None for a word that is none."""
    return _key_of(KINDS, re.sub(r"[\s_-]", "", cell.casefold()))


def digits_of(kind: str, size: int, sign: str = "") -> int:
    """Return how many digits a number of so many bytes has: packed, two a byte, but for the sign's half."""
    return 2 * size - 1 if kind == "packed" else size - (sign in _SIGN_BYTES)


def whole_of(cell: str) -> int | None:
    """Return a whole number, with commas between its thousands or without; None for anything else.

    `13,2` is none: it would be a size and a scale in one cell.
    """
    return int(cell.replace(",", "")) if _WHOLE.fullmatch(cell) else None


def sign_of(cell: str) -> str | None:
    """Return where the sign stands, empty for none, None for a word that says nothing of it."""
    return "" if not cell else _key_of(SIGNS, cell.casefold())


def required_in(cell: str) -> bool | None:
    """Return whether a field is always filled, as it is where a sheet says nothing; None for what says neither."""
    word = cell.casefold()
    return True if word in _REQUIRED else False if word in _OPTIONAL else None


def _key_of(table: Mapping[str, tuple[str, ...]], word: str) -> str | None:
    return next((key for key, words in table.items() if word in words), None)


def name_of(cell: str) -> str | None:
    """Return a field's name in Python, `claim_no` for CLM_NO's kind of names and claimNo's; None if it can be none."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cell.replace("-", "_")).casefold()
    return snake if _NAME.fullmatch(snake) and not iskeyword(snake) else None


def occurs_of(cell: str) -> Occurs | None:
    """Return how often a group stands there, None where that is not to be understood.

    It is written as `5`, as `5 ROW_CNT` (always five, the field says how many count) or as `0-5 ROW_CNT` (as many as
    the field says).
    """
    found = _OCCURS.fullmatch(cell)
    if found is None or not int(found["most"]):
        return None
    count = name_of(found["count"]) if found["count"] else ""
    if count is None or (found["least"] and not count):
        return None
    return Occurs(int(found["most"]), count, fixed=found["least"] is None)
