"""The tool that is measured; `bench/peers/claims.py` has the same for the peers."""

from axhub.toolkit import tool, tool_hint
from bench.peers.claims import CLAIMS
from bench.service.biz.clm.dto import ClaimItem, ClaimSearchRequest, ClaimSearchResponse


@tool(
    name="clm_claim_search",
    title="보험금 청구 조회",
    description="계약번호와 상태로 보험금 청구 목록을 조회합니다.",
)
@tool_hint(category_key="clm", mapping_id="CLCNNB00001")
async def search_claims(request: ClaimSearchRequest) -> ClaimSearchResponse:
    found = [claim for claim in CLAIMS if claim.status in request.statuses]
    items = [
        ClaimItem(
            claim_no=claim.number,
            status=claim.status,
            status_label=claim.label,
            received_on=claim.received_on,
            paid_amount=claim.paid,
        )
        for claim in found[: request.limit]
    ]
    return ClaimSearchResponse(items=items, has_more=len(found) > request.limit)
