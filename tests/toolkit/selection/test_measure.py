"""Queries against descriptions: ranks, ties, recall, confusions and neighbours, in Korean and in English."""

from math import log

import pytest

from axhub.toolkit.facts.source import Place
from axhub.toolkit.selection import Asked, Described, Measurement, measured
from axhub.toolkit.selection.measure import Near
from axhub.toolkit.selection.ranking import Ranking

KOREAN = {
    "claim": "보험금 청구 상태 조회. 청구번호로 보험금 청구의 진행 상태와 심사 결과를 조회한다.",
    "rate": "환율 조회. 통화와 기준일로 고시 환율을 조회한다.",
    "branch": "지점 찾기. 지역 이름으로 지점과 영업 시간을 찾는다.",
    "notice": "공지 조회. 게시 중인 공지의 제목을 조회한다.",
}
ENGLISH = {
    "claim": "Claim status. Looks up how far an insurance claim has got and whether it was paid.",
    "rate": "Exchange rate. Shows the official rate of a currency on a day.",
    "branch": "Find a branch. Finds branches by district with their opening hours.",
    "notice": "Notices. Lists announcements for staff, newest first.",
}


def measure(texts: dict[str, str], *queries: tuple[str, str]) -> Measurement:
    tools = tuple(Described(name, name.title(), text) for name, text in texts.items())
    return measured(tools, tuple(Asked(query, tool, Place("a.yml", at)) for at, (tool, query) in enumerate(queries, 1)))


@pytest.mark.parametrize(
    ("texts", "queries"),
    [
        (
            KOREAN,
            [("claim", "내 청구 어디까지 됐어"), ("rate", "오늘 달러 환율이 얼마야"), ("branch", "가까운 지점 알려줘")],
        ),
        (ENGLISH, [("claim", "how far is my claim"), ("rate", "what is the euro rate"), ("branch", "nearest branch")]),
    ],
    ids=["Korean", "English"],
)
def test_queries_find_the_tool_that_has_their_words(texts: dict[str, str], queries: list[tuple[str, str]]) -> None:
    found = measure(texts, *queries)
    assert [(one.rank, one.first, one.missing) for one in found.ranked] == [(1, tool, ()) for tool, _ in queries]
    assert (found.recall(1), found.recall(3), found.mutual) == (1.0, 1.0, ())


def test_a_query_that_another_tool_answers_better_names_it_and_what_is_missing() -> None:
    found = measure(KOREAN, ("rate", "보험금 심사 결과"))
    assert [(one.rank, one.first, one.missing) for one in found.ranked] == [(4, "claim", ("보험금", "심사", "결과"))]
    assert (found.recall(1), found.recall(3)) == (0.0, 0.0)


def test_a_tie_counts_against_the_tool() -> None:
    found = measure({"a": "환율 조회", "b": "환율 조회", "c": "지점"}, ("a", "환율"), ("b", "환율"), ("c", "환율"))
    assert [(one.rank, one.first) for one in found.ranked] == [(2, "b"), (2, "a"), (3, "a")]
    assert found.mutual == (("a", "b"),)


def test_a_query_that_shares_nothing_with_any_tool_is_last() -> None:
    assert [one.rank for one in measure(KOREAN, ("claim", "xyz")).ranked] == [4]


def test_a_single_tool_is_always_first() -> None:
    found = measure({"a": "환율"}, ("a", "지점"))
    assert ([one.rank for one in found.ranked], found.nearest) == ([1], {})


def test_figures_are_those_of_all_queries_or_of_one_tool() -> None:
    found = measure(KOREAN, ("rate", "환율"), ("rate", "보험금 심사 결과"), ("claim", "보험금 청구"))
    assert (found.recall(1), found.recall(1, "rate"), found.recall(1, "claim")) == (2 / 3, 0.5, 1.0)
    assert (found.ranks("rate"), found.recall(3, "notice"), found.ranks("notice")) == ((1, 4), None, ())


def test_the_confusion_matrix_has_no_zeros() -> None:
    found = measure(KOREAN, ("rate", "환율"), ("rate", "보험금"), ("claim", "통화 환율"))
    assert found.confusion == {("claim", "rate"): 1, ("rate", "claim"): 1, ("rate", "rate"): 1}
    assert found.mutual == (("claim", "rate"),)


def test_each_tool_has_the_one_that_reads_most_like_it() -> None:
    found = measure({"c": "달러 환율", "a": "달러 환율", "b": "달러 지점", "d": "xyz"})
    assert found.nearest == {"a": Near("c", 1.0), "b": Near("a", 1 / 5), "c": Near("a", 1.0)}
    assert found.tools == ("a", "b", "c", "d")


def test_rare_characters_weigh_more_and_long_texts_less() -> None:
    scores = Ranking({"short": "가나", "long": "가나 다라마바사", "other": "다라"}).scores("가")
    assert scores["short"] > scores["long"] > scores["other"] == 0.0
    rare, common = (
        Ranking({"x": "가", "y": "나", "z": "나"}).scores("가"),
        Ranking({"x": "가", "y": "나", "z": "나"}).scores("나"),
    )
    assert rare == {"x": pytest.approx(log(1 + 2.5 / 1.5)), "y": 0.0, "z": 0.0}
    assert common == {"x": 0.0, "y": pytest.approx(log(1 + 1.5 / 2.5)), "z": pytest.approx(log(1 + 1.5 / 2.5))}


def test_texts_without_a_character_can_be_ranked_too() -> None:
    assert Ranking({"a": "", "b": "!"}).scores("가") == {"a": 0.0, "b": 0.0}
    assert Ranking({}).scores("가") == {}
