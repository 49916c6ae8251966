"""Claims in both directions, without a service and without a network."""

from datetime import date

import pytest
from pydantic import ValidationError

from insurance_tools.biz.cmm.converter.claim import (
    to_register_body,
    to_register_response,
    to_search_body,
    to_search_response,
)
from insurance_tools.biz.cmm.dto.claim import (
    ClaimItem,
    ClaimRegisterRequest,
    ClaimRegisterResponse,
    ClaimSearchRequest,
    ClaimSearchResponse,
)
from insurance_tools.infra.http.claim.io import ClaimListBody, ClaimRow, ClaimSearchBody
from insurance_tools.infra.http.claim_register.io import ClaimReceiptBody, ClaimRegisterBody


def test_what_is_not_given_is_empty_in_the_claim_system() -> None:
    assert to_search_body(ClaimSearchRequest(claim_no="CLM202608100001")) == ClaimSearchBody(
        clmNo="CLM202608100001", cntrNo=""
    )


def test_a_search_needs_one_of_two_numbers() -> None:
    with pytest.raises(ValidationError, match="claimNo 또는 contractNo 중 하나 이상이 필요합니다"):
        ClaimSearchRequest()


def test_claims_come_newest_first_with_labels_and_without_invented_amounts() -> None:
    older = ClaimRow(clmNo="CLM202607220007", stCd="30", rcvDt="20260722", payAmt="350000", rjctRsn="")
    newer = ClaimRow(clmNo="CLM202608100001", stCd="20", rcvDt="20260810", payAmt="", rjctRsn="")
    assert to_search_response(ClaimListBody(clmList=[older, newer], nextKey="N")) == ClaimSearchResponse(
        items=[
            ClaimItem(
                claim_no="CLM202608100001",
                status="REVIEW",
                status_label="심사 중",
                received_on="2026-08-10",
                paid_amount=None,
                rejected_reason=None,
            ),
            ClaimItem(
                claim_no="CLM202607220007",
                status="PAID",
                status_label="지급 완료",
                received_on="2026-07-22",
                paid_amount=350000,
                rejected_reason=None,
            ),
        ],
        has_more=True,
    )


def test_a_status_that_nobody_knows_yet_is_told_as_such() -> None:
    row = ClaimRow(clmNo="CLM202608100001", stCd="77", rcvDt="20260810", payAmt="", rjctRsn="")
    (item,) = to_search_response(ClaimListBody(clmList=[row], nextKey="")).items
    assert (item.status, item.status_label) == ("UNKNOWN", "알 수 없음")
    receipt = to_register_response(ClaimReceiptBody(clmNo="CLM202611300042", stCd="77", rcvDt="20261130"))
    assert (receipt.status, receipt.status_label) == ("UNKNOWN", "알 수 없음")


@pytest.mark.parametrize(("count", "shown", "more"), [(50, 50, False), (51, 50, True)])
def test_no_more_claims_come_than_promised_and_what_is_cut_off_is_said(count: int, shown: int, more: bool) -> None:
    rows = [
        ClaimRow(clmNo=f"CLM{number:012}", stCd="20", rcvDt="20260810", payAmt="", rjctRsn="")
        for number in range(count)
    ]
    response = to_search_response(ClaimListBody(clmList=rows, nextKey=""))
    assert (len(response.items), response.has_more) == (shown, more)


@pytest.mark.parametrize("day", ["", "x", "홍길동", "2026081", "20261301", "10일"])
def test_what_is_no_day_is_not_passed_on(day: str) -> None:
    row = ClaimRow(clmNo="CLM202608100001", stCd="20", rcvDt=day, payAmt="", rjctRsn="")
    with pytest.raises(ValueError, match=r"isoformat|month"):
        to_search_response(ClaimListBody(clmList=[row], nextKey=""))
    with pytest.raises(ValueError, match=r"isoformat|month"):
        to_register_response(ClaimReceiptBody(clmNo="CLM202611300042", stCd="10", rcvDt=day))


def test_a_registration_goes_and_comes() -> None:
    request = ClaimRegisterRequest(contract_no="2023-0001234", accident_on=date(2026, 8, 1), cause="골절")
    assert to_register_body(request) == ClaimRegisterBody(cntrNo="2023-0001234", acdtDt="20260801", acdtCn="골절")
    receipt = ClaimReceiptBody(clmNo="CLM202611300042", stCd="10", rcvDt="20261130")
    assert to_register_response(receipt) == ClaimRegisterResponse(
        claim_no="CLM202611300042", status="RECEIVED", status_label="접수", received_on="2026-11-30"
    )
