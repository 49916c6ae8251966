"""Personal data in requests, answers, samples and definitions: TK516."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Place, Shape
from axhub.toolkit.rules.personal.family import TK516
from support.telling import expect, said
from support.toolkit_facts import DTO, FOLDER, TOOL, definition, facts, field, imported

pytestmark = pytest.mark.req("rule/TK516")

AT = f"{DTO}:13:5"
SAMPLE = f"{FOLDER}/samples/{TOOL}/http-insurance.json"


def _answering(**changes: Any) -> Facts:
    given = {"description": "결제 카드번호", "python_name": "card_no", **changes}
    return facts(imported={TOOL: imported(outputs=(field("/cardNo", **given),))})


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({}, "str"),
        ({"nullable": True}, "str | None"),
        ({"shape": Shape.NUMBER}, "int"),
        ({"shape": Shape.LIST, "item": Shape.TEXT}, "list[str]"),
    ],
)
def test_personal_data_in_an_answer_is_told_with_the_way_out(changes: Any, hint: str) -> None:
    line = f'card_no: Annotated[{hint}, Desc("결제 카드번호"), masked("…")]'
    expect(
        TK516,
        _answering(**changes),
        f"{AT}: error: The answer field /cardNo of ClaimSearchResponse holds a card number. Remove it from the "
        f"answer; if it cannot be left out, mask it and say why: {line}",
        f"{AT}: error: ClaimSearchResponse의 응답 필드 /cardNo에 카드번호가 들어갑니다. 응답에서 지우십시오. 생략할 "
        f"수 없으면 가리고 이유를 쓰십시오: {line}",
    )


def test_personal_data_in_a_request_is_told_too() -> None:
    asked = field("/residentNo", model="my_tools.biz.cmm.dto.ClaimSearchRequest", description="고객의 주민등록번호")
    line = 'resident_no: Annotated[str, Desc("고객의 주민등록번호"), masked("…")]'
    expect(
        TK516,
        facts(imported={TOOL: imported(inputs=(asked,))}),
        f"{AT}: error: The request field /residentNo of ClaimSearchRequest asks for a resident number. Remove it and "
        f"take another key, such as a contract or claim number; if it cannot be left out, say why: {line}",
        f"{AT}: error: ClaimSearchRequest의 요청 필드 /residentNo에서 주민등록번호를 요구합니다. 지우고 계약번호나 "
        f"청구번호 같은 다른 키를 받으십시오. 생략할 수 없으면 이유를 쓰십시오: {line}",
    )


def test_masked_with_a_reason_is_the_way_out_and_without_one_it_is_not() -> None:
    assert said(TK516, _answering(masked="고객이 어느 카드인지 확인해야 한다")) == []
    for reason in ("…", "...", "TODO", "<reason>"):
        placeholder = 'card_no: Annotated[str, Desc("결제 카드번호"), masked("…")]'
        expect(
            TK516,
            _answering(masked=reason),
            f"{AT}: error: The field /cardNo of ClaimSearchResponse is masked with a placeholder for a reason: "
            f'"{reason}". Say why a card number cannot be left out, in place of the dots: {placeholder}',
            f"{AT}: error: ClaimSearchResponse의 /cardNo 필드에 적은 masked의 이유가 자리표시뿐입니다: "
            f'"{reason}". 카드번호를 생략할 수 없는 이유를 점 자리에 쓰십시오: {placeholder}',
        )
    line = 'card_no: Annotated[str, Desc("결제 카드번호"), masked("…")]'
    expect(
        TK516,
        _answering(masked=" "),
        f"{AT}: error: The field /cardNo of ClaimSearchResponse is masked without a reason. Say why a card number "
        f"cannot be left out: {line}",
        f"{AT}: error: ClaimSearchResponse의 /cardNo 필드에 이유 없이 masked가 있습니다. 카드번호를 생략할 수 없는 "
        f"이유를 쓰십시오: {line}",
    )


def test_nobody_can_allow_it_by_a_comment() -> None:
    assert TK516.suppressible is False


def test_a_field_that_request_and_answer_share_is_told_once() -> None:
    shared = field("/phone", description="연락처")
    assert len(said(TK516, facts(imported={TOOL: imported(inputs=(shared,), outputs=(shared,))}))) == 1


def test_real_values_in_samples_are_told_with_line_and_column() -> None:
    text = '{\n  "jumin": "900101-1234567",\n  "acctNo": "000-000-000000",\n  "tel": "010-1234-5678"\n}'
    found = facts(sample_texts={SAMPLE: text})
    assert said(TK516, found) == [
        (
            f"{SAMPLE}:2:13: error: This looks like a resident number of a real person. Anonymise it, for instance: "
            "000000-0000000"
        ),
        (
            f"{SAMPLE}:4:11: error: This looks like a phone number of a real person. Anonymise it, for instance: "
            "010-0000-0000"
        ),
    ]
    assert said(TK516, found, "ko") == [
        f"{SAMPLE}:2:13: error: 실제 사람의 주민등록번호로 보이는 값이 있습니다. 익명화하십시오. 예: 000000-0000000",
        f"{SAMPLE}:4:11: error: 실제 사람의 전화번호로 보이는 값이 있습니다. 익명화하십시오. 예: 010-0000-0000",
    ]
    assert [breach.tool for breach in TK516.check(found)] == [TOOL, TOOL]


def test_real_values_in_the_examples_of_a_definition_are_told_there() -> None:
    broken = definition(
        example_queries=["010-1234-5678 고객의 청구를 찾아줘", "a", "b"],
        examples={"valid": [{"acctNo": "110-234-567890"}]},
    )
    query, example = broken.place("/example_queries/0"), broken.place("/examples/valid/0/acctNo")
    assert said(TK516, facts(broken)) == [
        f"{query}: error: This looks like a phone number of a real person. Anonymise it, for instance: 010-0000-0000",
        (
            f"{example}: error: This looks like an account number of a real person. Anonymise it, for instance: "
            "000-000-000000"
        ),
    ]


def test_numbers_of_a_business_and_other_numbers_are_fine() -> None:
    fields = (
        field("/branchPhone", description="담당 지점 전화번호", place=Place(DTO, 1)),
        field("/phone", description="고객센터 전화번호", place=Place(DTO, 2)),
        field("/center/phone", description="연락처", place=Place(DTO, 3)),
        field("/claimNo", description="보험금 청구번호", place=Place(DTO, 4)),
    )
    assert said(TK516, facts(imported={TOOL: imported(outputs=fields)})) == []
