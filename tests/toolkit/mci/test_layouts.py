"""Layouts as authors use them: declared once, their values made, read, written and compared (toolkit/B1)."""

import pickle
from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar

import pytest

from axhub.toolkit.mci import Date, Filler, Layout, LayoutField, Num, Rows, Text
from support.layouts import CLCNNB00001_O, ClaimRow, claim, claims

pytestmark = pytest.mark.req("toolkit/B1")


class Header(Layout):
    interface: Annotated[str, Text(11)] = "CLCNNB00001"
    reserve: Annotated[None, Filler(3, fill="0")] = None
    sent: Annotated[date, Date()]


class Claims(Header, id="CLCNNB00002", charset="cp949"):
    SOURCE: ClassVar[str] = "cfpa"
    first: ClaimRow
    count: Annotated[int, Num(2)] = 0
    rows: Annotated[tuple[ClaimRow, ...], Rows(max=9, count="count", fixed=False)] = ()
    end: Annotated[str | None, Text(2)] = None


def test_a_telegram_is_written_byte_for_byte() -> None:
    raw = claims(2).encode()
    row = b"\xc1\xa4-000000001500"
    blank = b" " * 31
    assert raw == (
        b"\xc8\xab\xb1\xe6\xb5\xbf    0012500002CLM202608100000 " + row + b"CLM202608100001 " + row + blank * 3
    )


def test_a_telegram_is_read_into_typed_values() -> None:
    value = CLCNNB00001_O.decode(claims(1).encode())
    assert (value.name, value.rate, value.row_count) == ("홍길동", Decimal("1.25"), 1)
    assert value.rows == [ClaimRow(claim_no="CLM202608100000", state="정", amount=-1500)]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_whatever_holds_bytes_can_be_read(kind: type[bytes]) -> None:
    assert CLCNNB00001_O.decode(kind(claims().encode())) == claims()


def test_what_a_layout_lays_down_can_be_asked() -> None:
    assert (CLCNNB00001_O.layout_id, CLCNNB00001_O.layout_size, CLCNNB00001_O.__charset__) == (
        "CLCNNB00001",
        175,
        "euc-kr",
    )
    name, rate, count, rows = CLCNNB00001_O.layout_fields
    assert name == LayoutField("name", 0, 10, "Text", Text(10, overflow="cut"), str, False, None)
    assert rate == LayoutField("rate", 10, 7, "Num", Num(7, scale=4), Decimal, False, None)
    assert count == LayoutField("row_count", 17, 3, "Num", Num(3), int, False, None)
    assert rows == LayoutField("rows", 20, 155, "Rows", Rows(max=5, count="row_count"), list, False, ClaimRow)


def test_a_layout_takes_over_the_fields_of_its_base_and_what_follows_varying_rows_has_no_place() -> None:
    assert (Claims.layout_id, Claims.layout_size, Claims.__charset__) == ("CLCNNB00002", None, "cp949")
    assert [(field.name, field.offset, field.size, field.kind) for field in Claims.layout_fields] == [
        ("interface", 0, 11, "Text"),
        ("reserve", 11, 3, "Filler"),
        ("sent", 14, 8, "Date"),
        ("first", 22, 31, "Group"),
        ("count", 53, 2, "Num"),
        ("rows", 55, None, "Rows"),
        ("end", None, 2, "Text"),
    ]


def test_defaults_fillers_and_counts_need_not_be_given() -> None:
    value = Claims(sent=date(2026, 1, 31), first=claim(), rows=(claim(), claim()))
    raw = value.encode()
    assert raw[:22] == b"CLCNNB0000100020260131"
    assert raw[53:55] == b"02"
    assert Claims.decode(raw) == value
    assert (value.count, value.end, value.reserve) == (2, None, None)


@pytest.mark.parametrize("rows", [0, 1, 9])
def test_rows_that_vary_in_number_take_no_more_bytes_than_they_need(rows: int) -> None:
    value = Claims(sent=date(2026, 1, 31), first=claim(), rows=tuple(claim(number) for number in range(rows)))
    raw = value.encode()
    assert len(raw) == 55 + 31 * rows + 2
    assert Claims.decode(raw) == value
    assert Claims.decode(raw + b"more", exact=False) == value


def test_rows_within_rows_have_counts_of_their_own() -> None:
    class Claim(Layout):
        count: Annotated[int, Num(1)] = 0
        parts: Annotated[list[ClaimRow], Rows(max=2, count="count")]

    class Contract(Layout):
        count: Annotated[int, Num(1)] = 0
        claims: Annotated[list[Claim], Rows(max=3, count="count")]

    value = Contract(claims=[Claim(parts=[claim(1)]), Claim(parts=[]), Claim(parts=[claim(2), claim(3)])])
    assert Contract.layout_size == 1 + 3 * (1 + 2 * 31)
    assert Contract.decode(value.encode()) == value


def test_rows_of_fillers_alone_can_be_counted() -> None:
    class Gap(Layout):
        gap: Annotated[None, Filler(2)] = None

    class Gaps(Layout):
        count: Annotated[int, Num(1)] = 0
        gaps: Annotated[list[Gap], Rows(max=3, count="count")]

    assert Gaps.decode(b"2      ") == Gaps(gaps=[Gap(), Gap()])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"claim_no": "1", "state": ""}, "ClaimRow lacks amount"),
        ({"claim_no": "1"}, "ClaimRow lacks state, amount"),
        ({"claim_no": "1", "state": "", "amount": 1, "more": 2}, "ClaimRow has no field more"),
    ],
)
def test_a_value_is_made_from_the_names_of_its_fields(given: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        ClaimRow(**given)  # type: ignore[arg-type]  # the point of the test


def test_a_value_does_not_change() -> None:
    value = claim()
    with pytest.raises(AttributeError, match=r"^ClaimRow\.state does not change; make another value$"):
        value.state = "x"  # type: ignore[misc]  # the point of the test
    with pytest.raises(AttributeError, match=r"^ClaimRow\.state does not change; make another value$"):
        del value.state
    assert value == claim()


def test_rows_belong_to_their_value_alone() -> None:
    rows = [claim()]
    value = claims(0).__replace__(rows=rows)
    rows.append(claim())
    assert len(value.rows) == 1


def test_a_copy_counts_its_own_rows() -> None:
    value = claims(2).__replace__(rows=[claim()], name="김철수")
    assert (value.row_count, value.name, value.rate) == (1, "김철수", claims(2).rate)


def test_values_are_equal_if_all_their_fields_are() -> None:
    class Twin(ClaimRow):
        """Another class with the same fields."""

    twin = Twin(claim_no="CLM202608100001", state="정", amount=-1500)
    assert (claim(1) == claim(1), claim(1) == claim(2), claim(1) == twin) == (True, False, False)
    assert len({claim(1), claim(1), claim(2)}) == 2


def test_a_value_can_be_stored() -> None:
    assert pickle.loads(pickle.dumps(claims())) == claims()
