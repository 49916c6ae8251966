"""Layouts for tests: one with everything that telegrams do, and strategies for layouts and values that are made up.

The types of made-up layouts come from the field notes themselves, so a new option is one line here.
"""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from types import new_class
from typing import Annotated, Any, Final

import pytest
from hypothesis import strategies as st

from axhub.toolkit.mci import Date, Filler, Layout, Num, Packed, Rows, TelegramError, Text

CHARSETS: Final = ("euc-kr", "cp949", "utf-8")
_LETTERS: Final = {
    "euc-kr": "aZ09 .{}가홍길동정李樂·￦",
    "cp949": "aZ09 .{}가힣뷁똠햏李￦",
    "utf-8": "aZ09 .{}가뷁é👍李",
}
_PADS: Final = (" ", "\0", "\u3000")
_ALIGNS: Final[tuple[Any, ...]] = ("left", "right")
_SIGNS: Final[tuple[Any, ...]] = ("none", "leading", "trailing", "overpunch")
_PLUS: Final[tuple[Any, ...]] = ("+", "0", " ")


class ClaimRow(Layout):
    claim_no: Annotated[str, Text(16)]
    state: Annotated[str, Text(2)]
    amount: Annotated[int | None, Num(13, sign="leading")]


class CLCNNB00001_O(Layout, id="CLCNNB00001", charset="euc-kr", size=175):  # noqa: N801 - interfaces are named like this
    name: Annotated[str, Text(10, overflow="cut")]
    rate: Annotated[Decimal, Num(7, scale=4)]
    row_count: Annotated[int, Num(3)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=5, count="row_count")]


def claim(number: int = 1, amount: int | None = -1500) -> ClaimRow:
    """Return one row."""
    return ClaimRow(claim_no=f"CLM2026081{number:05d}", state="정", amount=amount)


def claims(rows: int = 2) -> CLCNNB00001_O:
    """Return a telegram with that many rows."""
    return CLCNNB00001_O(name="홍길동", rate=Decimal("1.2500"), rows=[claim(number) for number in range(rows)])


def refusal(call: Any, *arguments: Any) -> str:
    """Return the text of the error that a call ends with."""
    with pytest.raises(TelegramError) as caught:
        call(*arguments)
    return str(caught.value)


Made = tuple[type[Layout], st.SearchStrategy[Any]]
"""A made-up layout, and its values."""
_Field = tuple[Any, st.SearchStrategy[Any]]
"""The annotation of a made-up field, and its values."""


@st.composite
def layouts(draw: st.DrawFn) -> Made:
    """Return a made-up layout in one of the charsets, with at most two levels of rows and groups below it."""
    charset = draw(st.sampled_from(CHARSETS))
    return _layout(draw, charset, depth=2, options={"charset": charset})


def _layout(draw: st.DrawFn, charset: str, depth: int, options: dict[str, Any]) -> Made:
    annotations: dict[str, Any] = {}
    values: dict[str, st.SearchStrategy[Any]] = {}
    for at in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["leaf", "leaf", "leaf", "group", "rows"] if depth else ["leaf"]))
        name = f"field_{at}"
        if kind == "leaf":
            annotations[name], values[name] = draw(st.sampled_from(_LEAVES))(draw, charset)
            continue
        inner = _layout(draw, charset, depth - 1, {})
        if kind == "group":
            annotations[name], values[name] = inner
        else:
            annotations[f"count_{at}"] = Annotated[int, Num(2)]
            annotations[name], values[name] = _rows(draw, inner, f"count_{at}")
    made = new_class("Made", (Layout,), options, lambda namespace: namespace.update(__annotations__=annotations))
    return made, st.fixed_dictionaries(values).map(lambda given: made(**given))


