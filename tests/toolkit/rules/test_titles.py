"""Titles and descriptions of decorators."""

import pytest

from axhub.toolkit.rules import declarations
from support.telling import Case, Told, told
from support.toolkit_facts import declared, facts

RULES = {rule.id: rule for rule in declarations.RULES}


@pytest.mark.req("rule/TK212")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a description that repeats the title",
            facts(declared(description="보험금 청구상태 조회.")),
            (
                Told(
                    "biz/cmm/usecase.py:13:10 error",
                    'The description repeats the title "보험금 청구 상태 조회". Keep the title a short noun phrase, '
                    "and let the description say in one or two sentences what it works on, under which condition and "
                    "with which result.",
                    'description 내용이 title "보험금 청구 상태 조회" 그대로입니다. title은 짧은 명칭으로 두고, '
                    "description에는 대상·조건·결과를 한두 문장으로 쓰십시오.",
                ),
            ),
        ),
        Case(
            "the same in full width",
            facts(
                declared(
                    title="Claim status",
                    description="\uff23\uff2c\uff21\uff29\uff2d\u3000\uff53\uff54\uff41\uff54\uff55\uff53\uff01",
                )
            ),
            (
                Told(
                    "biz/cmm/usecase.py:13:10 error",
                    'The description repeats the title "Claim status". Keep the title a short noun phrase, and let the '
                    "description say in one or two sentences what it works on, under which condition and with which "
                    "result.",
                    'description 내용이 title "Claim status" 그대로입니다. title은 짧은 명칭으로 두고, description에는 '
                    "대상·조건·결과를 한두 문장으로 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a description with only an ending more",
            facts(declared(description="보험금 청구 상태를 조회합니다.")),
            (
                Told(
                    "biz/cmm/usecase.py:13:10 warning",
                    'The description "보험금 청구 상태를 조회합니다." says hardly more than the title "보험금 청구 '
                    '상태 조회". Keep the title a short noun phrase, and let the description say in one or two '
                    "sentences what it works on, under which condition and with which result.",
                    'description "보험금 청구 상태를 조회합니다." 내용이 title "보험금 청구 상태 조회" 내용과 거의 '
                    "같습니다. title은 짧은 명칭으로 두고, description에는 대상·조건·결과를 한두 문장으로 쓰십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_description_that_repeats_the_title_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK212"], case.facts) == case.told


@pytest.mark.req("rule/TK212")
@pytest.mark.parametrize(
    "case",
    [
        Case("no title", facts(declared(without=["title"]))),
        Case("blank texts", facts(declared(title=" ", description=""))),
        Case("a computed description", facts(declared(computed=["description"]))),
    ],
    ids=str,
)
def test_tk212_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK212"], case.facts) == ()


@pytest.mark.req("rule/TK213")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a long title",
            facts(declared(title="보험금 청구 상태 조회 " * 4)),
            (
                Told(
                    "biz/cmm/usecase.py:12:10 warning",
                    "The title has 52 characters. Shorten it by 12, to at most 40; the rest belongs in the "
                    "description.",
                    "title의 길이가 52자입니다. 12자를 줄여 40자 이하로 하십시오. 나머지는 description에 씁니다.",
                ),
            ),
        ),
        Case(
            "three sentences",
            facts(declared(description="청구 상태를 조회합니다. 계약번호로도 됩니다. 심사 결과를 줍니다.")),
            (
                Told(
                    "biz/cmm/usecase.py:13:10 warning",
                    "The description has 3 sentences. Keep one or two; conditions and limits belong in the four parts "
                    "of the definition's description.",
                    "description이 3문장입니다. 한두 문장만 남기십시오. 조건과 제한은 정의 파일의 description 네 "
                    "부분에 씁니다.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_long_titles_and_descriptions_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK213"], case.facts) == case.told


@pytest.mark.req("rule/TK213")
@pytest.mark.parametrize(
    "case",
    [
        Case("forty characters", facts(declared(title="가" * 40))),
        Case("forty characters, decomposed", facts(declared(title="\u1100\u1161\u11a8" * 40))),
        Case(
            "a number and an abbreviation",
            facts(declared(description="최대 1.5개월, e.g. 한 달의 청구를 조회합니다. 없으면 빈 목록입니다.")),
        ),
        Case("no texts", facts(declared(title=None, description=12))),
    ],
    ids=str,
)
def test_tk213_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK213"], case.facts) == ()
