"""Tools that are not told apart by their descriptions."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Declared, Definition
from axhub.toolkit.rules import choosing
from axhub.toolkit.rules.choosing import asked, described
from support.telling import Case, Told, told
from support.toolkit_facts import declared, definition, facts

RULES = {rule.id: rule for rule in choosing.RULES}


def tool(name: str, title: str, purpose: str, *queries: Any, **at: Any) -> tuple[Declared, Definition]:
    """Return a tool that says one thing in each part of its description."""
    parts = {
        "/description/function": purpose,
        "/description/when_to_use": title,
        "/description/io_limits": purpose,
        **at,
    }
    return declared(name, title=title), definition(name, display_name=title, example_queries=list(queries), at=parts)


CLAIM = tool(
    "cmm_claim_search", "보험금 청구 상태 조회", "청구번호로 청구의 진행 상태를 조회한다.", "청구가 어디까지 됐어"
)
RATE = tool("smp_rate_inquiry", "환율 조회", "통화와 기준일로 고시 환율을 조회한다.", "오늘 환율이 얼마야")
BRANCH = tool("smp_branch_search", "지점 찾기", "지역 이름으로 지점과 영업 시간을 찾는다.", "가까운 지점 알려줘")
ASTRAY = tool(
    "smp_notice_lookup", "업무 공지 조회", "게시 중인 공지를 조회한다.", "지점 영업 시간이 언제야", "지점 영업 시간"
)
OFFICE = tool("smp_office_search", "사무소", "사무소의 위치를 본다.", "지점 영업 시간", "환율 지점")
DRAFT = tool("smp_new_search", "TODO 짧은 업무명", "TODO 무엇을 하는지 적는다", "TODO 사용자가 할 말", "보험금 청구")


@pytest.mark.req("rule/TK921")
def test_a_query_that_three_other_tools_answer_better_is_pointed_out() -> None:
    found = facts(
        *CLAIM, *RATE, *BRANCH, *tool("smp_x_lookup", "공지", "공지를 본다.", "보험금 환율 지점 시간", "공지")
    )
    assert told(RULES["TK921"], found) == (
        Told(
            "tool_definitions/cmm/smp_x_lookup.yml:12:5 warning",
            'By its words, example query 1 leads to smp_branch_search ("지점 찾기"); this tool is number 4 of 4. '
            "Say it in function or when_to_use as people ask for it; the description has nothing of: "
            "보험금, 환율, 지점, 시간.",
            '1번째 예시 질의는 표현으로 보면 smp_branch_search("지점 찾기") 도구에 가장 가깝고, 이 도구는 4개 중 '
            "4번째입니다. function이나 when_to_use에 사용자가 묻는 말로 쓰십시오. 설명에 없는 말: 보험금, 환율, "
            "지점, 시간.",
        ),
    )


@pytest.mark.req("rule/TK921")
def test_where_no_word_is_missing_the_tool_has_to_say_what_is_its_own() -> None:
    others = [tool(f"smp_{at}_lookup", "조회", f"조회 {word}", word) for at, word in enumerate("가나다라")]
    longer = tool("smp_x_lookup", "조회 업무", "업무 화면에서 조회한다. " * 9, "조회")
    (found,) = told(RULES["TK921"], facts(*(part for one in others for part in one), *longer))
    assert (found.en, found.ko) == (
        (
            'By its words, example query 1 leads to smp_0_lookup ("조회"); this tool is number 5 of 5. '
            "Say in function or when_to_use what this tool does and smp_0_lookup does not."
        ),
        (
            '1번째 예시 질의는 표현으로 보면 smp_0_lookup("조회") 도구에 가장 가깝고, 이 도구는 5개 중 5번째입니다. '
            "smp_0_lookup 도구에는 없고 이 도구에만 있는 일을 function이나 when_to_use에 쓰십시오."
        ),
    )


@pytest.mark.req("rule/TK922")
def test_tools_whose_queries_lead_to_each_other_are_pointed_out_once() -> None:
    there = tool("smp_a_lookup", "환율 조회", "환율을 조회한다.", "지점 시간", "지점", "환율")
    back = tool("smp_b_lookup", "지점 찾기", "지점의 시간을 찾는다.", "환율", "지점")
    assert told(RULES["TK922"], facts(*back, *there, *CLAIM)) == (
        Told(
            "tool_definitions/cmm/smp_a_lookup.yml:12:5 warning",
            'By their words, example queries of this tool lead to smp_b_lookup ("지점 찾기") and the other way round: '
            "2 there and 1 back. Say in function and when_to_use of each what only it does; `axhub check --selection` "
            "shows the queries.",
            '표현으로 보면 이 도구의 예시 질의 2개가 smp_b_lookup("지점 찾기") 도구로, 그 도구의 예시 질의 1개가 '
            "이 도구로 이어집니다. 각 도구의 function과 when_to_use에 그 도구만 하는 일을 쓰십시오. 해당 질의는 "
            "`axhub check --selection` 명령으로 볼 수 있습니다.",
        ),
    )


SAME = "계약번호를 기준으로 계약의 내용과 상태를 조회한다."
EQUAL = (
    *tool("ins_a_search", "계약 조회", SAME, "계약 내용"),
    *tool("ins_b_search", "계약 조회", SAME, "계약 내용"),
)


@pytest.mark.req("rule/TK923")
def test_descriptions_that_are_nearly_equal_are_pointed_out_once() -> None:
    assert told(RULES["TK923"], facts(*EQUAL, *CLAIM)) == (
        Told(
            "tool_definitions/cmm/ins_a_search.yml:6:13 warning",
            'The description is nearly that of ins_b_search ("계약 조회"): 100 % of what the two say is the same. '
            "Say in function and when_to_use what only this tool does, or make one tool of the two.",
            '이 설명은 ins_b_search("계약 조회") 도구의 설명과 거의 같습니다. 표현의 100%가 같습니다. '
            "function과 when_to_use에 이 도구만 하는 일을 쓰거나, 두 도구를 하나로 합치십시오.",
        ),
    )


@pytest.mark.req("rule/TK921", "rule/TK922", "rule/TK923")
@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
@pytest.mark.parametrize(
    "case",
    [
        Case("different tools", facts(*CLAIM, *RATE, *BRANCH)),
        Case("one tool", facts(*CLAIM)),
        Case("no tool", facts(definitions=())),
        Case("a query that leads away in a service of three tools", facts(*RATE, *BRANCH, *ASTRAY)),
        Case("one direction only", facts(*RATE, *BRANCH, *OFFICE)),
        Case("drafts that nobody has written yet", facts(*DRAFT, *tool("smp_o_search", *("TODO 짧은 업무명",) * 3))),
        Case("definitions that cannot be read", facts(*CLAIM, *RATE, definition("smp_x_search", problem="broken"))),
        Case(
            "texts that are none",
            facts(
                *CLAIM,
                *RATE,
                definition("smp_x_search", display_name=None, description=12),
                *tool("smp_y_search", "납입 내역", "보험료 납입을 본다.", **{"/example_queries": "환율"}),
                *tool(
                    "smp_z_search",
                    "대출 한도",
                    "약관대출을 계산한다.",
                    1,
                    " ",
                    "TODO",
                    **{"/description/io_limits": None},
                ),
            ),
        ),
    ],
    ids=str,
)
def test_nothing_is_said_about(rule: Any, case: Case) -> None:
    assert told(rule, case.facts) == ()


@pytest.mark.req("rule/TK921", "rule/TK922")
@pytest.mark.parametrize("rule", ["TK921", "TK922"])
def test_of_descriptions_that_are_nearly_equal_only_that_is_said(rule: str) -> None:
    copies = [tool(f"ins_{at}_search", "계약 조회", SAME, "계약 내용") for at in range(5)]
    assert told(RULES[rule], facts(*(part for one in copies for part in one))) == ()


def test_a_tool_is_what_a_model_sees_of_it_and_its_queries_are_no_part_of_that() -> None:
    one = definition(at={"/description/when_not_to_use": "환율에는 쓰지 않는다."}, example_queries=["질의"])
    (found,) = described(facts(one))
    assert (found.name, found.title) == ("cmm_claim_search", "보험금 청구 상태 조회")
    assert found.text == (
        "보험금 청구 상태 조회 청구번호 또는 계약번호를 기준으로 청구 상태와 심사 결과를 조회한다. 기존 청구 건의 진행 "
        "상태나 지급 결과를 확인할 때 사용한다. 청구번호 또는 계약번호 중 하나 이상이 필요하며 조회 기능만 제공한다."
    )
    assert [(query.query, query.tool, query.number, query.place.line) for query in asked(facts(one))] == [
        ("질의", "cmm_claim_search", 1, 12)
    ]


def test_a_draft_is_neither_ranked_nor_asked_for() -> None:
    found = facts(*CLAIM, *DRAFT)
    assert [one.name for one in described(found)] == ["cmm_claim_search"]
    assert [one.query for one in asked(found)] == ["청구가 어디까지 됐어"]
