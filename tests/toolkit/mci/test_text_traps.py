"""Traps of text in fixed-length telegrams: what other codecs get wrong without a word (toolkit/B2)."""

import unicodedata
from typing import Annotated, Any

import pytest

from axhub.toolkit.mci import Layout, Text
from support.layouts import refusal

pytestmark = pytest.mark.req("toolkit/B2")


class Name(Layout):
    name: Annotated[str, Text(6)]


class LooseName(Layout, charset="cp949"):
    name: Annotated[str, Text(6)]


class CutName(Layout):
    name: Annotated[str, Text(5, overflow="cut")]


class Forgiving(Layout):
    name: Annotated[str, Text(5, on_bad_tail="drop")]


class Note(Layout, substitutions=True):
    note: Annotated[str, Text(12)]


@pytest.mark.parametrize("character", ["뷁", "똠"])
def test_a_syllable_that_ks_x_1001_lacks_is_refused_in_euc_kr_and_two_bytes_in_cp949(character: str) -> None:
    said = f"U+{ord(character):04X} is not in euc-kr"
    assert refusal(Name(name=character).encode) == f"Name.name @byte 0: {said}"
    raw = LooseName(name=character).encode()
    assert (len(raw.rstrip()), LooseName.decode(raw).name) == (2, character)
    assert refusal(Name.decode, raw) == "Name.name @byte 0: from its byte 0 on it is not euc-kr"


def test_the_eight_bytes_in_which_some_write_such_a_syllable_are_not_taken_for_four_letters() -> None:
    class Wide(Layout):
        name: Annotated[str, Text(8)]

    raw = b"\xa4\xd4\xa4\xb2\xa4\xce\xa4\xaa"
    assert raw.decode("euc_kr") == "뷁"
    assert refusal(Wide.decode, raw) == "Wide.name @byte 0: from its byte 0 on it is not euc-kr"


@pytest.mark.parametrize("character", ["👍", "₩", "\xa0", "—", "ｶ"])
@pytest.mark.parametrize("layout", [Name, LooseName])
def test_a_character_that_the_charset_lacks_is_an_error_and_no_question_mark(
    layout: type[Name] | type[LooseName], character: str
) -> None:
    value = layout(name=character)
    said = f"U+{ord(character):04X} is not in {layout.__charset__}"
    assert refusal(value.encode) == f"{layout.__name__}.name @byte 0: {said}"


def test_look_alikes_are_written_only_where_the_layout_asks_for_them() -> None:
    assert Note.decode(Note(note="₩1\xa0—2").encode()).note == "￦1 ―2"


def test_letters_apart_as_macos_has_them_are_composed_first() -> None:
    apart = unicodedata.normalize("NFD", "각하")
    assert len(apart) == 5
    assert Name(name=apart).encode() == Name(name="각하").encode()


def test_bytes_are_counted_and_not_characters() -> None:
    assert refusal(Name(name="홍길동전").encode) == "Name.name @byte 0: 8 bytes do not fit in 6"
    assert len(Name(name="홍길동").encode()) == 6


@pytest.mark.parametrize(
    ("text", "raw"), [("홍길동", "홍길 "), ("abcdef", "abcde"), ("a홍길동", "a홍길"), ("ab홍길", "ab홍 ")]
)
def test_a_text_that_may_be_cut_is_cut_between_characters(text: str, raw: str) -> None:
    assert CutName(name=text).encode() == raw.encode("cp949")


def test_cutting_does_not_hide_a_character_that_the_charset_lacks() -> None:
    assert refusal(CutName(name="홍길동👍").encode) == "CutName.name @byte 0: U+1F44D is not in euc-kr"


def test_half_a_character_at_the_end_is_an_error_or_left_out_and_never_another_character() -> None:
    raw = "홍길동".encode("cp949")[:5]
    assert refusal(CutName.decode, raw) == "CutName.name @byte 0: it ends within a character"
    assert Forgiving.decode(raw).name == "홍길"


@pytest.mark.parametrize("raw", [b"ab\xb0\xff ", b"\xff    ", b"a\x80   ", b"\xb0a\xb0\xa1\xb0"])
def test_only_one_orphaned_lead_byte_at_the_very_end_is_left_out(raw: bytes) -> None:
    assert "is not euc-kr" in refusal(Forgiving.decode, raw)


def test_a_lead_byte_before_the_next_field_invents_no_syllable() -> None:
    class Two(Layout, charset="cp949"):
        name: Annotated[str, Text(3)]
        mark: Annotated[str, Text(1)]

    raw = b"ab\x81A"
    assert raw.decode("cp949") == "ab갂"
    assert refusal(Two.decode, raw) == "Two.name @byte 0: it ends within a character"


def test_half_a_character_of_utf_8_is_left_out_too_where_that_is_asked_for() -> None:
    class Utf(Layout, charset="utf-8"):
        name: Annotated[str, Text(5, on_bad_tail="drop")]

    assert Utf.decode("홍길".encode()[:5]).name == "홍"


@pytest.mark.parametrize(
    ("note", "raw", "read"),
    [
        (Text(6), b" ab   ", " ab"),
        (Text(6), b"ab\0\0\0\0", "ab\0\0\0\0"),
        (Text(6, trim=" \0"), b"ab \0\0 ", "ab"),
        (Text(6, pad="\0"), b"ab\0\0\0\0", "ab"),
        (Text(6, pad="\u3000"), b"ab\xa1\xa1\xa1\xa1", "ab"),
        (Text(6, pad="\u3000", align="right"), b"\xa1\xa1\xa1\xa1ab", "ab"),
        (Text(6, align="right"), b"   ab ", "ab "),
        (Text(6, pad="0", align="right"), b"000120", "120"),
        (Text(6, trim=""), b"ab    ", "ab    "),
    ],
)
def test_the_pad_is_what_the_field_says_and_nothing_else_is_taken_off(note: Text, raw: bytes, read: str) -> None:
    class Padded(Layout):
        text: Annotated[str, note]

    assert Padded.decode(raw).text == read
    assert Padded.decode(Padded(text=read).encode()).text == read


@pytest.mark.parametrize("pad", [" ", "\0", "0", "\u3000"])
@pytest.mark.parametrize("align", ["left", "right"])
@pytest.mark.parametrize("raw", [b"\0" * 6, b"\0\0\0   ", b"   \0\0\0", b" \0  \0 "])
def test_a_field_that_a_host_never_wrote_is_blank(pad: Any, align: Any, raw: bytes) -> None:
    class Unset(Layout):
        name: Annotated[str, Text(6, pad=pad, align=align)]
        maybe: Annotated[str | None, Text(6, pad=pad, align=align)]

    assert Unset.decode(raw * 2) == Unset(name="", maybe=None)


def test_a_field_whose_pad_is_told_keeps_its_nuls() -> None:
    class Kept(Layout):
        name: Annotated[str | None, Text(4, trim=" ")]

    assert Kept.decode(b"\0\0  ").name == "\0\0"


def test_where_a_full_width_pad_has_no_room_there_is_a_space() -> None:
    class Wide(Layout):
        name: Annotated[str, Text(6, pad="\u3000")]

    raw = Wide(name="a").encode()
    assert raw == b"a\xa1\xa1\xa1\xa1 "
    assert Wide.decode(raw).name == "a"
