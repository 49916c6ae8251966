"""What the notice board takes and answers, in its own names."""

from axhub.toolkit import HttpBody


class NoticeQuery(HttpBody):
    """The question: how many rows at most."""

    rowCnt: int


class NoticeRow(HttpBody):
    """One notice; without an end it stays."""

    ttl: str
    regDt: str
    endDt: str


class NoticeListBody(HttpBody):
    """The answer; `totCnt` counts the rows that were left out too."""

    totCnt: int
    ntcList: list[NoticeRow]
