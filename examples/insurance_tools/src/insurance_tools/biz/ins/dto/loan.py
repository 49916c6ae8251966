"""What agents send and get when they ask how much can be lent against a contract."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from axhub.toolkit import Desc, Input, Output, output_schema


class LoanInquiryRequest(Input):
    """Against which contract."""

    contract_no: Annotated[str, Desc("계약번호", example="2023-0001234", pattern="^[0-9]{4}-[0-9]{7}$")]


@output_schema
class LoanInquiryResponse(Output):
    """What can be lent, and what is."""

    contract_no: Annotated[str, Desc("계약번호")]
    available_amount: Annotated[int, Desc("더 빌릴 수 있는 금액(원)")]
    balance_amount: Annotated[int, Desc("대출 잔액(원). 대출이 없으면 0")]
    yearly_rate: Annotated[Decimal, Desc("연이율(%). 소수 넷째 자리까지")]
    base_date: Annotated[date, Desc("금액과 이율의 기준일(YYYY-MM-DD)")]
    next_interest_on: Annotated[date | None, Desc("다음 이자 납입일(YYYY-MM-DD). 대출이 없으면 null이다.")]
