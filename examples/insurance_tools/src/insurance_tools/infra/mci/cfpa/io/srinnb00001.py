"""What is paid back when a contract is cancelled: signed amounts, and a refusal instead of data."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from axhub.toolkit.mci import Date, Layout, Num, Text


class SRINNB00001_I(Layout, id="SRINNB00001", size=20):
    """The question."""

    cntr_no: Annotated[str, Text(12)]  # 계약번호
    bse_dt: Annotated[date, Date()]  # 해지 예정일


class SRINNB00001_O(Layout, id="SRINNB00001", size=68):
    """The answer."""

    cntr_no: Annotated[str, Text(12)]  # 계약번호
    bse_dt: Annotated[date, Date()]  # 해지 예정일
    rfnd_amt: Annotated[int, Num(13)]  # 해지환급금
    paid_amt: Annotated[int, Num(13)]  # 납입보험료 합계
    pl_amt: Annotated[int, Num(14, sign="leading")]  # 환급금과 납입보험료의 차이
    rfnd_rt: Annotated[Decimal, Num(7, scale=2, sign="trailing")]  # 환급률(%)
    rfnd_tp: Annotated[str, Text(1)]  # 환급 유형
