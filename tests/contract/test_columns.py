"""Columns of text: every line as wide as it is drawn."""

import pytest
from wcwidth import width

from axhub.contract.columns import Column, cut, one_line, safe_text, table, text_width

pytestmark = pytest.mark.req("gateway/C5", "toolkit/B1")

TWO = (Column("NAME", 20), Column("TITLE", 8))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("plain", 5),
        ("계약조회", 8),
        ("e\u0301", 1),
        ("\u1100\u1161\u11a8", 2),
        ("👍", 2),
        ("👩\u200d👩\u200d👧", 2),
        ("❤\ufe0f", 2),
        ("🇰🇷", 2),
        ("", 0),
    ],
)
def test_a_text_is_as_wide_as_it_is_drawn(text: str, columns: int) -> None:
    assert text_width(text) == columns


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("계약조회", 8, "계약조회"),
        ("계약조회", 7, "계약조…"),
        ("계약조회", 6, "계약…"),
        ("abc", 2, "a…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("👩\u200d👩\u200d👧👍", 3, "👩\u200d👩\u200d👧…"),
        ("한a", 2, "…"),
    ],
)
def test_a_cut_text_keeps_whole_characters_and_never_exceeds_its_columns(text: str, limit: int, shown: str) -> None:
    assert cut(text, limit) == shown
    assert text_width(shown) <= limit


def test_columns_line_up_under_their_titles_whatever_the_script() -> None:
    lines = table(TWO, [("ins_get", "계약 조회"), ("find", "찾기 👍")])
    assert lines == ["NAME     TITLE", "ins_get  계약 조회", "find     찾기 👍"]


def test_the_last_column_gives_way_first_when_the_terminal_is_narrow() -> None:
    lines = table(TWO, [("ins_contract_get", "계약 상세를 조회합니다"), ("b", "짧음")], limit=30)
    assert lines == ["NAME              TITLE", "ins_contract_get  계약 상세를…", "b                 짧음"]
    assert all(width(line) <= 30 for line in lines)


def test_no_line_is_longer_than_a_terminal_that_is_too_narrow_for_the_least_widths() -> None:
    lines = table(TWO, [("ins_contract_get", "계약 상세를 조회합니다")], limit=12)
    assert lines == ["NAME       …", "ins_contrac…"]


def test_without_a_terminal_nothing_is_cut() -> None:
    assert table(TWO, [("n" * 300, "t" * 300)])[1] == "n" * 300 + "  " + "t" * 300


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand\r\nmore ", "two lines and more"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("c1\x9b2J", "c12J"),
        ("turned \u202eback", "turned back"),
        ("bell\x07", "bell"),
    ],
)
def test_a_cell_is_one_line_that_cannot_steer_the_terminal(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_longer_texts_keep_their_lines_and_lose_what_a_terminal_obeys() -> None:
    assert safe_text("a\n\tb\x1b]0;title\x07c\r") == "a\n\tb]0;titlec"
