"""Tools that are easily taken for each other."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Declared, Definition
from axhub.toolkit.rules import neighbours
from axhub.toolkit.rules.definitions import DESCRIPTION_PARTS
from support.telling import Case, Told, told
from support.toolkit_facts import declared, definition, facts

RULES = {rule.id: rule for rule in neighbours.RULES}


def of_claims(name: str, title: str, function: str, query: str, **at: Any) -> tuple[Declared, Definition]:
    """Return a tool that is described in English."""
    parts = dict.fromkeys(DESCRIPTION_PARTS, function)
    written: dict[str, Any] = {"display_name": title, "description": parts, "example_queries": [query]}
    return declared(name, title=title), definition(
        name, at={"/description/when_not_to_use": "Not now.", **at}, **written
    )


STATUS = ("cmm_claim_search", "Claim status", "Looks up the state of one insurance claim.", "How far is my claim?")
HISTORY = ("cmm_claim_history", "Claim history", "Lists the insurance claims of a contract.", "Which claims had I?")
RATE = ("smp_rate_inquiry", "Exchange rate", "Looks up what one currency costs.", "How much is a dollar?")
HISTORY_TOLD = (
    Told(
        "tool_definitions/cmm/cmm_claim_search.yml:8:20 warning",
        'This tool reads much like cmm_claim_history ("Claim history"), and when_not_to_use does not name that one. '
        "Say in when_not_to_use for what cmm_claim_history is to be used instead, with its name.",
        '이 도구의 설명은 cmm_claim_history("Claim history") 도구와 비슷한데 when_not_to_use에 그 도구가 없습니다. '
        "when_not_to_use에 어떤 때 대신 cmm_claim_history 도구를 써야 하는지 그 이름과 함께 쓰십시오.",
    ),
)
NAMED = {"/description/when_not_to_use": "cmm_claim_search knows the state of one."}


@pytest.mark.req("rule/TK314")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a history beside a status",
            facts(
                declared(),
                declared("cmm_claim_history_search"),
                definition(),
                definition(
                    "cmm_claim_history_search",
                    display_name="보험금 청구 이력 조회",
                    at={
                        "/description/function": "계약번호를 기준으로 지난 청구의 이력을 조회한다.",
                        "/description/when_not_to_use": "보험금 청구 상태 조회에는 사용하지 않는다.",
                    },
                ),
            ),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:8:20 warning",
                    'This tool reads much like cmm_claim_history_search ("보험금 청구 이력 조회"), and when_not_to_use '
                    "does not name that one. Say in when_not_to_use for what cmm_claim_history_search is to be used "
                    "instead, with its name.",
                    '이 도구의 설명은 cmm_claim_history_search("보험금 청구 이력 조회") 도구와 비슷한데 '
                    "when_not_to_use에 그 도구가 없습니다. when_not_to_use에 어떤 때 대신 cmm_claim_history_search "
                    "도구를 써야 하는지 그 이름과 함께 쓰십시오.",
                ),
            ),
        ),
        Case(
            "English tools about the same thing",
            facts(*of_claims(*STATUS), *of_claims(*HISTORY, **NAMED), *of_claims(*RATE)),
            HISTORY_TOLD,
        ),
    ],
    ids=str,
)
def test_tools_that_read_alike_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK314"], case.facts) == case.told


@pytest.mark.req("rule/TK314")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "tools that name each other",
            facts(
                declared(),
                declared("cmm_claim_history"),
                definition(at={"/description/when_not_to_use": "이력에는 CMM claim history를 사용한다."}),
                definition("cmm_claim_history", at={"/description/when_not_to_use": "cmm_claim_search를 사용한다."}),
            ),
        ),
        Case(
            "different tools",
            facts(
                declared(),
                declared("smp_exchange_inquiry"),
                definition(),
                definition(
                    "smp_exchange_inquiry",
                    display_name="환율 조회",
                    description=dict.fromkeys(DESCRIPTION_PARTS, "고시 환율을 통화별로 조회한다."),
                    example_queries=["오늘 달러 얼마야"],
                ),
            ),
        ),
        Case(
            "drafts that nobody has written yet",
            facts(
                declared("cmm_claim_search"),
                declared("cmm_claim_register"),
                *(
                    definition(
                        name,
                        display_name="TODO 짧은 업무명",
                        description=dict.fromkeys(DESCRIPTION_PARTS, "TODO 언제 사용하는지 적는다"),
                        example_queries=["TODO 사용자가 실제로 할 말 1", "TODO 사용자가 실제로 할 말 2"],
                    )
                    for name in ("cmm_claim_search", "cmm_claim_register")
                ),
            ),
        ),
        Case(
            "a part that is still to be written",
            facts(
                declared(),
                declared("cmm_claim_history"),
                definition(at={"/description/when_not_to_use": "TODO"}),
                definition("cmm_claim_history", at={"/description/when_not_to_use": "cmm_claim_search를 사용한다."}),
            ),
        ),
        Case("English tools about different things", facts(*of_claims(*STATUS), *of_claims(*RATE))),
        Case(
            "tools while one has no definition",
            facts(*of_claims(*STATUS), *of_claims(*HISTORY, **NAMED), declared("cmm_x_search")),
        ),
        Case(
            "tools while one definition cannot be read",
            facts(
                *of_claims(*STATUS),
                *of_claims(*HISTORY, **NAMED),
                declared("cmm_x_search"),
                definition("cmm_x_search", problem="broken"),
            ),
        ),
        Case(
            "a tool that names one whose texts are incomplete",
            facts(
                *of_claims(*STATUS, **{"/description/when_not_to_use": "Exchange rate knows about money."}),
                *of_claims(*HISTORY, **NAMED),
                *of_claims(*RATE, **{"/description/function": ""}),
            ),
        ),
        Case(
            "a tool that is named by the title of its decorator",
            facts(
                *of_claims(*STATUS, **{"/description/when_not_to_use": "For past ones use claim history."}),
                *of_claims(*HISTORY, **{**NAMED, "/display_name": "Past claims"}),
            ),
        ),
        Case(
            "texts that are none",
            facts(
                declared(),
                declared("cmm_x_search"),
                definition(description=12, display_name=None, example_queries=[1]),
                definition("cmm_x_search", at={"/description/when_not_to_use": None}),
            ),
        ),
    ],
    ids=str,
)
def test_tk314_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK314"], case.facts) == ()
