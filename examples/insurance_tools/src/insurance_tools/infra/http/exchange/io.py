"""What the rate system takes and answers, in its own names."""

from axhub.toolkit import HttpBody


class RateQuery(HttpBody):
    """The question; an empty day is today."""

    crcyCd: str
    bseDt: str


class RateRow(HttpBody):
    """One rate; the amount has thousands separators."""

    knd: str
    amt: str


class RateBody(HttpBody):
    """The answer."""

    crcyCd: str
    crcyNm: str
    unit: str
    ntfyDt: str
    rateList: list[RateRow]
