"""What the contract system takes and answers, in its own names."""

from axhub.toolkit import HttpBody


class ContractQuery(HttpBody):
    """The question."""

    cntrNo: str


class PaymentPart(HttpBody):
    """How the premium is paid; without a direct debit the account is empty."""

    amt: str
    cycl: str
    acctNo: str


class CoverageRow(HttpBody):
    """One coverage; one for life has no end."""

    cvrNm: str
    lmtAmt: str
    endDt: str


class ContractBody(HttpBody):
    """The answer."""

    cntrNo: str
    prdNm: str
    cntrSt: str
    payInfo: PaymentPart
    cvrList: list[CoverageRow]
    moreYn: str
