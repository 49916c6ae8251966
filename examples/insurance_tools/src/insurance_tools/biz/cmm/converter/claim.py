"""Between claims as agents see them and claims as the claim system keeps them."""

from typing import Final

from insurance_tools.biz.cmm.dto.claim import (
    ClaimItem,
    ClaimRegisterRequest,
    ClaimRegisterResponse,
    ClaimSearchRequest,
    ClaimSearchResponse,
    ClaimStatus,
)
from insurance_tools.dates import to_day, to_digits
from insurance_tools.infra.http.claim.io import ClaimListBody, ClaimRow, ClaimSearchBody
from insurance_tools.infra.http.claim_register.io import ClaimReceiptBody, ClaimRegisterBody

_STATUS: Final[dict[str, ClaimStatus]] = {"10": "RECEIVED", "20": "REVIEW", "30": "PAID", "90": "REJECTED"}
_LABELS: Final[dict[ClaimStatus, str]] = {
    "RECEIVED": "접수",
    "REVIEW": "심사 중",
    "PAID": "지급 완료",
    "REJECTED": "지급 거절",
    "UNKNOWN": "알 수 없음",
}
_MOST: Final = 50


def to_search_body(request: ClaimSearchRequest) -> ClaimSearchBody:
    """Return the question to the claim system; what is not given is empty there."""
    return ClaimSearchBody(clmNo=request.claim_no or "", cntrNo=request.contract_no or "")


def to_search_response(body: ClaimListBody) -> ClaimSearchResponse:
    """Return the claims, the newest first, and no more than the answer promises."""
    rows = sorted(body.clmList, key=lambda row: row.rcvDt, reverse=True)
    items = [_to_item(row) for row in rows[:_MOST]]
    return ClaimSearchResponse(items=items, has_more=bool(body.nextKey) or len(rows) > _MOST)


def to_register_body(request: ClaimRegisterRequest) -> ClaimRegisterBody:
    """Return the order to the claim system."""
    return ClaimRegisterBody(cntrNo=request.contract_no, acdtDt=to_digits(request.accident_on), acdtCn=request.cause)


def to_register_response(body: ClaimReceiptBody) -> ClaimRegisterResponse:
    """Return what the claim system made of it."""
    status = _to_status(body.stCd)
    return ClaimRegisterResponse(
        claim_no=body.clmNo, status=status, status_label=_LABELS[status], received_on=to_day(body.rcvDt)
    )


def _to_status(code: str) -> ClaimStatus:
    """Return the status of a code; one that came into being after this was written is no reason to fail."""
    return _STATUS.get(code, "UNKNOWN")


def _to_item(row: ClaimRow) -> ClaimItem:
    status = _to_status(row.stCd)
    return ClaimItem(
        claim_no=row.clmNo,
        status=status,
        status_label=_LABELS[status],
        received_on=to_day(row.rcvDt),
        paid_amount=int(row.payAmt) if row.payAmt else None,
        rejected_reason=row.rjctRsn or None,
    )
