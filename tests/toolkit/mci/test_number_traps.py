"""Traps of numbers in fixed-length telegrams: digits, signs, decimal places, packed halves (toolkit/B2)."""

from decimal import Decimal, localcontext
from typing import Annotated, Any

import pytest

from axhub.toolkit.mci import Layout, Num, Packed, TelegramError
from support.layouts import refusal

pytestmark = pytest.mark.req("toolkit/B2")


class Amount(Layout):
    amount: Annotated[int, Num(5)]


@pytest.mark.parametrize("raw", ["１２".encode() + b"   ", b"1_000", b"  005", b"5    ", b"-0005", b"+0005", b"1e004"])  # noqa: RUF001 - full-width digits
def test_only_ascii_digits_are_a_number(raw: bytes) -> None:
    assert refusal(Amount.decode, raw[:5]) == "Amount.amount @byte 0: not all of it is ASCII digits"


def test_digits_are_told_by_bytes() -> None:
    class Arabic(Layout, charset="utf-8"):
        amount: Annotated[int, Num(4)]

    assert refusal(Arabic.decode, "١٢".encode()) == "Arabic.amount @byte 0: not all of it is ASCII digits"


def test_a_blank_number_is_none_or_an_error_and_never_zero() -> None:
    class Maybe(Layout):
        amount: Annotated[int | None, Num(5)]
        rate: Annotated[Decimal | None, Packed(2)]

    assert Maybe.decode(b" " * 7) == Maybe.decode(b"\0" * 7) == Maybe(amount=None, rate=None)
    assert Maybe(amount=None, rate=None).encode() == b" " * 7
    assert refusal(Amount.decode, b" " * 5) == "Amount.amount @byte 0: it is blank, and its type has no None"


@pytest.mark.parametrize(
    ("note", "minus", "plus"),
    [
        (Num(5, sign="leading"), b"-0012", b"+0012"),
        (Num(5, sign="leading", plus="0"), b"-0012", b"00012"),
        (Num(5, sign="leading", plus=" "), b"-0012", b" 0012"),
        (Num(5, sign="trailing"), b"0012-", b"0012+"),
        (Num(5, sign="trailing", plus=" "), b"0012-", b"0012 "),
        (Num(5, sign="overpunch"), b"0001K", b"0001B"),
        (Packed(3), b"\x00\x01\x2d", b"\x00\x01\x2c"),
    ],
)
def test_a_sign_has_its_place_and_zeros_never_stand_before_it(note: Num | Packed, minus: bytes, plus: bytes) -> None:
    class Signed(Layout):
        amount: Annotated[int, note]

    assert (Signed(amount=-12).encode(), Signed(amount=12).encode()) == (minus, plus)
    assert (Signed.decode(minus).amount, Signed.decode(plus).amount) == (-12, 12)
    wrong = b"000-5" if isinstance(note, Num) else b"\x00\x00\x50"
    with pytest.raises(TelegramError):
        Signed.decode(wrong)


@pytest.mark.parametrize(
    ("note", "raw"),
    [(Num(3, sign="leading"), b"-00"), (Num(3, sign="overpunch"), b"00}"), (Packed(2, scale=1), b"\x00\x0d")],
)
def test_there_is_no_negative_zero(note: Num | Packed, raw: bytes) -> None:
    class Signed(Layout):
        amount: Annotated[Decimal, note]

    assert "-" not in str(Signed.decode(raw).amount)


def test_the_last_digit_of_an_overpunched_number_may_have_no_sign() -> None:
    class Punched(Layout):
        amount: Annotated[int, Num(3, sign="overpunch")]

    read = [Punched.decode(raw).amount for raw in (b"123", b"12C", b"12L", b"12{", b"12}")]
    assert read == [123, 123, -123, 120, -120]


def test_decimal_places_are_laid_down_and_nothing_is_rounded() -> None:
    class Rate(Layout):
        rate: Annotated[Decimal, Num(7, scale=4)]

    assert Rate(rate=Decimal("1.25")).encode() == b"0012500"
    assert str(Rate.decode(b"0012500").rate) == "1.2500"
    assert refusal(Rate(rate=Decimal("1.23456")).encode) == "Rate.rate @byte 0: 5 decimal places do not fit in 4"
    assert Rate(rate=Decimal("1.2500000000")).encode() == b"0012500"
    long = Rate(rate=Decimal(f"0.{'1' * 200}"))
    assert refusal(long.encode) == "Rate.rate @byte 0: 200 decimal places do not fit in 4"
    assert Rate(rate=Decimal("1E+2")).encode() == Rate(rate=100).encode() == b"1000000"  # type: ignore[arg-type]  # a whole number is exact as well


def test_the_decimal_context_of_the_caller_changes_nothing() -> None:
    class Long(Layout):
        amount: Annotated[Decimal, Num(40, scale=2)]

    digits = b"1234567890" * 4
    with localcontext(prec=3):
        read = Long.decode(digits)
        assert str(read.amount) == "12345678901234567890123456789012345678.90"
        assert read.encode() == digits


@pytest.mark.parametrize("wrong", [1.0, True, "12", b"12", Decimal(1)])
def test_a_float_a_flag_and_a_text_are_no_whole_number(wrong: Any) -> None:
    said = f"Amount.amount @byte 0: it takes int, and this is {type(wrong).__name__}"
    assert refusal(Amount(amount=wrong).encode) == said


@pytest.mark.parametrize("digits", [6, 5000, 200_000])
def test_a_number_of_any_length_is_refused_at_once(digits: int) -> None:
    said = refusal(Amount(amount=10 ** (digits - 1)).encode)
    assert said == f"Amount.amount @byte 0: {digits} digits do not fit in 5"


@pytest.mark.parametrize(
    "text",
    ["NaN", "sNaN", "Infinity", "-Infinity", "1E+999999", "1E-999999", "1E-999999999999999999", "1" * 200 + ".5"],
)
def test_a_decimal_that_no_field_can_hold_is_refused_at_once(text: str) -> None:
    class Rate(Layout):
        rate: Annotated[Decimal, Num(7, scale=4)]

    assert refusal(Rate(rate=Decimal(text)).encode).startswith("Rate.rate @byte 0: ")


def test_a_packed_number_has_two_digits_a_byte_and_its_sign_in_the_last_half() -> None:
    class Two(Layout):
        signed: Annotated[Decimal, Packed(3, scale=2)]
        unsigned: Annotated[int, Packed(2, signed=False)]

    value = Two(signed=Decimal("-123.45"), unsigned=678)
    assert value.encode() == b"\x12\x34\x5d\x67\x8f"
    assert Two.decode(value.encode()) == value
    assert Two.decode(b"\x12\x34\x5f\x67\x8c") == Two(signed=Decimal("123.45"), unsigned=678)


@pytest.mark.parametrize("raw", [b"\x12\x3a\x5c", b"\x12\x34\x5a", b"\x12\x34\x5b", b"\x12\x34\x50"])
def test_other_half_bytes_are_no_packed_number(raw: bytes) -> None:
    class One(Layout):
        amount: Annotated[int, Packed(3)]

    assert refusal(One.decode, raw).startswith("One.amount @byte 0: its ")
