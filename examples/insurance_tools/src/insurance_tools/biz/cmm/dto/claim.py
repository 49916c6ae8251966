"""What agents send and get when they look up or register claims."""

from datetime import date
from typing import Annotated, Literal

from pydantic import model_validator

from axhub.toolkit import Desc, Input, Output, output_schema

ClaimStatus = Literal["RECEIVED", "REVIEW", "PAID", "REJECTED", "UNKNOWN"]


class ClaimSearchRequest(Input):
    """Which claims to look up."""

    claim_no: Annotated[
        str | None,
        Desc("조회할 보험금 청구번호. 모르면 생략하거나 null", example="CLM202608100001", pattern="^CLM[0-9]{12}$"),
    ] = None
    contract_no: Annotated[
        str | None,
        Desc(
            "계약번호. 청구번호가 없을 때 사용하며 모르면 null", example="2023-0001234", pattern="^[0-9]{4}-[0-9]{7}$"
        ),
    ] = None

    @model_validator(mode="after")
    def _one_is_given(self) -> "ClaimSearchRequest":
        if self.claim_no is None and self.contract_no is None:
            raise ValueError("claimNo 또는 contractNo 중 하나 이상이 필요합니다")
        return self


class ClaimItem(Output):
    """One claim."""

    claim_no: Annotated[str, Desc("보험금 청구번호")]
    status: Annotated[ClaimStatus, Desc("청구 상태 코드. 알려지지 않은 상태이면 UNKNOWN")]
    status_label: Annotated[str, Desc("청구 상태 한글명")]
    received_on: Annotated[str, Desc("접수일(YYYY-MM-DD)", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    paid_amount: Annotated[int | None, Desc("지급액(원). 심사 전이면 null이며 0원으로 해석하지 않는다.")]
    rejected_reason: Annotated[
        str | None, Desc("지급 거절 사유. status가 REJECTED일 때만 값이 있고 그 밖에는 null이다.")
    ]


@output_schema
class ClaimSearchResponse(Output):
    """The claims that were found."""

    items: Annotated[list[ClaimItem], Desc("청구 목록. 접수일 내림차순, 최대 50건")]
    has_more: Annotated[bool, Desc("50건을 넘어 목록이 잘렸으면 true")]


class ClaimRegisterRequest(Input):
    """A new claim. Contract and day of the accident together identify it."""

    contract_no: Annotated[str, Desc("계약번호", example="2023-0001234", pattern="^[0-9]{4}-[0-9]{7}$")]
    accident_on: Annotated[date, Desc("사고일(YYYY-MM-DD)", example="2026-08-01")]
    cause: Annotated[str, Desc("사고 내용. 500자 이내", example="계단에서 넘어져 골절", min_length=1, max_length=500)]


@output_schema
class ClaimRegisterResponse(Output):
    """What became of it."""

    claim_no: Annotated[str, Desc("새로 부여된 보험금 청구번호")]
    status: Annotated[ClaimStatus, Desc("청구 상태 코드. 접수 직후에는 RECEIVED")]
    status_label: Annotated[str, Desc("청구 상태 한글명")]
    received_on: Annotated[str, Desc("접수일(YYYY-MM-DD)", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
