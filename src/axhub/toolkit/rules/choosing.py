"""Whether tools are told apart by their descriptions: rules TK921 to TK923 (toolkit, selection quality)."""

from collections.abc import Iterator, Mapping
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Definition, Facts
from axhub.toolkit.rules.definitions import readable, value_at
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import is_blank
from axhub.toolkit.rules.telling.placeholders import is_unwritten
from axhub.toolkit.selection.measure import ENOUGH, Measurement, measured
from axhub.toolkit.selection.queries import Asked, Described

__all__ = ["RULES", "asked", "described"]

_TITLE: Final = "/display_name"
_FUNCTION: Final = "/description/function"
_NEEDED: Final = (_TITLE, _FUNCTION, "/description/when_to_use")
_MORE: Final = "/description/io_limits"
_QUERIES: Final = "/example_queries"
_EQUAL: Final = 0.8
"""Share of common words and pairs of syllables from which on two descriptions are nearly equal."""
_MAX_WORDS: Final = 5


def described(facts: Facts) -> tuple[Described, ...]:
    """Return the tools whose texts are written, as a model sees them.

    Without `when_not_to_use`: it speaks of what other tools do, and would be found by their queries.
    """
    return tuple(
        Described(one.stem, value_at(one, _TITLE), " ".join(_texts(one)))
        for one in readable(facts)
        if all(_is_written(value_at(one, pointer)) for pointer in _NEEDED)
    )


def asked(facts: Facts) -> tuple[Asked, ...]:
    """Return the example queries of these tools that are texts and written."""
    tools = {tool.name for tool in described(facts)}
    found = ((one, value_at(one, _QUERIES)) for one in readable(facts) if one.stem in tools)
    return tuple(
        Asked(query, one.stem, one.place(f"{_QUERIES}/{at}"), at + 1)
        for one, queries in found
        if isinstance(queries, list)
        for at, query in enumerate(queries)
        if _is_written(query)
    )


def _texts(definition: Definition) -> list[str]:
    return [text for pointer in (*_NEEDED, _MORE) if _is_written(text := value_at(definition, pointer))]


def _is_written(text: object) -> bool:
    return isinstance(text, str) and not is_blank(text) and not is_unwritten(text)


def _measured(facts: Facts) -> Measurement:
    return measured(described(facts), asked(facts))


def _titles(facts: Facts) -> Mapping[str, str]:
    return {tool.name: excerpt(tool.title) for tool in described(facts)}


def _has_equal(found: Measurement, tool: str) -> bool:
    """Say whether another description is nearly equal (rule/TK923): that is why queries lead to the other tool."""
    return tool in found.nearest and found.nearest[tool].share >= _EQUAL


# --- TK921 -----------------------------------------------------------------------------------------------------------


def _unfound(facts: Facts) -> Iterator[Breach]:
    found, titles = _measured(facts), _titles(facts)
    for one in found.ranked:
        if one.rank > ENOUGH and not _has_equal(found, one.asked.tool):
            words = ", ".join(excerpt(word) for word in one.missing[:_MAX_WORDS])
            values: dict[str, str | int] = {
                "number": one.asked.number,
                "rank": one.rank,
                "count": len(found.tools),
                "first": excerpt(one.first),
                "title": titles[one.first],
                "words": words,
            }
            yield Breach(one.asked.place, "words" if words else "alike", values, one.asked.tool)


_UNFOUND: Final = Text(
    'By its words, example query {number} leads to {first} ("{title}"); this tool is number {rank} of {count}.',
    '{number}번째 예시 질의는 표현으로 보면 {first}("{title}") 도구에 가장 가깝고, 이 도구는 {count}개 중 '
    "{rank}번째입니다.",
)

TK921: Final = Rule(
    id="TK921",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "A tool is among the first three for each of its example queries.",
        "예시 질의마다 그 도구가 세 번째 안에 드는 것이 좋습니다.",
    ),
    why=Text(
        "A model chooses by what a description says. Queries are ranked against title, function, when_to_use and "
        "io_limits of all tools by the characters they share (BM25), which is no model's choice, but shows which words "
        "of its users a description lacks. Source: toolkit, selection quality.",
        "모델은 설명에 쓰인 말로 도구를 고릅니다. 예시 질의를 모든 도구의 표시명, function, when_to_use, io_limits와 "
        "글자 단위로 견주어(BM25) 순위를 매깁니다. 모델의 선택 자체는 아니지만, 사용자의 말 가운데 설명에 없는 것을 "
        "알려 줍니다. 출처: 툴킷 요구사항, 선택 품질.",
    ),
    messages={
        "words": Message(
            _UNFOUND,
            Text(
                "Say it in function or when_to_use as people ask for it; the description has nothing of: {words}.",
                "function이나 when_to_use에 사용자가 묻는 말로 쓰십시오. 설명에 없는 말: {words}.",
            ),
        ),
        "alike": Message(
            _UNFOUND,
            Text(
                "Say in function or when_to_use what this tool does and {first} does not.",
                "{first} 도구에는 없고 이 도구에만 있는 일을 function이나 when_to_use에 쓰십시오.",
            ),
        ),
    },
    check=_unfound,
    bad="function: 해당 정보를 조회한다.\nexample_queries:\n  - 오늘 달러 환율이 얼마야",
    good="function: 통화와 기준일로 고시 환율을 조회한다.\nexample_queries:\n  - 오늘 달러 환율이 얼마야",
    heuristic=True,
)


