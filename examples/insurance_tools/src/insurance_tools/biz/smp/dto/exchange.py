"""What agents send and get when they ask for exchange rates."""

from datetime import date
from typing import Annotated, Literal

from axhub.toolkit import Desc, Input, Output

RateKind = Literal["BASE", "BUY", "SELL", "UNKNOWN"]


class ExchangeInquiryRequest(Input):
    """Which rates to look up. The schema resource narrows the currencies to those that are traded."""

    currency: Annotated[str, Desc("통화 코드(ISO 4217 영문 세 글자)", example="USD", pattern="^[A-Z]{3}$")]
    base_date: Annotated[date | None, Desc("기준일(YYYY-MM-DD). 생략하거나 null이면 오늘", example="2026-08-10")] = None


class ExchangeRate(Output):
    """One rate."""

    kind: Annotated[RateKind, Desc("환율 종류 코드. 알려지지 않은 종류이면 UNKNOWN")]
    kind_label: Annotated[str, Desc("환율 종류 한글명")]
    won: Annotated[float, Desc("외화 단위(unit)당 원화 금액(원)")]


class ExchangeInquiryResponse(Output):
    """The rates of one currency on one day."""

    currency: Annotated[str, Desc("통화 코드(ISO 4217)")]
    currency_label: Annotated[str, Desc("통화 한글명")]
    unit: Annotated[int, Desc("환율이 뜻하는 외화 단위. 엔화는 100, 그 밖에는 1")]
    base_date: Annotated[str, Desc("고시일(YYYY-MM-DD). 휴일이면 직전 영업일")]
    rates: Annotated[list[ExchangeRate], Desc("전체 환율. 매매기준율, 살 때, 팔 때 순서이며 잘리지 않는다.")]
