"""What agents get when they ask for the notices."""

from typing import Annotated

from axhub.toolkit import Desc, Output, output_schema


class NoticeItem(Output):
    """One notice."""

    title: Annotated[str, Desc("공지 제목")]
    posted_on: Annotated[str, Desc("게시일(YYYY-MM-DD)")]
    closes_on: Annotated[str | None, Desc("게시 종료일(YYYY-MM-DD). 종료일이 없으면 null이며 계속 게시한다.")]


@output_schema
class NoticeLookupResponse(Output):
    """The notices of today."""

    items: Annotated[list[NoticeItem], Desc("공지 목록. 게시일 내림차순, 최대 20건")]
    has_more: Annotated[bool, Desc("20건을 넘어 목록이 잘렸으면 true")]
