"""Whatever somebody writes: on the page it is text, and all of it can be seen."""

import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from order_service.adapters.http import page_words, problems
from order_service.adapters.http.html import Html, element, visible
from order_service.adapters.http.sessions import field_for, pasted_token
from order_service.adapters.http.words import Text

UNSEEN = {"Cc", "Cf", "Cn", "Co", "Zl", "Zp"}


class Seen(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""
        self.original = ""
        self._in_mark = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))
        self._in_mark = tag == "mark"

    def handle_endtag(self, tag: str) -> None:
        self._in_mark = False

    def handle_data(self, data: str) -> None:
        self.text += data
        self.original += chr(int(data[3:-1], 16)) if self._in_mark else data


@given(st.text())
@pytest.mark.req("threat/T30")
def test_any_text_stays_text_and_is_seen(text: str) -> None:
    seen = Seen(element("p", visible(text)))
    assert {tag for tag, _ in seen.tags} <= {"p", "mark"}
    assert [one for one in seen.text if one != "\n" and unicodedata.category(one) in UNSEEN] == []
    assert seen.original == text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_value_of_an_attribute_stays_its_value(value: str) -> None:
    assert Seen(element("input", value=value)).tags == [("input", [("value", value)])]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("refund ORD-100\nnow", "refund ORD-100\nnow"),
        ("무선 키보드 — 89,000", "무선 키보드 — 89,000"),
        ("a\u202eb", "a[U+202E]b"),
        ("a\u200db", "a[U+200D]b"),
        ("a\u00a0b", "a[U+00A0]b"),
        ("a\u3164b", "a[U+3164]b"),
        ("a\ufeffb", "a[U+FEFF]b"),
        ("a\x00\x1bb", "a[U+0000][U+001B]b"),
        ("a\r\tb", "a[U+000D][U+0009]b"),
        ("a\U000e0041b", "a[U+E0041]b"),
        ("<b>&amp;", "<b>&amp;"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert Seen(visible(text)).text == shown


def test_only_what_is_html_already_is_not_escaped() -> None:
    assert element("p", "<b>", Html("<i>"), class_='a"b', aria_label="<") == (
        '<p class="a&quot;b" aria-label="&lt;">&lt;b&gt;<i></p>'
    )


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("a.b.c", "a.b.c"),
        (" Bearer a.b.c \n", "a.b.c"),
        ("", None),
        ("Bearer", "Bearer"),
        ("a b", None),
        ("a;b", None),
        ("a\r\nSet-Cookie: x", None),
        ("x" * 3800, "x" * 3800),
        ("x" * 3801, None),
    ],
)
def test_which_pasted_texts_are_tokens(text: str, token: str | None) -> None:
    assert pasted_token(text) == token


def test_the_field_of_a_form_is_another_for_each_browser_and_tells_nothing() -> None:
    assert field_for("secret") == field_for("secret")
    assert field_for("secret") != field_for("secret2")
    assert "secret" not in field_for("secret")


def test_each_text_is_there_in_both_languages() -> None:
    texts = [one for module in (page_words, problems) for one in vars(module).values()]
    said = [one if isinstance(one, Text) else one.title for one in texts if isinstance(one, Text | problems.Problem)]
    assert len(said) > 30
    assert [one.en for one in said if not one.en or not any("가" <= letter <= "힣" for letter in one.ko)] == []
