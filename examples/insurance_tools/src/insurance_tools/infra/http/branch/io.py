"""What the branch directory takes and answers, in its own names."""

from axhub.toolkit import HttpBody


class BranchQuery(HttpBody):
    """The question; an empty service is any, and an empty key is the first page."""

    rgnNm: str
    svcCd: str
    pageKey: str


class BranchRow(HttpBody):
    """One branch; times are four digits."""

    brCd: str
    brNm: str
    svcList: list[str]
    opnTm: str
    clsTm: str


class BranchListBody(HttpBody):
    """The answer, in the order of the codes; `nextKey` is empty on the last page."""

    brList: list[BranchRow]
    nextKey: str
