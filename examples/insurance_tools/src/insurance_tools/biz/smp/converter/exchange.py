"""Between exchange rates as agents see them and as the rate system keeps them."""

from typing import Final

from insurance_tools.biz.smp.dto.exchange import (
    ExchangeInquiryRequest,
    ExchangeInquiryResponse,
    ExchangeRate,
    RateKind,
)
from insurance_tools.dates import to_day, to_digits
from insurance_tools.infra.http.exchange.io import RateBody, RateQuery

_KINDS: Final[dict[str, tuple[RateKind, str]]] = {
    "1": ("BASE", "매매기준율"),
    "2": ("BUY", "살 때"),
    "3": ("SELL", "팔 때"),
}
_NEW_KIND: Final[tuple[RateKind, str]] = ("UNKNOWN", "알 수 없음")


def to_http_request(request: ExchangeInquiryRequest) -> RateQuery:
    """Return the question to the rate system; without a day it answers for today."""
    return RateQuery(crcyCd=request.currency, bseDt=to_digits(request.base_date) if request.base_date else "")


def to_response(body: RateBody) -> ExchangeInquiryResponse:
    """Return the rates in the order base, buy, sell; of a kind that is new, after them."""
    rows = sorted(body.rateList, key=lambda row: row.knd)
    rates = [
        ExchangeRate(kind=kind, kind_label=label, won=float(row.amt.replace(",", "")))
        for row in rows
        for kind, label in [_KINDS.get(row.knd, _NEW_KIND)]
    ]
    return ExchangeInquiryResponse(
        currency=body.crcyCd,
        currency_label=body.crcyNm,
        unit=int(body.unit),
        base_date=to_day(body.ntfyDt),
        rates=rates,
    )
