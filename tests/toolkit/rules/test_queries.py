"""Example queries."""

import pytest

from axhub.toolkit.rules import queries
from support.telling import Case, Told, told
from support.toolkit_facts import definition, facts

RULES = {rule.id: rule for rule in queries.RULES}


@pytest.mark.req("rule/TK305")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "two",
            facts(definition(example_queries=["가", "나"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:12:3 error",
                    "The number of example queries is 2; 3 to 10 are needed. Add at least 1 below example_queries:, as "
                    "people would ask.",
                    "예시 질의가 2개입니다. 3~10개가 필요합니다. example_queries: 아래에 사람들이 묻는 말로 1개 이상 "
                    "더하십시오.",
                ),
            ),
        ),
        Case(
            "none",
            facts(definition(example_queries=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:11:18 error",
                    "The number of example queries is 0; 3 to 10 are needed. Add at least 3 below example_queries:, as "
                    "people would ask.",
                    "예시 질의가 0개입니다. 3~10개가 필요합니다. example_queries: 아래에 사람들이 묻는 말로 3개 이상 "
                    "더하십시오.",
                ),
            ),
        ),
        Case(
            "eleven",
            facts(definition(example_queries=[f"질의 {n}" for n in range(11)])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:12:3 error",
                    "The number of example queries is 11; 3 to 10 are needed. Remove 1, beginning with those that are "
                    "most alike.",
                    "예시 질의가 11개입니다. 3~10개가 필요합니다. 비슷한 것부터 1개를 지우십시오.",
                ),
            ),
        ),
        Case(
            "a text",
            facts(definition(example_queries="청구 상태를 알려줘")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:11:18 error",
                    'example_queries has to be a list, and here stands the text "청구 상태를 알려줘". Write each query '
                    'on a line of its own below example_queries:, beginning with "  - ".',
                    'example_queries 값은 목록이어야 합니다. 지금 값: 문자열 "청구 상태를 알려줘". example_queries: '
                    '아래에 질의를 한 줄에 하나씩 "  - "로 시작해 쓰십시오.',
                ),
            ),
        ),
        Case(
            "a blank one",
            facts(definition(at={"/example_queries/1": "\u3000"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:13:5 error",
                    "Example query 2 is empty. Write a question as people would ask it, or remove the line.",
                    "2번째 예시 질의가 비어 있습니다. 사람들이 묻는 말을 쓰거나 그 줄을 지우십시오.",
                ),
            ),
        ),
        Case(
            "a number",
            facts(definition(at={"/example_queries/0": 12})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:12:5 error",
                    "Example query 1 has to be a text, and here stands the number 12. Write the query in quotes: `- "
                    '"12"`.',
                    '1번째 예시 질의는 문자열이어야 합니다. 지금 값: 숫자 12. 질의를 따옴표로 묶어 쓰십시오: `- "12"`.',
                ),
            ),
        ),
        Case(
            "a colon that makes a key",
            facts(definition(at={"/example_queries/2": {"질문": "상태는?"}})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:15:5 error",
                    "Example query 3 has to be a text, and here stands a group of keys. Write it as one text in "
                    'quotes: `- "…"`; a colon followed by a blank makes a key of it.',
                    "3번째 예시 질의는 문자열이어야 합니다. 지금 값: 키 묶음. 따옴표로 묶은 글 하나로 쓰십시오: `- "
                    '"…"`. 콜론 뒤에 공백이 있으면 키가 됩니다.',
                ),
            ),
        ),
        Case(
            "the same twice but for a sign",
            facts(definition(at={"/example_queries/3": "계약번호로 최근 청구상태를 확인해줘!"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:15:5 error",
                    'Example query 4 is the same as query 2: "계약번호로 최근 청구상태를 확인해줘!". Ask in another '
                    "way, or remove it.",
                    '4번째 예시 질의가 2번째와 같습니다: "계약번호로 최근 청구상태를 확인해줘!". 다른 방식으로 묻거나 '
                    "지우십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_too_few_too_many_and_equal_queries_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK305"], case.facts) == case.told


@pytest.mark.req("rule/TK305")
@pytest.mark.parametrize(
    "case",
    [
        Case("ten", facts(definition(example_queries=[f"질의 {n}" for n in range(10)]))),
        Case("a missing key", facts(definition(without=["/example_queries"]))),
    ],
    ids=str,
)
def test_tk305_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK305"], case.facts) == ()


@pytest.mark.req("rule/TK306")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "the name itself",
            facts(definition(at={"/example_queries/0": "cmm_claim_search로 조회해줘"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:12:5 error",
                    'Example query 1 contains the tool name "cmm_claim_search": "cmm_claim_search로 조회해줘". Say it '
                    "as somebody would who does not know the tool, without its name.",
                    '1번째 예시 질의에 도구 이름 "cmm_claim_search" 값이 들어 있습니다: "cmm_claim_search로 조회해줘". '
                    "도구를 모르는 사람이 묻듯이 이름 없이 쓰십시오.",
                ),
            ),
        ),
        Case(
            "the name with blanks and capitals",
            facts(definition(at={"/example_queries/1": "Use CMM Claim-Search please"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:13:5 error",
                    'Example query 2 contains the tool name "cmm_claim_search": "Use CMM Claim-Search please". Say it '
                    "as somebody would who does not know the tool, without its name.",
                    '2번째 예시 질의에 도구 이름 "cmm_claim_search" 값이 들어 있습니다: "Use CMM Claim-Search please". '
                    "도구를 모르는 사람이 묻듯이 이름 없이 쓰십시오.",
                ),
            ),
        ),
        Case(
            "the name in camel case and full width",
            facts(definition(at={"/example_queries/1": "\uff23\uff4d\uff4dClaimSearch를 실행해줘"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:13:5 error",
                    'Example query 2 contains the tool name "cmm_claim_search": "\uff23\uff4d\uff4dClaimSearch를 '
                    '실행해줘". Say it as somebody would who does not know the tool, without its name.',
                    '2번째 예시 질의에 도구 이름 "cmm_claim_search" 값이 들어 있습니다: '
                    '"\uff23\uff4d\uff4dClaimSearch를 실행해줘". 도구를 모르는 사람이 묻듯이 이름 없이 쓰십시오.',
                ),
            ),
        ),
        Case(
            "the name with an invisible character",
            facts(definition(at={"/example_queries/2": "cmm_\u200bclaim_search?"})),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:14:5 error",
                    'Example query 3 contains the tool name "cmm_claim_search": "cmm_\\u200bclaim_search?". Say it as '
                    "somebody would who does not know the tool, without its name.",
                    '3번째 예시 질의에 도구 이름 "cmm_claim_search" 값이 들어 있습니다: "cmm_\\u200bclaim_search?". '
                    "도구를 모르는 사람이 묻듯이 이름 없이 쓰십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_query_with_the_tools_name_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK306"], case.facts) == case.told


@pytest.mark.req("rule/TK306")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "words of the name apart, or inside other words",
            facts(
                definition(at={"/example_queries/0": "cmm claim을 search", "/example_queries/1": "xcmm_claim_searches"})
            ),
        ),
        Case("queries that are no texts", facts(definition(example_queries=[1, None, {}]))),
        Case("no list", facts(definition(example_queries="cmm_claim_search"))),
    ],
    ids=str,
)
def test_tk306_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK306"], case.facts) == ()
