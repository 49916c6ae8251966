"""What people see of a layout and of a telegram: offsets, bytes, names, and values where they ask (toolkit/B1)."""

from datetime import date, time
from decimal import Decimal
from typing import Annotated, Literal

import pytest
from wcwidth import width

from axhub.toolkit.mci import Date, Filler, Layout, Num, Packed, Rows, Text
from support.layouts import CLCNNB00001_O, ClaimRow, claim, claims

pytestmark = pytest.mark.req("toolkit/B1")


class Every(Layout):
    first: ClaimRow
    opened: Annotated[date | None, Date()]
    at: Annotated[time, Date("HHMMSS")]
    rate: Annotated[Decimal, Packed(3, scale=2)]
    reserve: Annotated[None, Filler(2)] = None
    count: Annotated[int, Num(2)] = 0
    rows: Annotated[list[ClaimRow], Rows(max=9, count="count", fixed=False)]
    pair: Annotated[list[ClaimRow], Rows(max=1)]
    end: Annotated[str, Text(2)]


def every() -> Every:
    return Every(
        first=claim(),
        opened=date(2026, 1, 31),
        at=time(9, 5),
        rate=Decimal("1.5"),
        rows=[claim(2)],
        pair=[claim(3, amount=None)],
        end="",
    )


def test_a_layout_shows_where_each_field_lies() -> None:
    assert Every.table().splitlines() == [
        "OFFSET  BYTES   FIELD             WHAT",
        "0       31      first             group",
        "0       16      first.claim_no    text",
        "16      2       first.state       text",
        "18      13      first.amount      number, sign leading, may be blank",
        "31      8       opened            YYYYMMDD, may be blank",
        "39      6       at                HHMMSS",
        "45      3       rate              packed number, 2 decimal places",
        "48      2       reserve           filler",
        "50      2       count             number",
        "52      varies  rows              up to 9 rows, told by count",
        "52      16      rows[0].claim_no  text",
        "68      2       rows[0].state     text",
        "70      13      rows[0].amount    number, sign leading, may be blank",
        "varies  31      pair              1 rows",
        "varies  16      pair[0].claim_no  text",
        "varies  2       pair[0].state     text",
        "varies  13      pair[0].amount    number, sign leading, may be blank",
        "varies  2       end               text",
    ]


def test_a_layout_can_be_read_in_korean() -> None:
    assert CLCNNB00001_O.table(lang="ko").splitlines() == [
        "위치  길이  항목              내용",
        "0     10    name              문자",
        "10    7     rate              숫자, 소수 4자리",
        "17    3     row_count         숫자",
        "20    155   rows              최대 5행, 행 수는 row_count",
        "20    16    rows[0].claim_no  문자",
        "36    2     rows[0].state     문자",
        "38    13    rows[0].amount    숫자, 부호 leading, 빈 값 가능",
    ]


def test_a_telegram_shows_its_places_with_all_values_masked() -> None:
    assert CLCNNB00001_O.table(claims(1).encode()).splitlines() == [
        "OFFSET  BYTES  FIELD             VALUE",
        "0       10     name              ***",
        "10      7      rate              ***",
        "17      3      row_count         ***",
        "20      16     rows[0].claim_no  ***",
        "36      2      rows[0].state     ***",
        "38      13     rows[0].amount    ***",
        "51      124    rows[1..4]        (unused)",
    ]


def test_whoever_asks_for_values_sees_them() -> None:
    assert Every.table(every().encode(), unmask=True, lang="ko", base=100).splitlines() == [
        "위치  길이  항목              값",
        "100   16    first.claim_no    CLM202608100001",
        "116   2     first.state       정",
        "118   13    first.amount      -1500",
        "131   8     opened            2026-01-31",
        "139   6     at                09:05:00",
        "145   3     rate              1.50",
        "148   2     reserve",
        "150   2     count             1",
        "152   16    rows[0].claim_no  CLM202608100002",
        "168   2     rows[0].state     정",
        "170   13    rows[0].amount    -1500",
        "183   16    pair[0].claim_no  CLM202608100003",
        "199   2     pair[0].state     정",
        "201   13    pair[0].amount",
        "214   2     end",
    ]


def test_columns_line_up_however_wide_the_characters_are_drawn() -> None:
    lines = Every.table(every().encode(), lang="ko").splitlines()
    assert {width(line.partition("***")[0]) for line in lines if "***" in line} == {30}


def test_a_telegram_cannot_steer_the_terminal() -> None:
    raw = claims(0).__replace__(name="a\x1b[2J\r\nb").encode()
    assert "name        a[2J b" in CLCNNB00001_O.table(raw, unmask=True)


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            ["10      7      rate       ! not all of it is ASCII digits", "! 90 bytes came, and 175 are laid down"],
        ),
        ("ko", ["10    7     rate       ! ASCII 숫자가 아닙니다", "! 90바이트를 받았으나 175바이트여야 합니다"]),
    ],
)
def test_a_faulty_telegram_is_shown_as_far_as_it_can_be_followed(lang: Literal["en", "ko"], lines: list[str]) -> None:
    raw = claims(3).encode()
    shown = CLCNNB00001_O.table((raw[:10] + b"x" + raw[11:20] + b"\xff" * 70), lang=lang).splitlines()
    assert [line for line in shown if line.startswith(("10 ", "! "))] == [
        one.replace("rate       !", "rate              !") for one in lines
    ]


def test_a_count_that_cannot_be_read_hides_the_rows_of_a_fixed_area_alone() -> None:
    raw = claims(2).encode()
    assert CLCNNB00001_O.table(raw[:17] + b"x02" + raw[20:]).splitlines()[1:] == [
        "0       10     name       ***",
        "10      7      rate       ***",
        "17      3      row_count  ! not all of it is ASCII digits",
        "20      155    rows",
    ]


def test_a_telegram_that_is_too_long_for_its_rows_says_so() -> None:
    raw = every().encode()
    assert Every.table(raw + b"xy").splitlines()[-1] == f"! {len(raw) + 2} bytes came, and {len(raw)} are laid down"
    assert Every.table(raw[:50] + b"x1" + raw[52:]).splitlines()[-1] == (
        "50      2      count           ! not all of it is ASCII digits"
    )
