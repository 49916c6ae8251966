"""What the claim system takes and answers, in its own names."""

from axhub.toolkit import HttpBody


class ClaimSearchBody(HttpBody):
    """The question; a number that is not known is empty."""

    clmNo: str
    cntrNo: str


class ClaimRow(HttpBody):
    """One claim."""

    clmNo: str
    stCd: str
    rcvDt: str
    payAmt: str
    rjctRsn: str


class ClaimListBody(HttpBody):
    """The answer; `nextKey` is empty on the last page."""

    clmList: list[ClaimRow]
    nextKey: str
