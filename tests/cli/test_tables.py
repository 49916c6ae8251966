"""Tables: every line as wide as the terminal draws it."""

import io
import os
import pty

import pytest
from wcwidth import width

from axhub.cli.tables import Column, bold, cut, one_line, safe_text, table, terminal_width, text_width, wants_colour

pytestmark = pytest.mark.req("gateway/C5")

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


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"TERM": "xterm"}, True),
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colours_need_a_terminal_and_a_user_who_wants_them(environ: dict[str, str], wanted: bool) -> None:
    leader, follower = pty.openpty()
    with os.fdopen(leader, "w") as _, os.fdopen(follower, "w") as terminal:
        assert wants_colour(terminal, environ) is wanted
    assert wants_colour(io.StringIO(), environ) is False


def test_only_a_terminal_has_a_width_to_fit_into() -> None:
    leader, follower = pty.openpty()
    with os.fdopen(leader, "w") as _, os.fdopen(follower, "w") as terminal:
        assert isinstance(terminal_width(terminal), int)
    assert terminal_width(io.StringIO()) is None


def test_emphasis_is_a_matter_of_colour() -> None:
    assert (bold("x", True), bold("x", False)) == ("\x1b[1mx\x1b[0m", "x")
