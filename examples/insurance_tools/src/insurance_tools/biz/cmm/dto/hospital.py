"""What agents send and get when they look for a hospital that works with the insurer."""

from typing import Annotated

from axhub.toolkit import Desc, Input, Output, output_schema


class HospitalSearchRequest(Input):
    """Where to look. The pattern lets nothing through that the code page of the core system lacks."""

    region: Annotated[
        str, Desc("병원을 찾을 시·군·구. 한글 20자 이내", example="강남구", pattern="^[가-힣0-9 ]{1,20}$")
    ]


class HospitalItem(Output):
    """One hospital."""

    hospital_code: Annotated[str, Desc("병원 코드")]
    hospital_code_label: Annotated[str, Desc("병원 이름")]
    location: Annotated[str, Desc("병원이 있는 곳")]
    claims_for_patients: Annotated[bool, Desc("병원에서 보험금 청구를 대신해 주면 true")]


@output_schema
class HospitalSearchResponse(Output):
    """The hospitals that were found."""

    items: Annotated[list[HospitalItem], Desc("제휴 병원 목록. 병원 코드 오름차순, 최대 10건")]
    has_more: Annotated[bool, Desc("10건을 넘어 목록이 잘렸으면 true")]
