"""What the pricing system takes and answers, in its own names."""

from axhub.toolkit import HttpBody


class PriceQuery(HttpBody):
    """The question."""

    insAge: int
    planTp: str


class PriceBody(HttpBody):
    """The answer."""

    planTp: str
    mnPrm: str
