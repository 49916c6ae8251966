"""What the claim system takes and answers when a claim is registered, in its own names."""

from axhub.toolkit import HttpBody


class ClaimRegisterBody(HttpBody):
    """The order."""

    cntrNo: str
    acdtDt: str
    acdtCn: str


class ClaimReceiptBody(HttpBody):
    """The answer."""

    clmNo: str
    stCd: str
    rcvDt: str
