"""Where a telegram ends: each kind of length field, both ways, and lengths that are none (toolkit/B3)."""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.toolkit.config.settings import LengthField
from axhub.toolkit.connectors.mci.framing import Framing, FramingError, OversizeError

pytestmark = pytest.mark.req("toolkit/B3")

TEN: Final = b"0000000000"


def framing(kind: str, size: int, most: int = 1000, **more: Any) -> Framing:
    return Framing(LengthField(kind=kind, size=size, **more), most)


VARIANTS: Final = [
    (framing("ascii", 4), b"0010000000"),
    (framing("ascii", 4, includes_itself=False), b"0006000000"),
    (framing("ascii", 4, offset=3), b"0000010000"),
    (framing("ascii", 5, offset=2, includes_itself=False, correction=-2), b"0000003000"),
    (framing("ascii", 4, correction=7), b"0017000000"),
    (framing("ascii", 4, place="prefix"), b"00140000000000"),
    (framing("ascii", 4, place="prefix", includes_itself=False), b"00100000000000"),
    (framing("ascii", 4, place="prefix", includes_itself=False, correction=-1), b"00090000000000"),
    (framing("big", 2), b"\x00\x0a00000000"),
    (framing("big", 4, place="prefix", includes_itself=False), b"\x00\x00\x00\x0a0000000000"),
    (framing("big", 1, offset=9, includes_itself=False), b"000000000\x09"),
    (framing("little", 2), b"\x0a\x0000000000"),
    (framing("little", 2, place="prefix"), b"\x0c\x000000000000"),
    (framing("little", 3, place="prefix", correction=256), b"\x0d\x01\x000000000000"),
    (framing("bcd", 2), b"\x00\x1000000000"),
    (framing("bcd", 3, place="prefix", includes_itself=False), b"\x00\x00\x100000000000"),
    (framing("bcd", 1, offset=4, includes_itself=False), b"0000\x0900000"),
]


@pytest.mark.parametrize(("variant", "wire"), VARIANTS)
def test_a_length_is_written_as_the_other_side_counts_and_read_back(variant: Framing, wire: bytes) -> None:
    assert variant.framed(TEN) == wire
    assert variant.total(wire[: variant.head]) == len(wire)
    assert variant.total(memoryview(wire + b"more")) == len(wire)
    telegram = variant.telegram(wire)
    assert len(telegram) == 10
    assert telegram == wire[-10:]


def test_without_a_length_a_telegram_goes_as_it_is() -> None:
    plain = Framing(LengthField(), 10)
    assert plain.framed(TEN) == TEN
    assert plain.telegram(TEN) == TEN
    assert (plain.is_none, plain.head, plain.most) == (True, 0, 10)


@given(
    kind=st.sampled_from(["ascii", "big", "little", "bcd"]),
    place=st.sampled_from(["header", "prefix"]),
    includes_itself=st.booleans(),
    correction=st.integers(-4, 60),
    offset=st.integers(0, 20),
    telegram=st.binary(min_size=30, max_size=3000),
)
def test_whatever_is_written_is_read_back(
    kind: str, place: str, includes_itself: bool, correction: int, offset: int, telegram: bytes
) -> None:
    there = 0 if place == "prefix" else offset
    field = LengthField(
        kind=kind, place=place, offset=there, size=4, includes_itself=includes_itself, correction=correction
    )
    variant = Framing(field, 3000)
    wire = variant.framed(telegram)
    assert variant.total(wire[: variant.head]) == len(wire)
    read = variant.telegram(wire)
    if place == "prefix":
        assert read == telegram
    else:
        assert read[:there] + read[there + 4 :] == telegram[:there] + telegram[there + 4 :]


@pytest.mark.parametrize(
    ("variant", "head", "message"),
    [
        (framing("ascii", 4), b" 010", "the length field of the answer holds no number (ascii)"),
        (framing("ascii", 4), b"+010", "the length field of the answer holds no number (ascii)"),
        (framing("ascii", 4), b"\xa3\xb1\xa3\xb1", "the length field of the answer holds no number (ascii)"),
        (framing("ascii", 4), b"1_00", "the length field of the answer holds no number (ascii)"),
        (framing("bcd", 2), b"\x00\x1c", "the length field of the answer holds no number (bcd)"),
        (framing("ascii", 4), b"0003", "the length field of the answer says less than the bytes before its end"),
        (framing("big", 2), b"\0\0", "the length field of the answer says less than the bytes before its end"),
        (
            framing("ascii", 4, correction=60),
            b"0004",
            "the length field of the answer says less than the bytes before its end",
        ),
    ],
)
def test_a_length_that_is_none_is_refused(variant: Framing, head: bytes, message: str) -> None:
    with pytest.raises(FramingError) as caught:
        variant.total(head)
    assert (str(caught.value), type(caught.value)) == (message, FramingError)


@pytest.mark.parametrize(
    ("variant", "head", "said"),
    [
        (framing("ascii", 4), b"1001", 1001),
        (framing("ascii", 4, place="prefix", includes_itself=False), b"1001", 1001),
        (framing("big", 8), b"\xff" * 8, 2**64 - 1),
        (framing("little", 4, place="prefix"), b"\xed\x03\0\0", 1001),
    ],
)
def test_a_length_beyond_the_bound_is_told_before_anything_is_read(variant: Framing, head: bytes, said: int) -> None:
    with pytest.raises(OversizeError) as caught:
        variant.total(head)
    assert str(caught.value) == f"the answer says that it has {said} bytes, more than 1000"


@pytest.mark.parametrize(
    ("variant", "telegram", "message"),
    [
        (framing("ascii", 4), b"0" * 1001, "the telegram has 1001 bytes, more than 1000"),
        (framing("ascii", 2), b"0" * 100, "the telegram's length, 100, does not fit in 2 bytes (ascii)"),
        (framing("big", 1), b"0" * 256, "the telegram's length, 256, does not fit in 1 bytes (big)"),
        (framing("bcd", 1), b"0" * 100, "the telegram's length, 100, does not fit in 1 bytes (bcd)"),
        (
            framing("ascii", 4, correction=-11),
            TEN,
            "the telegram's length, -1, does not fit in 4 bytes (ascii)",
        ),
        (framing("ascii", 4, offset=8), TEN, "the telegram has 10 bytes, and its length field would end after byte 12"),
    ],
)
def test_a_length_that_cannot_be_written_is_refused(variant: Framing, telegram: bytes, message: str) -> None:
    with pytest.raises(FramingError) as caught:
        variant.framed(telegram)
    assert str(caught.value) == message
