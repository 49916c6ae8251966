"""What the code system takes and answers, in its own names."""

from axhub.toolkit import HttpBody


class ComcodeQuery(HttpBody):
    """The question."""

    grpCd: str


class ComcodeRow(HttpBody):
    """One code."""

    cd: str
    cdNm: str
    useYn: str


class ComcodeGroupBody(HttpBody):
    """The answer."""

    grpCd: str
    grpNm: str
    cdList: list[ComcodeRow]
