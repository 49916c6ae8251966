"""Traps of rows, lengths and parts of fixed-length telegrams (toolkit/B2)."""

from typing import Annotated

import pytest

from axhub.toolkit.mci import Layout, Num, Rows, Text
from support.layouts import CLCNNB00001_O, claims, refusal

pytestmark = pytest.mark.req("toolkit/B2")


def test_a_count_above_the_most_rows_is_an_error_even_where_the_bytes_are_there() -> None:
    raw = claims(5).encode()
    told = raw[:17] + b"006" + raw[20:]
    assert refusal(CLCNNB00001_O.decode, told) == "CLCNNB00001_O.rows @byte 20: 6 rows do not fit in 5"


def test_a_count_that_is_given_has_to_be_that_of_the_rows() -> None:
    value = claims(2).__replace__(row_count=3)
    said = "CLCNNB00001_O.row_count @byte 17: it tells another number than that of the 2 rows"
    assert refusal(value.encode) == said


def test_what_stands_in_rows_that_are_not_used_does_not_matter() -> None:
    raw = claims(1).encode()
    assert CLCNNB00001_O.decode(raw[:51] + b"\xff" * 124) == claims(1)


def test_rows_that_are_not_used_are_blank_in_a_fixed_area_and_not_there_in_another() -> None:
    class Row(Layout):
        name: Annotated[str, Text(2)]
        amount: Annotated[int, Num(2)]

    class Fixed(Layout):
        count: Annotated[int, Num(1)] = 0
        rows: Annotated[list[Row], Rows(max=3, count="count")]

    class Varying(Layout):
        count: Annotated[int, Num(1)] = 0
        rows: Annotated[list[Row], Rows(max=3, count="count", fixed=False)]
        end: Annotated[str, Text(1)]

    assert Fixed(rows=[Row(name="a", amount=7)]).encode() == b"1a 07  00  00"
    assert Varying(rows=[Row(name="a", amount=7)], end="z").encode() == b"1a 07z"
    assert Varying.decode(b"0z") == Varying(rows=[], end="z")


def test_the_length_is_looked_at_before_any_field() -> None:
    raw = claims(2).encode()
    assert refusal(CLCNNB00001_O.decode, b"\xff" * 174) == "CLCNNB00001_O: 174 bytes came, and 175 are laid down"
    assert refusal(CLCNNB00001_O.decode, raw + b"\xff") == "CLCNNB00001_O: 176 bytes came, and 175 are laid down"
    assert CLCNNB00001_O.decode(raw + b"\xff", exact=False) == claims(2)


def test_all_parts_of_a_telegram_are_in_its_charset() -> None:
    class Row(Layout):
        name: Annotated[str, Text(4)]

    class Outer(Layout, charset="utf-8"):
        first: Row
        rows: Annotated[list[Row], Rows(max=1)]

    value = Outer(first=Row(name="뷁"), rows=[Row(name="똠")])
    assert value.encode() == "뷁 똠 ".encode()
    assert Outer.decode(value.encode()) == value
