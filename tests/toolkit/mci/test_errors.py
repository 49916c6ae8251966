"""What is wrong is told with layout, field, offset, limit and length, and never with the value (toolkit/B2)."""

import traceback
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import pytest

from axhub.toolkit.mci import Date, Filler, Layout, Num, Packed, Rows, TelegramError, Text
from support.layouts import CLCNNB00001_O, ClaimRow, claim, claims

pytestmark = pytest.mark.req("toolkit/B2")


class Row(Layout):
    name: Annotated[str, Text(4)]
    paid: Annotated[Decimal, Packed(2, scale=1, signed=False)]


class All(Layout):
    reserve: Annotated[None, Filler(1)] = None
    first: Row
    opened: Annotated[date, Date()]
    count: Annotated[int, Num(2)] = 0
    rows: Annotated[list[Row], Rows(max=3, count="count", fixed=False)]
    rate: Annotated[Decimal | None, Num(5, scale=2, sign="leading")]


def row(**changes: Any) -> Row:
    return Row(**{"name": "가", "paid": Decimal("1.5"), **changes})


def value(**changes: Any) -> All:
    return All(
        **{"first": row(), "opened": date(2026, 1, 31), "rows": [row(), row()], "rate": Decimal("-1.25"), **changes}
    )


RAW = value().encode()


def written(**changes: Any) -> Callable[[], object]:
    return value(**changes).encode


def read(at: int, instead: bytes) -> Callable[[], object]:
    return lambda: All.decode(RAW[:at] + instead + RAW[at + len(instead) :])


CASES: list[tuple[Callable[[], object], str, str, int, str, int | None, int | None]] = [
    (lambda: All.decode(RAW[:4]), "length", "", 0, "All: 4 bytes came, and at least 22 are laid down", 22, 4),
    (
        lambda: All.decode(RAW[:-1]),
        "length",
        "rate",
        29,
        "All.rate @byte 29: 5 bytes are laid down, and 4 are left",
        4,
        5,
    ),
    (lambda: All.decode(RAW + b"x"), "length", "", 0, "All: 35 bytes came, and its rows end at 34", 34, 35),
    (
        written(first=row(name="가나다")),
        "overflow",
        "first.name",
        1,
        "All.first.name @byte 1: 6 bytes do not fit in 4",
        4,
        6,
    ),
    (
        written(rows=[row(), row(paid=Decimal(100))]),
        "overflow",
        "rows[1].paid",
        27,
        "All.rows[1].paid @byte 27: 4 digits do not fit in 3",
        3,
        4,
    ),
    (
        written(first=row(name="뷁")),
        "charset",
        "first.name",
        1,
        "All.first.name @byte 1: U+BDC1 is not in euc-kr",
        None,
        None,
    ),
    (
        read(23, b"a\xff\xff "),
        "charset",
        "rows[1].name",
        23,
        "All.rows[1].name @byte 23: from its byte 1 on it is not euc-kr",
        None,
        None,
    ),
    (
        read(23, b"abc\xb0"),
        "half",
        "rows[1].name",
        23,
        "All.rows[1].name @byte 23: it ends within a character",
        None,
        None,
    ),
    (read(15, b"x2"), "digits", "count", 15, "All.count @byte 15: not all of it is ASCII digits", None, None),
    (
        read(7, b"2026.1.1"),
        "digits",
        "opened",
        7,
        "All.opened @byte 7: it is not written as YYYYMMDD",
        None,
        None,
    ),
    (
        read(27, b"\xa1\x5c"),
        "digits",
        "rows[1].paid",
        27,
        "All.rows[1].paid @byte 27: its half bytes are not all digits",
        None,
        None,
    ),
    (
        read(27, b"\x01\x5d"),
        "sign",
        "rows[1].paid",
        27,
        "All.rows[1].paid @byte 27: its last half byte is no sign that it may have",
        None,
        None,
    ),
    (read(29, b"00125"), "sign", "rate", 29, "All.rate @byte 29: its first byte is no sign", None, None),
    (
        written(first=row(paid=Decimal(-1))),
        "sign",
        "first.paid",
        5,
        "All.first.paid @byte 5: it is negative, and the field has no sign",
        None,
        None,
    ),
    (
        written(rate=Decimal("1.255")),
        "scale",
        "rate",
        29,
        "All.rate @byte 29: 3 decimal places do not fit in 2",
        2,
        3,
    ),
    (
        read(7, b"        "),
        "blank",
        "opened",
        7,
        "All.opened @byte 7: it is blank, and its type has no None",
        None,
        None,
    ),
    (
        written(opened=None),
        "missing",
        "opened",
        7,
        "All.opened @byte 7: it is None, and its type has no None",
        None,
        None,
    ),
    (
        written(opened="20260131"),
        "type",
        "opened",
        7,
        "All.opened @byte 7: it takes date, and this is str",
        None,
        None,
    ),
    (written(first=claim()), "type", "first", 1, "All.first @byte 1: it takes Row, and this is ClaimRow", None, None),
    (
        written(rows=[row(), 5]),
        "type",
        "rows[1]",
        23,
        "All.rows[1] @byte 23: it takes Row, and this is int",
        None,
        None,
    ),
    (written(rows="ab"), "type", "rows", 17, "All.rows @byte 17: it takes list, and this is str", None, None),
    (
        written(rate=Decimal("NaN")),
        "type",
        "rate",
        29,
        "All.rate @byte 29: it is infinite or no number",
        None,
        None,
    ),
    (
        read(7, b"20260230"),
        "date",
        "opened",
        7,
        "All.opened @byte 7: there is no such moment (YYYYMMDD)",
        None,
        None,
    ),
    (read(15, b"04"), "count", "rows", 17, "All.rows @byte 17: 4 rows do not fit in 3", 3, 4),
    (written(rows=[row()] * 4), "count", "rows", 17, "All.rows @byte 17: 4 rows do not fit in 3", 3, 4),
    (
        written(count=1),
        "count",
        "count",
        15,
        "All.count @byte 15: it tells another number than that of the 2 rows",
        None,
        2,
    ),
]


