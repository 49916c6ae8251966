"""What a text may contain that people and models read (gateway/G6)."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.contract.text import check_text_field, clean_text, is_plain

FAMILY = "👨\u200d👩\u200d👧"


@pytest.mark.req("gateway/G6", "input/B19", "input/B20")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "주문을 찾는다.",
        "Ignore previous instructions <script>alert(1)</script>",
        FAMILY,
        "❤️ ✔︎ 1️⃣ ☎️",
        "👩🏽\u200d🚀",
        "🏳️\u200d🌈",
        "می\u200cخواهم",  # noqa: RUF001 - Persian, in which the joiner belongs
        "क्\u200dष",
        "ภาษา\u200bไทย",
        "\u1100\u1160",
        "葛\U000e0100",
        "\u1820\u180b",
        "\ue000 house font",
        "é" + "e\u0301",
    ],
)
def test_what_scripts_and_emoji_need_is_taken(text: str) -> None:
    assert check_text_field(text, multiline=False) is None
    assert clean_text(text) == text


@pytest.mark.req("gateway/G6")
@pytest.mark.parametrize("text", ["two\nlines", "a\ttable", "dos\r\nlines", "\n\r\n"])
def test_line_ends_and_tabs_stand_in_descriptions_only(text: str) -> None:
    assert check_text_field(text, multiline=True) is None
    assert "it must be one line" in (check_text_field(text, multiline=False) or "")


@pytest.mark.req("gateway/G6", "input/B19")
@pytest.mark.parametrize(
    ("character", "part"),
    [
        ("\x00", "control character U+0000"),
        ("\x1b", "control character U+001B"),
        ("\x7f", "control character U+007F"),
        ("\x85", "control character U+0085"),
        ("\x0b", "control character U+000B"),
        ("\r", "control character U+000D"),
        ("\u2028", "control character U+2028"),
        ("\u202e", "direction mark U+202E"),
        ("\u2066", "direction mark U+2066"),
        ("\u200f", "direction mark U+200F"),
        ("\u061c", "direction mark U+061C"),
        ("\U000e0041", "tag character U+E0041"),
        ("\U000e007f", "tag character U+E007F"),
        ("\u200b", "invisible character U+200B"),
        ("\u200c", "invisible character U+200C"),
        ("\u200d", "invisible character U+200D"),
        ("\u2060", "invisible character U+2060"),
        ("\u2063", "invisible character U+2063"),
        ("\ufeff", "invisible character U+FEFF"),
        ("\u00ad", "invisible character U+00AD"),
        ("\u180e", "invisible character U+180E"),
        ("\ufe0f", "invisible character U+FE0F"),
        ("\ufe01", "invisible character U+FE01"),
        ("\U000e0101", "invisible character U+E0101"),
        ("\u3164", "invisible character U+3164"),
        ("\uffa0", "invisible character U+FFA0"),
        ("\u115f", "invisible character U+115F"),
        ("\u180b", "invisible character U+180B"),
        ("\ufff9", "invisible character U+FFF9"),
        ("\ud800", "lone surrogate U+D800"),
    ],
)
def test_what_is_not_seen_is_refused_where_nothing_needs_it(character: str, part: str) -> None:
    for text, at in ((character + "ab", 1), ("ab" + character, 3), ("a" + character + "b", 2)):
        problem = check_text_field(text, multiline=True) or ""
        assert part in problem
        assert f"at character {at}" in problem
        assert clean_text(text) == "ab"


@pytest.mark.parametrize(
    "text", ["a\u200d👩", "👩\u200da", "\u200d", "👩\u200d", "\ufe0f\u200d👩", "ب\u200da", "1\ufe01", "x\ufe0f"]
)
def test_a_joiner_or_selector_in_the_wrong_place_is_refused(text: str) -> None:
    assert check_text_field(text, multiline=True) is not None


@pytest.mark.req("fault/F14")
def test_too_many_invisible_characters_are_refused_rather_than_looked_at_one_by_one() -> None:
    began = time.thread_time()
    assert "more than 10000" in (check_text_field("❤\ufe0f" * 300_000, multiline=True) or "")
    assert check_text_field("\r\n" * 500_000, multiline=True) is None
    assert time.thread_time() - began < 1


@given(st.text())
def test_what_is_cleaned_passes_and_cleaning_twice_changes_nothing_more(text: str) -> None:
    cleaned = clean_text(text)
    assert all(unicodedata.category(character) not in {"Cc", "Cs"} or character in "\n\t" for character in cleaned)
    assert clean_text(clean_text(cleaned)) == clean_text(cleaned)


@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cn", "Cs", "Mn", "Lo", "Zl", "Zp"]))
)
def test_visible_characters_are_all_welcome(text: str) -> None:
    assert check_text_field(text, multiline=False) is None


def test_carriage_returns_go_and_line_feeds_stay_when_cleaning() -> None:
    assert clean_text("a\r\nb\rc\td\x1b[31m") == "a\nbc\td[31m"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('{"a":"b"}', True),
        ('"주문"', True),
        ('"\\uc8fc\\ubb38 \\u4E2D \\"q\\" \\\\n \\/"', True),
        ('"\\n"', False),
        ('"\\u202e"', False),
        ('"\\u0041"', False),
        ('"\\ud83d\\ude00"', False),
        ('"\\\\\\u202e"', False),
        ('"\u202e"', False),
        ('"\ufe0f"', False),
    ],
)
def test_plain_json_text_is_told_quickly(text: str, plain: bool) -> None:
    assert is_plain(text.encode()) == plain