def _rows(draw: st.DrawFn, inner: Made, count: str) -> _Field:
    most, (row, values) = draw(st.integers(1, 4)), inner
    is_fixed = row.layout_size is not None and draw(st.booleans())
    kind = draw(st.sampled_from([list[row], tuple[row, ...]]))  # type: ignore[valid-type]  # made up as we go
    lists = st.lists(values, max_size=most)
    return Annotated[kind, Rows(most, count=count, fixed=is_fixed)], lists if kind == list[row] else lists.map(tuple)  # type: ignore[valid-type]  # as above


def _text(draw: st.DrawFn, charset: str) -> _Field:
    size, pad, align = draw(st.integers(1, 12)), draw(st.sampled_from(_PADS)), draw(st.sampled_from(_ALIGNS))
    trim = pad + " "

    def fitted(text: str) -> str:
        while len(text.encode("utf-8" if charset == "utf-8" else "cp949")) > size:
            text = text[:-1]
        return text.rstrip(trim) if align == "left" else text.lstrip(trim)

    texts = st.text(_LETTERS[charset], max_size=size).map(fitted)
    note = Text(size, pad=pad, align=align)
    return _maybe(draw, str, note, texts if draw(st.booleans()) else texts.filter(bool))


def _num(draw: st.DrawFn, _charset: str) -> _Field:
    sign = draw(st.sampled_from(_SIGNS))
    size = draw(st.integers(2, 40))
    plus = draw(st.sampled_from(_PLUS))
    places = size - (sign in {"leading", "trailing"})
    scale = draw(st.integers(0, places))
    return _number(draw, Num(size, scale=scale, sign=sign, plus=plus), places, sign != "none")


def _packed(draw: st.DrawFn, _charset: str) -> _Field:
    size, is_signed = draw(st.integers(1, 16)), draw(st.booleans())
    scale = draw(st.integers(0, size * 2 - 1))
    return _number(draw, Packed(size, scale=scale, signed=is_signed), size * 2 - 1, is_signed)


def _number(draw: st.DrawFn, note: Num | Packed, places: int, is_signed: bool) -> _Field:
    whole = st.integers(-(10**places) + 1 if is_signed else 0, 10**places - 1)
    if note.scale == 0 and draw(st.booleans()):
        return _maybe(draw, int, note, whole)
    return _maybe(draw, Decimal, note, whole.map(lambda number: Decimal(f"{number}E-{note.scale}")))


def _date(draw: st.DrawFn, _charset: str) -> _Field:
    note = Date(draw(st.sampled_from(list(_MOMENTS))), none=draw(st.sampled_from([" ", "0"])))
    kind, moments = _MOMENTS[note.format]
    if kind is time:
        note = Date(note.format)  # zeros are midnight, so they cannot be None
    return _maybe(draw, kind, note, moments)


def _filler(draw: st.DrawFn, _charset: str) -> _Field:
    return Annotated[None, Filler(draw(st.integers(1, 5)), fill=draw(st.sampled_from(" 0\0")))], st.none()


def _maybe(draw: st.DrawFn, kind: Any, note: Any, values: st.SearchStrategy[Any]) -> _Field:
    """Return a field that may be None, or one that may not."""
    if draw(st.booleans()):
        return Annotated[kind, note], values
    return Annotated[kind | None, note], st.none() | values.filter(lambda value: value != "")


_SECONDS: Final = st.datetimes(min_value=datetime(1, 1, 1)).map(lambda one: one.replace(microsecond=0))  # noqa: DTZ001 - as telegrams have it
_MOMENTS: Final[dict[Any, tuple[Any, st.SearchStrategy[Any]]]] = {
    "YYYYMMDD": (date, st.dates()),
    "YYYY-MM-DD": (date, st.dates()),
    "YYYYMMDDHHMMSS": (datetime, _SECONDS),
    "YYYYMMDDHHMMSSmmm": (
        datetime,
        st.datetimes().map(lambda one: one.replace(microsecond=one.microsecond // 1000 * 1000)),
    ),
    "HHMMSS": (time, st.times().map(lambda one: one.replace(microsecond=0))),
}
_LEAVES: Final[list[Callable[[st.DrawFn, str], _Field]]] = [_text, _text, _num, _packed, _date, _filler]
