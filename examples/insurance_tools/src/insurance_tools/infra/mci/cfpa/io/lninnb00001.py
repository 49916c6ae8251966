"""Loans against a contract: packed amounts, a rate with four decimal places, days."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from axhub.toolkit.mci import Date, Filler, Layout, Num, Packed, Text


class LNINNB00001_I(Layout, id="LNINNB00001", size=12):
    """The question."""

    cntr_no: Annotated[str, Text(12)]  # 계약번호


class LNINNB00001_O(Layout, id="LNINNB00001", size=59):
    """The answer."""

    cntr_no: Annotated[str, Text(12)]  # 계약번호
    loan_psb_amt: Annotated[int, Packed(7)]  # 대출가능금액
    loan_bal_amt: Annotated[int, Packed(7)]  # 대출잔액
    int_rt: Annotated[Decimal, Num(7, scale=4)]  # 연이율(%)
    bse_dt: Annotated[date, Date()]  # 기준일
    nxt_int_dt: Annotated[date | None, Date(none="0")]  # 다음 이자납입일, 대출이 없으면 0
    filler: Annotated[None, Filler(10)] = None
