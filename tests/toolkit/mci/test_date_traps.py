"""Traps of dates in fixed-length telegrams: blank ones, zeros, and those that the calendar lacks (toolkit/B2)."""

from datetime import date, datetime, time
from typing import Annotated

import pytest

from axhub.toolkit.mci import Date, Layout
from support.layouts import refusal

pytestmark = pytest.mark.req("toolkit/B2")


class Moments(Layout):
    on: Annotated[date | None, Date()]
    at: Annotated[datetime | None, Date("YYYYMMDDHHMMSSmmm", none="0")]
    when: Annotated[time | None, Date("HHMMSS")]
    dashed: Annotated[date | None, Date("YYYY-MM-DD", none="0")]


def test_a_blank_date_and_one_of_zeros_are_none_but_midnight_is_not() -> None:
    nothing = Moments(on=None, at=None, when=None, dashed=None)
    assert nothing.encode() == b" " * 8 + b"0" * 17 + b" " * 6 + b"0000-00-00"
    assert Moments.decode(nothing.encode()) == nothing
    zeros = Moments.decode(b"0" * 31 + b"0000-00-00")
    assert zeros == Moments(on=None, at=None, when=time(0, 0, 0), dashed=None)


def test_dates_and_times_are_written_with_all_their_zeros() -> None:
    moment = datetime(987, 6, 5, 4, 3, 2, 1_999)  # noqa: DTZ001 - telegrams have no zone
    raw = Moments(on=moment.date(), at=moment, when=moment.time(), dashed=moment.date()).encode()
    assert raw == b"098706050987060504030200104030" + b"20987-06-05"


@pytest.mark.parametrize("raw", [b"20260229", b"20261301", b"20260100", b"99999999", b"00000101"])
def test_a_date_that_the_calendar_lacks_is_an_error(raw: bytes) -> None:
    class Day(Layout):
        on: Annotated[date | None, Date()]

    assert refusal(Day.decode, raw) == "Day.on @byte 0: there is no such moment (YYYYMMDD)"


@pytest.mark.parametrize("raw", [b"2026 101", b"2026-1-1", b"+2026101", "２６".encode() + b"01"])  # noqa: RUF001 - full-width digits
def test_a_date_is_digits(raw: bytes) -> None:
    class Day(Layout):
        on: Annotated[date, Date()]

    assert refusal(Day.decode, raw) == "Day.on @byte 0: it is not written as YYYYMMDD"


def test_a_date_and_a_moment_are_two_things() -> None:
    moment = datetime(2026, 1, 31, 9, 0, 0)  # noqa: DTZ001 - telegrams have no zone
    value = Moments(on=moment, at=moment, when=None, dashed=None)
    assert refusal(value.encode) == "Moments.on @byte 0: it takes date, and this is datetime"
