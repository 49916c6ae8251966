"""What a model writes is given on as it comes, in whole characters, wherever it is cut into pieces (agent/A10)."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.small_model.unfolding import Arguments, Call, Piece, Text, Unfolding


def unfolded(written: str, cuts: list[int]) -> tuple[list[Piece], bool]:
    """Write a text in pieces that end at these places."""
    unfolding = Unfolding()
    ends = sorted({0, len(written), *(cut for cut in cuts if cut < len(written))})
    pieces = [piece for start, end in pairwise(ends) for piece in unfolding.add(written[start:end])]
    return pieces, unfolding.is_whole


cut_lists = st.lists(st.integers(0, 80))


@given(st.text(min_size=1, max_size=40), cut_lists, st.booleans())
def test_a_text_comes_whole_and_each_piece_of_it_can_be_sent(text: str, cuts: list[int], is_ascii: bool) -> None:
    pieces, is_whole = unfolded(json.dumps({"answer": text}, ensure_ascii=is_ascii, indent=1), cuts)
    said = [piece.text for piece in pieces if isinstance(piece, Text)]
    assert ("".join(said), len(said), is_whole) == (text, len(pieces), True)
    assert all(one.encode() for one in said)


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.integers() | st.none()), cut_lists)
def test_a_call_comes_with_its_name_first_and_its_arguments_to_the_last_character(
    arguments: dict[str, object], cuts: list[int]
) -> None:
    pieces, is_whole = unfolded(json.dumps({"tool": "find", "arguments": arguments}, ensure_ascii=False), cuts)
    name, *rest = pieces
    assert name == Call("find")
    assert {type(piece) for piece in rest} == {Arguments}
    written = "".join(piece.text for piece in rest if isinstance(piece, Arguments))
    assert (json.loads(written), is_whole) == (arguments, True)


@pytest.mark.parametrize(
    ("written", "pieces"),
    [
        ("", []),
        ('{ "answer" : ', []),
        ('{"answer": "half of an \\u00', [Text("half of an ")]),
        ('{"answer": "half of a pair \\ud83d', [Text("half of a pair ")]),
        ('{"tool": "find", "arguments": {"a": "b', [Call("find"), Arguments('{"a": "b')]),
        ('{"tool": "find"', []),
        ("nothing of the kind", []),
    ],
)
def test_what_was_cut_is_given_as_far_as_it_came_and_is_not_whole(written: str, pieces: list[Piece]) -> None:
    assert unfolded(written, []) == (pieces, False)
