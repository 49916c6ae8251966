"""What agents send and get when they look up common codes."""

from typing import Annotated

from axhub.toolkit import Desc, Input, Output, output_schema


class ComcodeLookupRequest(Input):
    """Which group of codes to look up."""

    group_code: Annotated[
        str, Desc("공통코드 그룹. 영문 대문자와 밑줄 30자 이내", example="CLAIM_TYPE", pattern="^[A-Z][A-Z_]{0,29}$")
    ]


class ComcodeItem(Output):
    """One code of the group."""

    code: Annotated[str, Desc("공통코드 값")]
    code_label: Annotated[str, Desc("공통코드 한글명")]
    in_use: Annotated[bool, Desc("현재 사용 중이면 true, 폐지되었으면 false")]


@output_schema
class ComcodeLookupResponse(Output):
    """All codes of one group."""

    group_code: Annotated[str, Desc("조회한 공통코드 그룹")]
    group_code_label: Annotated[str, Desc("공통코드 그룹 한글명")]
    items: Annotated[list[ComcodeItem], Desc("그룹의 전체 코드. 코드 값 오름차순이며 잘리지 않는다.")]
