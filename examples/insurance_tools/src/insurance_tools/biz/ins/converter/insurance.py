"""Between contracts as agents see them and as the contract system keeps them."""

from typing import Final

from insurance_tools.biz.ins.dto.insurance import (
    ContractStatus,
    Coverage,
    Cycle,
    InsuranceRequest,
    InsuranceResponse,
    Premium,
)
from insurance_tools.dates import to_day_or_null
from insurance_tools.infra.http.insurance.io import ContractBody, ContractQuery, PaymentPart

_STATUS: Final[dict[str, tuple[ContractStatus, str]]] = {
    "01": ("ACTIVE", "유지"),
    "02": ("LAPSED", "실효"),
    "03": ("ENDED", "종료"),
}
_CYCLES: Final[dict[str, tuple[Cycle, str]]] = {
    "M": ("MONTHLY", "월납"),
    "Y": ("YEARLY", "연납"),
    "S": ("ONCE", "일시납"),
}
_NEW_STATUS: Final[tuple[ContractStatus, str]] = ("UNKNOWN", "알 수 없음")
_NEW_CYCLE: Final[tuple[Cycle, str]] = ("UNKNOWN", "알 수 없음")
_MOST: Final = 30


def to_http_request(request: InsuranceRequest) -> ContractQuery:
    """Return the question to the contract system."""
    return ContractQuery(cntrNo=request.contract_no)


def to_response(body: ContractBody) -> InsuranceResponse:
    """Return the contract, the highest coverage first, and no more of them than the answer promises."""
    status, status_label = _STATUS.get(body.cntrSt, _NEW_STATUS)
    rows = sorted(body.cvrList, key=lambda row: int(row.lmtAmt), reverse=True)
    coverages = [
        Coverage(name=row.cvrNm, limit_amount=int(row.lmtAmt), ends_on=to_day_or_null(row.endDt))
        for row in rows[:_MOST]
    ]
    return InsuranceResponse(
        contract_no=body.cntrNo,
        product_name=body.prdNm,
        status=status,
        status_label=status_label,
        premium=_to_premium(body.payInfo),
        coverages=coverages,
        has_more=body.moreYn == "Y" or len(rows) > _MOST,
    )


def _to_premium(part: PaymentPart) -> Premium:
    cycle, cycle_label = _CYCLES.get(part.cycl, _NEW_CYCLE)
    return Premium(amount=int(part.amt), cycle=cycle, cycle_label=cycle_label, account_no=part.acctNo or None)