@pytest.mark.parametrize(("call", "kind", "field", "offset", "message", "limit", "length"), CASES)
def test_an_error_names_its_place_and_its_bounds(
    call: Callable[[], object],
    kind: str,
    field: str,
    offset: int,
    message: str,
    limit: int | None,
    length: int | None,
) -> None:
    with pytest.raises(TelegramError) as caught:
        call()
    error = caught.value
    assert str(error) == message
    assert (error.layout, error.kind, error.field, error.offset) == ("All", kind, field, offset)
    assert (error.limit, error.length) == (limit, length)


def test_rows_without_a_count_have_to_be_as_many_as_there_is_room_for() -> None:
    class Always(Layout):
        rows: Annotated[list[Row], Rows(max=2)]

    with pytest.raises(TelegramError, match=r"^Always\.rows @byte 0: 1 rows, and 2 have to be$"):
        Always(rows=[row()]).encode()


def test_neither_message_nor_trace_nor_representation_holds_a_value() -> None:
    secret = "홍길동의주민번호"
    holder = CLCNNB00001_O(name=secret, rate=Decimal("1.25"), rows=[ClaimRow(claim_no=secret * 2, state="", amount=1)])
    with pytest.raises(TelegramError) as written_wrong:
        holder.encode()
    with pytest.raises(TelegramError) as read_wrong:
        CLCNNB00001_O.decode(secret.encode("cp949").ljust(175, b"\xff"))
    for error in (written_wrong.value, read_wrong.value):
        shown = "".join(traceback.format_exception(error)) + repr(error.__dict__)
        assert secret not in shown
        assert (error.__cause__, error.__context__) == (None, None)
    assert repr(holder) == "CLCNNB00001_O(name=***, rate=***, row_count=***, rows=***)"


def test_an_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"^CLCNNB00001_O: 3 bytes came, and 175 are laid down$"):
        CLCNNB00001_O.decode(b"abc")


def test_the_first_row_that_is_wrong_is_named() -> None:
    rows = [claim(1), claim(2, amount=10**13), claim(3, amount=10**13)]
    with pytest.raises(TelegramError, match=r"^CLCNNB00001_O\.rows\[1\]\.amount @byte 69: 14 digits do not fit in 12$"):
        claims(0).__replace__(rows=rows).encode()
