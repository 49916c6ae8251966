"""Texts as they are compared: characters and pairs, words with their stems, what a description lacks."""

import pytest

from axhub.toolkit.selection.grams import grams, runs
from axhub.toolkit.selection.likeness import Likeness, Overlap, units
from axhub.toolkit.selection.missing import missing_words


def test_a_text_is_its_characters_and_pairs_of_them_within_a_word() -> None:
    assert grams("청구 상태") == ["청", "구", "청구", "상", "태", "상태"]
    assert grams("") == grams(" \n-_!") == []


def test_case_width_and_way_of_composing_make_no_difference() -> None:
    decomposed, composed = "\u110e\u1165\u11bc\u1100\u116e", "\uccad\uad6c"
    assert runs(decomposed) == runs(composed) == ["청구"]
    assert grams("\uff21\uff22-1") == grams("ab 1") == ["a", "b", "ab", "1"]


@pytest.mark.parametrize(
    ("query", "description", "missing"),
    [
        ("내 보험금 청구가 어디까지 진행됐는지 알려줘", "보험금 청구의 진행 상태를 조회한다.", ()),
        ("서른다섯 살이면 보험료가 얼마쯤 나올까", "가입 나이로 보험료를 계산한다.", ("서른다섯", "살이면")),
        ("골절 골절 진단비", "보장 내용", ("골절", "진단비")),
        ("Has the claim been settled?", "Looks up claims.", ("settled",)),
        ("claims", "Looks up one claim.", ()),
        ("8월 10일 CLM20 조회해줘", "환율", ("clm20",)),
        ("", "환율", ()),
    ],
)
def test_words_that_a_description_lacks_are_found(query: str, description: str, missing: tuple[str, ...]) -> None:
    assert missing_words(query, description) == missing


def test_texts_are_made_of_stems_and_of_pairs_of_syllables() -> None:
    assert units("Looks up claims.", "the claim") == {"claim"}
    assert units("환율 조회", "USD 7") == {"환율", "율조", "조회", "usd"}


def test_each_pair_of_texts_is_compared_with_what_both_hold() -> None:
    likeness = Likeness(
        {"b": frozenset({"claim", "상태"}), "a": frozenset({"claim", "상태", "이력"}), "c": frozenset()}
    )
    assert list(likeness.beside("b")) == [("a", Overlap(common=2, all=3, hangul=2))]
    assert list(likeness.beside("c")) == []
    assert next(likeness.beside("a"))[1].share == pytest.approx(2 / 3)


def test_the_others_come_by_name() -> None:
    likeness = Likeness({name: frozenset({"claim"}) for name in "cab"})
    assert [name for name, _ in likeness.beside("b")] == ["a", "c"]
