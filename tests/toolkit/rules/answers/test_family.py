"""Codes with labels, null, conditions, order and completeness of lists: TK511 to TK515."""

from typing import Any

import pytest

from axhub.toolkit.facts.service import Facts, Field, Place, Shape
from axhub.toolkit.rules.answers.family import RULES, TK511, TK512, TK513, TK514, TK515
from axhub.toolkit.rules.model import Rule
from support.telling import expect, said
from support.toolkit_facts import DTO, TOOL, facts, field, imported

AT = f"{DTO}:13:5"
STATUS = {"shape": Shape.CODE, "description": "청구 상태 코드", "codes": ("PAID", "REJECTED")}
LABEL = field("/statusLabel", description="청구 상태 이름")
ITEMS = {"shape": Shape.LIST, "item": Shape.OBJECT}
MORE = field("/hasMore", shape=Shape.SWITCH, description="잘렸으면 true")


def _with(*fields: Field) -> Facts:
    return facts(imported={TOOL: imported(outputs=fields)})


def _expect(rule: Rule, found: Facts, english: str, korean: str, severity: str = "error") -> None:
    expect(rule, found, f"{AT}: {severity}: {english}", f"{AT}: {severity}: {korean}")


def test_the_family_has_its_rules() -> None:
    ids = ["TK511", "TK512", "TK513", "TK514", "TK515", "TK516", "TK503", "TK517", "TK518"]
    assert [rule.id for rule in RULES] == ids


def test_the_good_service_breaks_none_of_them() -> None:
    assert [said(rule, facts()) for rule in RULES] == [[]] * len(RULES)


# --- TK511 -----------------------------------------------------------------------------------------------------------


@pytest.mark.req("rule/TK511")
@pytest.mark.parametrize(
    ("name", "changes", "label", "line"),
    [
        ("status", {}, "statusLabel", 'status_label: Annotated[str, Desc("청구 상태 이름")]'),
        ("claimStatusCd", {}, "claimStatusLabel", 'claim_status_label: Annotated[str, Desc("청구 상태 이름")]'),
        ("claim_status_code", {}, "claim_status_label", 'claim_status_label: Annotated[str, Desc("청구 상태 이름")]'),
        ("code", {"description": "Bank code (3 digits)"}, "label", 'label: Annotated[str, Desc("Bank in words")]'),
        (
            "status",
            {"nullable": True, "description": "청구 상태 코드. 심사 전이면 null"},
            "statusLabel",
            'status_label: Annotated[str | None, Desc("청구 상태 이름. status 값이 null이면 null")]',
        ),
        (
            "status",
            {"nullable": True, "description": "Claim status, null before the review"},
            "statusLabel",
            'status_label: Annotated[str | None, Desc("Claim status in words. null where status is null")]',
        ),
    ],
)
def test_a_code_without_a_label_gets_the_line_to_add(name: str, changes: Any, label: str, line: str) -> None:
    _expect(
        TK511,
        _with(field(f"/{name}", **{**STATUS, **changes})),
        f"The code /{name} of ClaimSearchResponse has no label beside it. Add `{label}` below it, and fill it in the "
        f"converter: {line}",
        f"ClaimSearchResponse의 /{name} 코드 옆에 라벨이 없습니다. 아래에 `{label}` 필드를 추가하고 converter에서 "
        f"채우십시오: {line}",
    )


@pytest.mark.req("rule/TK511")
@pytest.mark.parametrize("name", ["status", "claimStatus", "stCd", "reasonCode", "contractType", "paid_yn"])
def test_a_text_that_is_called_like_a_code_is_a_warning(name: str) -> None:
    [told] = said(TK511, _with(field(f"/{name}", description="값")))
    assert told.startswith(
        f"{AT}: warning: The field /{name} of ClaimSearchResponse looks like a code and has no label beside it. If it "
        "is a code, add `"
    )


@pytest.mark.req("rule/TK511")
def test_the_warning_is_whole_in_both_languages() -> None:
    line = 'reason_label: Annotated[str, Desc("거절 사유 이름")]'
    _expect(
        TK511,
        _with(field("/reasonCode", description="거절 사유 코드")),
        "The field /reasonCode of ClaimSearchResponse looks like a code and has no label beside it. If it is a code, "
        f"add `reasonLabel` below it: {line}",
        "ClaimSearchResponse의 /reasonCode 필드는 코드로 보이는데 옆에 라벨이 없습니다. 코드라면 아래에 "
        f"`reasonLabel` 필드를 추가하십시오: {line}",
        "warning",
    )


