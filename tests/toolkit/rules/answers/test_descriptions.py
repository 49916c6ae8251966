"""What descriptions say, and what they only seem to say."""

import pytest

from axhub.toolkit.rules.answers.descriptions import is_conditional, says_complete, says_order, says_what_null_means


@pytest.mark.req("rule/TK514")
@pytest.mark.parametrize(
    "text",
    [
        "청구 목록. 접수일 내림차순, 최대 50건",
        "청구 목록. 접수일 오름차순으로",
        "청구 목록(최신순)",
        "청구 목록. 가나다순",
        "보장 목록. 보장 번호 순",
        "처리 이력. 빠른 순서대로",
        "처리 이력. 처리된 순서",
        "접수일 기준으로 정렬",
        "목록. 정렬하지 않는다",
        "최신 순이다",
        "Claims, newest first",
        "Claims, most recent claim first",
        "Claims sorted by date",
        "Claims in descending order",
        "Claims in no particular order",
        "Claims by date, ascending",
        "Claims. Order: by date",
        "All rates, BUY before SELL",
        "Rates (BUY, then SELL)",
        "First the open ones, then the closed ones",
        "By distance",
        "Branches, by name",
        "Claims, latest last",
        "Grouped by kind",
        "Ranked by amount",
        "Sort order: by date",
        "청구 목록. 큰 금액부터",
        "가까운 영업점부터",
        "최신 건이 먼저",
    ],
)
def test_an_order_is_recognised(text: str) -> None:
    assert says_order(text)


@pytest.mark.req("rule/TK514")
@pytest.mark.parametrize(
    "text",
    [
        "청구 목록",
        "단순 청구 목록",
        "순보험료 목록",
        "순번 목록",
        "순자산 목록",
        "8월 중순 접수 건의 목록",
        "8월중순 접수 목록",
        "하순 접수 목록",
        "모순 항목 목록",
        "순서 번호 목록",
        "순위별 상품 목록",
        "List of orders",
        "The order numbers of the customer",
        "First names of the insured",
        "Boarding points",
        "Sort code list",
        "Branches with their sort codes; border region",
        "Offers approved by the bank",
        "People before the customer",
        "1월부터의 청구",
    ],
)
def test_words_that_only_contain_a_sign_of_order_are_none(text: str) -> None:
    assert not says_order(text)


@pytest.mark.req("rule/TK512")
@pytest.mark.parametrize(
    "text",
    [
        "지급액(원). 심사 전이면 null이며 0원이 아니다",
        "거절 사유. status가 REJECTED일 때만 값이 있다",
        "지급일. 지급되지 않았으면 없음",
        "메모. 쓴 사람이 없으면 비어 있다",
        "Paid amount; null before the review",
        "Reason, only when status is REJECTED",
        "Note; absent if nobody wrote one",
        "Middle name. Missing for most people",
        "Date of payment if there is no objection",
        "Left out before noon",
        "N/A for cash",
        "Unset until the visit",
        "People before; not counted by every branch",
        "지급일. 지급 대상에 해당하지 않으면 비움",
    ],
)
def test_the_meaning_of_null_is_recognised(text: str) -> None:
    assert says_what_null_means(text)


@pytest.mark.req("rule/TK512")
@pytest.mark.parametrize(
    "text",
    [
        "지급액(원)",
        "Claim no.",
        "Notional amount",
        "Annulled contracts",
        "Nonessential cover",
        "접수 일시",
        "Note of the clerk",
        "null",
        "None.",
        "없음",
        "Amount in won; may be null",
        "A number or null",
        "거절 사유. null일 수 있다.",
        "지급액(원), null 가능",
        "메모. 비어 있을 수 있다",
        "nonetheless known",
        "optional",
    ],
)
def test_words_that_only_contain_a_sign_of_null_are_none(text: str) -> None:
    assert not says_what_null_means(text)


@pytest.mark.req("rule/TK513")
@pytest.mark.parametrize(
    "text", ["심사 전이면 null", "거절된 때 값이 있다", "거절된 경우", "지급되면 값이 있다", "Set when rejected"]
)
def test_a_condition_is_recognised(text: str) -> None:
    assert is_conditional(text)


@pytest.mark.req("rule/TK513")
@pytest.mark.parametrize(
    "text", ["화면 이름", "서면 번호", "감면 사유", "지연 때문", "Lifetime limit", "Whenua", "Notified amount"]
)
def test_words_that_only_contain_a_sign_of_a_condition_are_none(text: str) -> None:
    assert not is_conditional(text)


@pytest.mark.req("rule/TK515")
@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("보장 전체 목록", True),
        ("모든 보장", True),
        ("All covers of the contract", True),
        ("청구 목록. 최대 50건", False),
        ("Small claims", False),
        ("Covers, called riders", False),
    ],
)
def test_a_complete_list_says_so(text: str, complete: bool) -> None:
    assert says_complete(text) is complete
