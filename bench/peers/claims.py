"""The tool that the peers of the toolkit serve, on Pydantic alone: the models, the data and the handler."""

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

NAME = "clm_claim_search"
Status = Literal["RECEIVED", "REVIEW", "PAID"]


class Claim(NamedTuple):
    """A row of the table that the handler looks into."""

    number: str
    status: Status
    label: str
    received_on: str
    paid: int | None


CLAIMS = (
    Claim("CLM202608100001", "REVIEW", "심사 중", "2026-08-10", None),
    Claim("CLM202608020004", "RECEIVED", "접수", "2026-08-02", None),
    Claim("CLM202607220007", "PAID", "지급 완료", "2026-07-22", 350_000),
)


class _Model(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, extra="forbid", strict=True, frozen=True, allow_inf_nan=False
    )


class ClaimSearchRequest(_Model):
    """What is asked."""

    contract_no: Annotated[str, Field(description="계약번호", pattern="^[0-9]{4}-[0-9]{7}$")]
    statuses: Annotated[list[Status], Field(description="조회할 청구 상태 목록. 순서는 무관", max_length=3)]
    limit: Annotated[int, Field(description="최대 건수", ge=1, le=50)]


class ClaimItem(_Model):
    """One claim."""

    claim_no: str
    status: Status
    status_label: str
    received_on: str
    paid_amount: int | None


class ClaimSearchResponse(_Model):
    """What is answered."""

    items: list[ClaimItem]
    has_more: bool


async def search_claims(request: ClaimSearchRequest) -> ClaimSearchResponse:
    """Do what the tool does."""
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