# --- TK922 -----------------------------------------------------------------------------------------------------------


def _confused(facts: Facts) -> Iterator[Breach]:
    found, titles = _measured(facts), _titles(facts)
    for one, other in found.mutual:
        if _has_equal(found, one) or _has_equal(found, other):
            continue
        place = next(each.asked.place for each in found.ranked if (each.asked.tool, each.first) == (one, other))
        values: dict[str, str | int] = {
            "other": excerpt(other),
            "title": titles[other],
            "there": found.confusion[one, other],
            "back": found.confusion[other, one],
        }
        yield Breach(place, "", values, one)


TK922: Final = Rule(
    id="TK922",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "No two tools are taken for each other by their example queries.",
        "두 도구의 예시 질의가 서로 상대 도구로 이어지지 않는 것이 좋습니다.",
    ),
    why=Text(
        "Where a query of each of two tools leads to the other one, their descriptions do not say where one ends and "
        "the other begins. It is measured as in TK921. Source: toolkit, selection quality.",
        "두 도구의 질의가 서로 상대 도구로 이어지면, 설명만으로는 두 도구의 경계를 알 수 없습니다. 측정 방법은 "
        "TK921과 같습니다. 출처: 툴킷 요구사항, 선택 품질.",
    ),
    messages={
        "": Message(
            Text(
                'By their words, example queries of this tool lead to {other} ("{title}") and the other way round: '
                "{there} there and {back} back.",
                '표현으로 보면 이 도구의 예시 질의 {there}개가 {other}("{title}") 도구로, 그 도구의 예시 질의 '
                "{back}개가 이 도구로 이어집니다.",
            ),
            Text(
                "Say in function and when_to_use of each what only it does; `axhub check --selection` shows the "
                "queries.",
                "각 도구의 function과 when_to_use에 그 도구만 하는 일을 쓰십시오. 해당 질의는 "
                "`axhub check --selection` 명령으로 볼 수 있습니다.",
            ),
        ),
    },
    check=_confused,
    bad="when_to_use: 보험료를 확인할 때 사용한다.    # the other tool says so too",
    good="when_to_use: 가입하기 전에 예상 보험료를 알고 싶을 때 사용한다.",
    heuristic=True,
)


# --- TK923 -----------------------------------------------------------------------------------------------------------


def _equal(facts: Facts) -> Iterator[Breach]:
    found, titles = _measured(facts), _titles(facts)
    for definition in readable(facts):
        if not _has_equal(found, definition.stem):
            continue
        near = found.nearest[definition.stem]
        back = found.nearest[near.tool]
        if back.tool == definition.stem and near.tool < definition.stem:
            continue  # said at the other one
        values: dict[str, str | int] = {
            "other": excerpt(near.tool),
            "title": titles[near.tool],
            "percent": int(near.share * 100),
        }
        yield Breach(definition.place(_FUNCTION), "", values, definition.stem)


TK923: Final = Rule(
    id="TK923",
    severity=Severity.WARNING,
    stage=Stage.SOURCE,
    title=Text(
        "No two tools have nearly the same description.",
        "두 도구의 설명이 거의 같지 않은 것이 좋습니다.",
    ),
    why=Text(
        "Of two descriptions that differ in a word, a model reads the one like the other. Title, function, when_to_use "
        "and io_limits are compared by words, of Korean by pairs of syllables. Source: toolkit, selection quality.",
        "낱말 하나만 다른 두 설명은 모델에게 같은 설명과 다름없습니다. 표시명, function, when_to_use, io_limits를 "
        "낱말로, 한글은 두 음절씩 견줍니다. 출처: 툴킷 요구사항, 선택 품질.",
    ),
    messages={
        "": Message(
            Text(
                'The description is nearly that of {other} ("{title}"): {percent} % of what the two say is the same.',
                '이 설명은 {other}("{title}") 도구의 설명과 거의 같습니다. 표현의 {percent}%가 같습니다.',
            ),
            Text(
                "Say in function and when_to_use what only this tool does, or make one tool of the two.",
                "function과 when_to_use에 이 도구만 하는 일을 쓰거나, 두 도구를 하나로 합치십시오.",
            ),
        ),
    },
    check=_equal,
    bad="function: 계약번호로 계약의 내용을 조회한다.    # as in the other definition",
    good="function: 계약번호로 보장 항목과 한도를 조회한다.",
    heuristic=True,
)

RULES: Final = (TK921, TK922, TK923)
