"""Between branches as agents see them and as the branch directory keeps them."""

from typing import Final

from insurance_tools.biz.smp.dto.branch import (
    AskedService,
    BranchItem,
    BranchSearchRequest,
    BranchSearchResponse,
    BranchService,
    ServiceItem,
)
from insurance_tools.infra.http.branch.io import BranchListBody, BranchQuery, BranchRow

_CODES: Final[dict[AskedService, str]] = {"COUNSEL": "01", "CLAIM": "02", "LOAN": "03"}
_SERVICES: Final[dict[str, tuple[BranchService, str]]] = {
    "01": ("COUNSEL", "상담"),
    "02": ("CLAIM", "보험금 접수"),
    "03": ("LOAN", "대출"),
}
_NEW_SERVICE: Final[tuple[BranchService, str]] = ("UNKNOWN", "알 수 없음")
_MOST: Final = 20


def to_http_request(request: BranchSearchRequest) -> BranchQuery:
    """Return the question to the branch directory; what is not given is empty there."""
    service = _CODES[request.service] if request.service else ""
    return BranchQuery(rgnNm=request.region, svcCd=service, pageKey=request.cursor or "")


def to_response(body: BranchListBody) -> BranchSearchResponse:
    """Return one page; where theirs is longer than ours, the next one begins at the first that is left out."""
    rows = sorted(body.brList, key=lambda row: row.brCd)
    left_out = rows[_MOST].brCd if len(rows) > _MOST else body.nextKey
    return BranchSearchResponse(
        items=[_to_item(row) for row in rows[:_MOST]], has_more=bool(left_out), next_cursor=left_out or None
    )


def _to_item(row: BranchRow) -> BranchItem:
    services = [
        ServiceItem(service=service, service_label=label)
        for code in sorted(row.svcList)
        for service, label in [_SERVICES.get(code, _NEW_SERVICE)]
    ]
    return BranchItem(
        branch_code=row.brCd,
        branch_code_label=row.brNm,
        services=services,
        opens_at=_time(row.opnTm),
        closes_at=_time(row.clsTm),
    )


def _time(digits: str) -> str:
    return f"{digits[:2]}:{digits[2:]}"
