"""The example queries of a definition: rules TK305 and TK306 (seed 003 §5)."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.service import Definition, Facts
from axhub.toolkit.rules.definitions import readable, value_at
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import described, in_both, is_blank, squeezed, yaml_text

__all__ = ["RULES"]

_QUERIES: Final = "/example_queries"
_FEWEST: Final = 3
_MOST: Final = 10


# --- TK305 -----------------------------------------------------------------------------------------------------------


def _queries(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        value = value_at(definition, _QUERIES)
        if isinstance(value, list) or value is None:
            yield from _count(definition, len(value or ()))
            yield from _each(definition, value or [])
        elif value is not ...:
            place = definition.place(_QUERIES)
            yield Breach(place, "kind", in_both("found", described(value)), definition.stem)


def _count(definition: Definition, count: int) -> Iterator[Breach]:
    place = definition.place(_QUERIES)
    if count < _FEWEST:
        yield Breach(place, "few", {"count": count, "more": _FEWEST - count}, definition.stem)
    elif count > _MOST:
        yield Breach(place, "many", {"count": count, "over": count - _MOST}, definition.stem)


def _each(definition: Definition, queries: list[Any]) -> Iterator[Breach]:
    first: dict[str, int] = {}
    for number, query in enumerate(queries, 1):
        place = definition.place(f"{_QUERIES}/{number - 1}")
        values: dict[str, str | int] = {"number": number}
        if is_blank(query):
            yield Breach(place, "blank", values, definition.stem)
        elif not isinstance(query, str):
            said = {**values, **in_both("found", described(query)), "better": yaml_text(query)}
            scalar = isinstance(query, bool | int | float)
            yield Breach(place, "scalar" if scalar else "item", said, definition.stem)
        elif (before := first.setdefault(squeezed(query) or query, number)) != number:
            yield Breach(place, "same", {**values, "other": before, "query": excerpt(query)}, definition.stem)


_ITEM_PROBLEM: Final = Text(
    "Example query {number} has to be a text, and here stands {found}.",
    "{number}번째 예시 질의는 문자열이어야 합니다. 지금 값: {found_ko}.",
)

TK305: Final = Rule(
    id="TK305",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "A definition has 3 to 10 example queries, no two the same.",
        "정의 파일에는 서로 다른 예시 질의가 3~10개 있어야 합니다.",
    ),
    why=Text(
        "They show how people ask for what the tool does, and tools are compared by them. Queries that differ only in "
        "blanks, punctuation or case count as the same. Source: seed 003 §5.",
        "예시 질의는 사람들이 어떻게 묻는지 보여 주며 도구를 비교하는 데 씁니다. 공백, 문장 부호, 대소문자만 다른 "
        "질의는 같은 것으로 "
        "봅니다. 출처: 설계 가이드 003 §5.",
    ),
    messages={
        "few": Message(
            Text(
                "The number of example queries is {count}; 3 to 10 are needed.",
                "예시 질의가 {count}개입니다. 3~10개가 필요합니다.",
            ),
            Text(
                "Add at least {more} below example_queries:, as people would ask.",
                "example_queries: 아래에 사람들이 묻는 말로 {more}개 이상 더하십시오.",
            ),
        ),
        "many": Message(
            Text(
                "The number of example queries is {count}; 3 to 10 are needed.",
                "예시 질의가 {count}개입니다. 3~10개가 필요합니다.",
            ),
            Text("Remove {over}, beginning with those that are most alike.", "비슷한 것부터 {over}개를 지우십시오."),
        ),
        "kind": Message(
            Text(
                "example_queries has to be a list, and here stands {found}.",
                "example_queries 값은 목록이어야 합니다. 지금 값: {found_ko}.",
            ),
            Text(
                'Write each query on a line of its own below example_queries:, beginning with "  - ".',
                'example_queries: 아래에 질의를 한 줄에 하나씩 "  - "로 시작해 쓰십시오.',
            ),
        ),
        "blank": Message(
            Text("Example query {number} is empty.", "{number}번째 예시 질의가 비어 있습니다."),
            Text(
                "Write a question as people would ask it, or remove the line.",
                "사람들이 묻는 말을 쓰거나 그 줄을 지우십시오.",
            ),
        ),
        "scalar": Message(
            _ITEM_PROBLEM,
            Text("Write the query in quotes: `- {better}`.", "질의를 따옴표로 묶어 쓰십시오: `- {better}`."),
        ),
        "item": Message(
            _ITEM_PROBLEM,
            Text(
                'Write it as one text in quotes: `- "…"`; a colon followed by a blank makes a key of it.',
                '따옴표로 묶은 글 하나로 쓰십시오: `- "…"`. 콜론 뒤에 공백이 있으면 키가 됩니다.',
            ),
        ),
        "same": Message(
            Text(
                'Example query {number} is the same as query {other}: "{query}".',
                '{number}번째 예시 질의가 {other}번째와 같습니다: "{query}".',
            ),
            Text("Ask in another way, or remove it.", "다른 방식으로 묻거나 지우십시오."),
        ),
    },
    check=_queries,
    bad="example_queries:\n  - 청구 상태 조회해줘",
    good="example_queries:\n  - 내 청구는 어디까지 됐어?\n  - 청구 상태를 확인해줘\n  - 심사 결과가 나왔어?",
)


# --- TK306 -----------------------------------------------------------------------------------------------------------


def _naming(facts: Facts) -> Iterator[Breach]:
    for definition in readable(facts):
        queries = value_at(definition, _QUERIES)
        names = [definition.stem, value_at(definition, "/name")]
        patterns = {name: _pattern(name) for name in names if isinstance(name, str) and squeezed(name)}
        for number, query in enumerate(queries if isinstance(queries, list) else (), 1):
            text = _seen(query) if isinstance(query, str) else ""
            name = next((name for name in sorted(patterns) if patterns[name].search(text)), None)
            if name is not None:
                values: dict[str, str | int] = {"number": number, "name": excerpt(name), "query": excerpt(str(query))}
                yield Breach(definition.place(f"{_QUERIES}/{number - 1}"), "", values, definition.stem)


def _seen(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if unicodedata.category(character) != "Cf")


def _pattern(name: str) -> re.Pattern[str]:
    """Match a name however it is spaced: `cmm_claim_search`, "CMM claim search", `cmmClaimSearch로`."""
    parts = [re.escape(part) for part in re.split(r"[\W_]+", _seen(name)) if part]
    return re.compile(r"(?<![a-z0-9])" + r"[\W_]*".join(parts) + r"(?![a-z0-9])")


TK306: Final = Rule(
    id="TK306",
    severity=Severity.ERROR,
    stage=Stage.SOURCE,
    title=Text(
        "No example query contains the tool's name.",
        "예시 질의에 도구 이름을 직접 쓰지 않아야 합니다.",
    ),
    why=Text(
        "People do not know tool names. A query with the name in it teaches nothing, and makes measurements of how "
        "well tools are chosen look better than they are. Case and what stands between the parts do not count. "
        "Source: seed 003 §5.",
        "사람들은 도구 이름을 모릅니다. 이름이 든 질의는 배울 것이 없고, 도구 선택 품질을 실제보다 좋아 보이게 합니다. "
        "대소문자와 "
        "부분 사이의 기호는 보지 않습니다. 출처: 설계 가이드 003 §5.",
    ),
    messages={
        "": Message(
            Text(
                'Example query {number} contains the tool name "{name}": "{query}".',
                '{number}번째 예시 질의에 도구 이름 "{name}" 값이 들어 있습니다: "{query}".',
            ),
            Text(
                "Say it as somebody would who does not know the tool, without its name.",
                "도구를 모르는 사람이 묻듯이 이름 없이 쓰십시오.",
            ),
        ),
    },
    check=_naming,
    bad="  - cmm_claim_search로 청구 상태를 조회해줘",
    good="  - 청구 상태를 조회해줘",
)

RULES: Final = (TK305, TK306)
