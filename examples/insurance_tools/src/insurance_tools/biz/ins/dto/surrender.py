"""What agents send and get when they ask what is paid back for a contract that is cancelled."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from axhub.toolkit import Desc, Input, Output, output_schema

RefundType = Literal["STANDARD", "LOW", "NONE", "UNKNOWN"]


class SurrenderInquiryRequest(Input):
    """Which contract, and when."""

    contract_no: Annotated[str, Desc("계약번호", example="2023-0001234", pattern="^[0-9]{4}-[0-9]{7}$")]
    cancel_on: Annotated[date, Desc("해지하려는 날(YYYY-MM-DD)", example="2026-12-31")]


@output_schema
class SurrenderInquiryResponse(Output):
    """What would be paid back."""

    contract_no: Annotated[str, Desc("계약번호")]
    cancel_on: Annotated[date, Desc("해지하려는 날(YYYY-MM-DD)")]
    refund_amount: Annotated[int, Desc("해지환급금(원)")]
    paid_amount: Annotated[int, Desc("지금까지 납입한 보험료 합계(원)")]
    difference: Annotated[int, Desc("해지환급금에서 납입한 보험료를 뺀 금액(원). 손해이면 음수")]
    refund_rate: Annotated[Decimal, Desc("환급률(%). 소수 둘째 자리까지")]
    refund_type: Annotated[RefundType, Desc("환급 유형 코드. 알려지지 않은 유형이면 UNKNOWN")]
    refund_type_label: Annotated[str, Desc("환급 유형 한글명")]
