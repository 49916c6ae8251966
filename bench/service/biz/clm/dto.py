"""What agents send and get; `bench/peers/claims.py` has the same for the peers."""

from typing import Annotated, Literal

from axhub.toolkit import Desc, Input, Output, output_schema

Status = Literal["RECEIVED", "REVIEW", "PAID"]


class ClaimSearchRequest(Input):
    contract_no: Annotated[str, Desc("계약번호", example="2023-0001234", pattern="^[0-9]{4}-[0-9]{7}$")]
    statuses: Annotated[list[Status], Desc("조회할 청구 상태 목록. 순서는 무관", example=["PAID"], max_length=3)]
    limit: Annotated[int, Desc("최대 건수", example=20, ge=1, le=50)]


class ClaimItem(Output):
    claim_no: Annotated[str, Desc("보험금 청구번호")]
    status: Annotated[Status, Desc("청구 상태 코드")]
    status_label: Annotated[str, Desc("청구 상태 한글명")]
    received_on: Annotated[str, Desc("접수일(YYYY-MM-DD)")]
    paid_amount: Annotated[int | None, Desc("지급액(원). 심사 전이면 null이며 0원으로 해석하지 않는다.")]


@output_schema
class ClaimSearchResponse(Output):
    items: Annotated[list[ClaimItem], Desc("청구 목록. 접수일 내림차순, 최대 50건")]
    has_more: Annotated[bool, Desc("최대 건수를 넘어 목록이 잘렸으면 true")]