@pytest.mark.req("rule/TK511")
@pytest.mark.parametrize(
    ("code", "label"),
    [
        ("status", "statusLabel"), ("status", "statusName"), ("status", "status_nm"), ("statusCode", "statusLabel"),
        ("statusCode", "statusCodeLabel"), ("statusCode", "status"), ("claimStatus", "statusLabel"), ("code", "name"),
        ("code", "label"), ("type", "typeText"), ("status", "label"),
    ],
)  # fmt: skip
def test_a_label_beside_the_code_is_recognised(code: str, label: str) -> None:
    assert said(TK511, _with(field(f"/{code}", **STATUS), field(f"/{label}", description="이름"))) == []


@pytest.mark.req("rule/TK511")
@pytest.mark.parametrize("other", ["name", "customerName", "reasonLabel", "items/*/statusLabel"])
def test_the_label_of_something_else_does_not_count(other: str) -> None:
    assert len(said(TK511, _with(field("/status", **STATUS), field(f"/{other}", description="이름")))) == 1


@pytest.mark.req("rule/TK511")
@pytest.mark.parametrize(
    "plain",
    [
        field("/status", shape=Shape.CODE, codes=("심사 중", "지급")),
        field("/zipCode"),
        field("/currencyCode"),
        field("/barcode"),
        field("/prototype"),
        field("/status", description="청구 상태 한글명"),
        field("/status", shape=Shape.OBJECT),
        field("/paidYn", shape=Shape.SWITCH),
        field("/statusLabel"),
        field("/typeCount", shape=Shape.NUMBER),
    ],
)
def test_what_people_read_as_it_is_needs_no_label(plain: Field) -> None:
    assert said(TK511, _with(plain)) == []


# --- TK512, TK513 ----------------------------------------------------------------------------------------------------


@pytest.mark.req("rule/TK512")
@pytest.mark.parametrize(
    ("shape", "description", "line"),
    [
        (Shape.NUMBER, "지급액(원)", "지급액(원). 아직 정해지지 않았으면 null이며 0으로 해석하지 않는다"),
        (Shape.TEXT, "지급일.", "지급일. 아직 정해지지 않았으면 null"),
        (Shape.LIST, "서류 목록", "서류 목록. 아직 정해지지 않았으면 null이며 빈 목록과 다르다"),
        (Shape.NUMBER, "Paid amount", "Paid amount. Null until it is known, which is not 0"),
        (Shape.LIST, "Documents", "Documents. Null until it is known, which is not an empty list"),
    ],
)
def test_a_nullable_field_gets_a_sentence_about_null(shape: Shape, description: str, line: str) -> None:
    _expect(
        TK512,
        _with(field("/paidAmount", shape=shape, nullable=True, description=description)),
        "The field /paidAmount of ClaimSearchResponse may be null, and its description does not say what null means. "
        "Say when `paid_amount` has no value, in words such as null, unknown, unset, left out or only when, for "
        f'instance: Desc("{line}")',
        "ClaimSearchResponse의 /paidAmount 필드는 null일 수 있는데 설명에 null의 의미가 없습니다. `paid_amount`에 "
        f'언제 값이 없는지 null, 없으면, 때만 같은 말로 쓰십시오. 예: Desc("{line}")',
    )


@pytest.mark.req("rule/TK512")
@pytest.mark.parametrize(
    "fine",
    [
        field("/paidAmount", description="지급액(원)"),
        field("/paidAmount", nullable=True, description="지급액. 심사 전이면 null이며 0원이 아니다"),
        field("/paidAmount", nullable=True, description=" "),  # rule/TK310
    ],
)
def test_null_that_is_explained_or_cannot_be_is_fine(fine: Field) -> None:
    assert said(TK512, _with(fine)) == []


@pytest.mark.req("rule/TK513")
def test_a_field_that_is_called_like_a_code_beside_it_should_state_the_condition() -> None:
    reason = field("/rejectReason", nullable=True, description="거절 사유. 없는 값도 있다")
    line = 'Desc("거절 사유. 없는 값도 있다. status 값이 REJECTED일 때만 있다")'
    _expect(
        TK513,
        _with(reason, field("/status", **STATUS), LABEL),
        "The field /rejectReason of ClaimSearchResponse seems to depend on `status` being REJECTED, and does not say "
        f"so. State the condition, for instance: {line}",
        "ClaimSearchResponse의 /rejectReason 필드는 `status` 값이 REJECTED일 때만 있는 것으로 보이는데 설명에 조건이 "
        f"없습니다. 조건을 쓰십시오. 예: {line}",
        "warning",
    )


