"""What agents send and get when they look for a branch."""

from typing import Annotated, Literal

from axhub.toolkit import Desc, Input, Output, output_schema

AskedService = Literal["COUNSEL", "CLAIM", "LOAN"]
BranchService = Literal["COUNSEL", "CLAIM", "LOAN", "UNKNOWN"]


class BranchSearchRequest(Input):
    """Where, for what, and from which branch on."""

    region: Annotated[str, Desc("시·군·구 이름. 20자 이내", example="강남구", min_length=1, max_length=20)]
    service: Annotated[
        AskedService | None,
        Desc("COUNSEL 상담, CLAIM 보험금 접수, LOAN 대출. 생략하거나 null이면 모든 지점", example="CLAIM"),
    ] = None
    cursor: Annotated[
        str | None,
        Desc(
            "다음 쪽을 볼 때 앞 결과의 nextCursor 값. 생략하거나 null이면 첫 쪽",
            example="B0020",
            pattern="^[A-Z0-9]{1,20}$",
        ),
    ] = None


class ServiceItem(Output):
    """One thing that a branch does."""

    service: Annotated[BranchService, Desc("취급 업무 코드. 알려지지 않은 업무이면 UNKNOWN")]
    service_label: Annotated[str, Desc("취급 업무 한글명")]


class BranchItem(Output):
    """One branch."""

    branch_code: Annotated[str, Desc("지점 코드")]
    branch_code_label: Annotated[str, Desc("지점 한글명")]
    services: Annotated[list[ServiceItem], Desc("전체 취급 업무. 업무 코드 오름차순이며 잘리지 않는다.")]
    opens_at: Annotated[str, Desc("영업 시작 시각(HH:MM)")]
    closes_at: Annotated[str, Desc("영업 종료 시각(HH:MM)")]


@output_schema
class BranchSearchResponse(Output):
    """One page of branches."""

    items: Annotated[list[BranchItem], Desc("지점 목록. 지점 코드 오름차순, 최대 20건")]
    has_more: Annotated[bool, Desc("20건을 넘어 목록이 잘렸으면 true")]
    next_cursor: Annotated[str | None, Desc("다음 쪽을 볼 때 cursor에 넣을 값. 마지막 쪽이면 null")]
