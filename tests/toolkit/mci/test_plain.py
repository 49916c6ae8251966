"""Values of layouts as JSON has them: what samples are written in."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Annotated, Any

import pytest

from axhub.toolkit.mci import Date, Filler, Layout, Num, Rows, Text, from_plain, to_plain

pytestmark = pytest.mark.req("toolkit/B1")


class Row(Layout):
    name: Annotated[str, Text(4)]
    amount: Annotated[int | None, Num(5)]


class Every(Layout):
    first: Row
    rate: Annotated[Decimal, Num(7, scale=4)]
    on: Annotated[date, Date()]
    at: Annotated[datetime | None, Date("YYYYMMDDHHMMSS")] = None
    when: Annotated[time, Date("HHMMSS")]
    reserve: Annotated[None, Filler(2)] = None
    count: Annotated[int, Num(1)] = 0
    rows: Annotated[list[Row], Rows(max=2, count="count")]


PLAIN: dict[str, Any] = {
    "first": {"name": "가", "amount": None},
    "rate": "1.2500",
    "on": "2026-01-31",
    "at": "2026-01-31T09:00:00",
    "when": "09:00:00",
    "count": 1,
    "rows": [{"name": "나", "amount": 5}],
}
VALUE = Every(
    first=Row(name="가", amount=None),
    rate=Decimal("1.2500"),
    on=date(2026, 1, 31),
    at=datetime(2026, 1, 31, 9),  # noqa: DTZ001 - telegrams have no zone
    when=time(9),
    rows=[Row(name="나", amount=5)],
)


def test_a_value_and_its_plain_form_say_the_same() -> None:
    assert to_plain(VALUE) == PLAIN
    assert from_plain(Every, PLAIN) == VALUE


def test_counts_and_defaults_can_be_left_out_and_a_whole_number_is_a_decimal_too() -> None:
    short = {name: one for name, one in PLAIN.items() if name not in {"count", "at"}} | {"rate": 2}
    assert from_plain(Every, short) == VALUE.__replace__(at=None, rate=Decimal(2))


def test_a_large_decimal_has_all_its_digits_in_plain_form() -> None:
    assert to_plain(VALUE.__replace__(rate=Decimal("1E+3")))["rate"] == "1000"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rate": 1.25}, "rate: a whole number, or a text with a decimal number, has to be here"),
        ({"rate": "1,25"}, "rate: a whole number, or a text with a decimal number, has to be here"),
        ({"rate": True}, "rate: a whole number, or a text with a decimal number, has to be here"),
        ({"on": "31.01.2026"}, "on: a text such as 2026-01-31 has to be here"),
        ({"at": 5}, "at: a text such as 2026-01-31T09:00:00 has to be here"),
        ({"when": None}, "when: a text such as 09:00:00 has to be here"),
        ({"first": {"name": 1, "amount": 1}}, "first.name: a text has to be here"),
        ({"first": {"name": "가", "amount": True}}, "first.amount: a whole number has to be here"),
        ({"first": {"name": "가"}}, "first: Row lacks amount"),
        ({"first": []}, "first: an object of Row has to be here"),
        ({"rows": {"name": "나"}}, "rows: a list has to be here"),
        ({"rows": [{"name": "나", "amount": 5, "more": 1}]}, "rows[0].more: Row has no such field"),
        ({"reserve": None}, "reserve: Every has no such field"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        from_plain(Every, PLAIN | change)
    assert str(caught.value) == message
    assert caught.value.__context__ is None