@pytest.mark.req("rule/TK513")
@pytest.mark.parametrize(
    "fine",
    [
        field("/rejectReason", nullable=True, description="거절 사유. status가 REJECTED일 때만 값이 있다"),
        field("/rejectReason", nullable=True, description="거절 사유. REJECTED 외에는 없음"),
        field("/rejectReason", nullable=True, description="거절 사유"),  # rule/TK512
        field("/rejectReason", description="거절 사유. 없으면 빈 텍스트"),
        field("/memo", nullable=True, description="메모. 없는 값도 있다"),
        field("/rejReason", nullable=True, description="메모. 없는 값도 있다"),
        field("/statusMemo", nullable=True, description="메모. 없는 값도 있다"),
    ],
)
def test_a_field_that_states_it_or_has_no_condition_is_fine(fine: Field) -> None:
    assert said(TK513, _with(fine, field("/status", **STATUS), LABEL)) == []


# --- TK514, TK515 ----------------------------------------------------------------------------------------------------


@pytest.mark.req("rule/TK514")
@pytest.mark.parametrize(
    ("description", "line"),
    [
        ("단순 청구 목록", "단순 청구 목록. 접수일 내림차순"),
        ("List of orders", "List of orders. Newest first"),
    ],
)
def test_a_list_without_an_order_is_told(description: str, line: str) -> None:
    _expect(
        TK514,
        _with(field("/items", description=description, **ITEMS), MORE),
        "The description of the list /items of ClaimSearchResponse does not state the order. Add the order in "
        f'words such as sorted, by, first, then or grouped, for instance: Desc("{line}"), or say that it is not '
        "sorted.",
        "ClaimSearchResponse의 /items 배열 설명에 정렬 기준이 없습니다. 정렬 기준을 정렬, 순, 부터, 먼저 같은 말로 "
        f'추가하십시오. 예: Desc("{line}"). 정해진 순서가 없으면 순서 없음이라고 쓰십시오.',
    )


@pytest.mark.req("rule/TK514")
def test_every_list_is_asked_for_its_order_and_nothing_else_is() -> None:
    inner = field("/items/*/tags", shape=Shape.LIST, item=Shape.TEXT, description="꼬리표", place=Place(DTO, 20, 5))
    fine = field("/items", description="청구 전체 목록. 접수일 내림차순", **ITEMS)
    told = said(TK514, _with(fine, inner, field("/name", description="이름")))
    assert [line.partition(" ")[0] for line in told] == [f"{DTO}:20:5:"]


@pytest.mark.req("rule/TK515")
def test_a_list_that_may_be_cut_should_say_so() -> None:
    line = 'has_more: Annotated[bool, Desc("목록이 잘렸으면 true")]'
    _expect(
        TK515,
        _with(field("/items", description="청구 목록. 접수일 내림차순, 최대 50건", **ITEMS)),
        f"Nothing says whether the list /items of ClaimSearchResponse is complete. Add a field beside it: {line}, or "
        "say in its description that it is always complete.",
        f"ClaimSearchResponse의 /items 배열이 전체인지 알 수 없습니다. 옆에 필드를 추가하십시오: {line}. 항상 "
        "전체라면 설명에 그렇게 쓰십시오.",
        "warning",
    )
    english = said(TK515, _with(field("/items", description="Claims, newest first", **ITEMS)))
    assert 'has_more: Annotated[bool, Desc("True if the list was cut")]' in english[0]


@pytest.mark.req("rule/TK515")
@pytest.mark.parametrize(
    "name",
    [
        "hasMore",
        "has_more",
        "more",
        "totalCount",
        "total",
        "nextCursor",
        "nextKey",
        "isTruncated",
        "lastPage",
        "isLast",
        "page",
        "hasNext",
    ],
)
def test_a_field_that_tells_of_more_is_recognised(name: str) -> None:
    items = field("/items", description="청구 목록. 접수일 내림차순", **ITEMS)
    assert said(TK515, _with(items, field(f"/{name}", shape=Shape.NUMBER))) == []


@pytest.mark.req("rule/TK515")
@pytest.mark.parametrize("name", ["furthermore", "memo", "subtotals2", "count", "lastName", "items/*/hasMore"])
def test_a_field_that_only_sounds_like_it_does_not_count(name: str) -> None:
    items = field("/items", description="청구 목록. 접수일 내림차순", **ITEMS)
    assert len(said(TK515, _with(items, field(f"/{name}", shape=Shape.NUMBER)))) == 1


@pytest.mark.req("rule/TK515")
@pytest.mark.parametrize(
    "fine",
    [
        field("/items", description="보장 전체 목록. 가나다순", **ITEMS),
        field("/items", description="All covers, sorted by name", **ITEMS),
        field("/tags", description="꼬리표. 가나다순", shape=Shape.LIST, item=Shape.TEXT),
    ],
)
def test_a_complete_list_and_one_of_plain_values_are_fine(fine: Field) -> None:
    assert said(TK515, _with(fine)) == []
