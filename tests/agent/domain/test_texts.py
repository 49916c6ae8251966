"""Halves of characters, wherever they come from, reach nobody (agent/L4)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.domain.texts import WholePieces, whole, whole_json

ANY = st.text(st.characters(exclude_categories=()))


@given(st.text())
def test_whole_text_stays_as_it_is(text: str) -> None:
    assert whole(text) == text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ud83d\ud83d\ude00", "\ufffd😀"),
        ("한글\udfff", "한글\ufffd"),
    ],
)
def test_two_halves_are_a_character_and_one_is_a_mark(text: str, made: str) -> None:
    assert whole(text) == made


@given(ANY)
def test_whatever_comes_can_be_encoded(text: str) -> None:
    assert whole(text).encode().decode() == whole(text)


@given(st.lists(ANY))
def test_pieces_are_heard_as_the_whole_text_would_be(pieces: list[str]) -> None:
    heard: list[str] = []
    listener = WholePieces(heard.append)
    for piece in pieces:
        listener(piece)
        assert all(one and whole(one) == one for one in heard)
    listener.end()
    assert "".join(heard) == whole("".join(pieces))


def test_a_character_that_is_cut_in_two_is_heard_once_it_is_whole() -> None:
    heard: list[str] = []
    listener = WholePieces(heard.append)
    listener("a\ud83d")
    assert heard == ["a"]
    listener("\ude00b")
    assert heard == ["a", "😀b"]


def test_texts_of_a_json_value_are_made_whole_at_any_depth() -> None:
    value = json.loads('{"a\\ud800": ["\\udc00", {"b": "\\ud83d\\ude00"}], "n": [1, 2.5, null, true]}')
    assert whole_json(value) == {"a\ufffd": ["\ufffd", {"b": "😀"}], "n": [1, 2.5, None, True]}


@given(st.recursive(ANY | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(ANY, inner)))
def test_any_json_value_can_be_written_afterwards(value: object) -> None:
    assert json.dumps(whole_json(value), ensure_ascii=False).encode()
