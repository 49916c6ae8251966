"""Between refunds as agents see them and as the core system keeps them."""

from typing import Final

from insurance_tools.biz.ins.dto.surrender import RefundType, SurrenderInquiryRequest, SurrenderInquiryResponse
from insurance_tools.infra.mci.cfpa.io.srinnb00001 import SRINNB00001_I, SRINNB00001_O

_TYPES: Final[dict[str, tuple[RefundType, str]]] = {
    "S": ("STANDARD", "표준형"),
    "L": ("LOW", "저해지환급형"),
    "N": ("NONE", "무해지환급형"),
}
_NEW_TYPE: Final[tuple[RefundType, str]] = ("UNKNOWN", "알 수 없음")


def to_mci_request(request: SurrenderInquiryRequest) -> SRINNB00001_I:
    """Return the question as a telegram."""
    return SRINNB00001_I(cntr_no=request.contract_no, bse_dt=request.cancel_on)


def to_response(answer: SRINNB00001_O) -> SurrenderInquiryResponse:
    """Return the refund."""
    refund_type, label = _TYPES.get(answer.rfnd_tp, _NEW_TYPE)
    return SurrenderInquiryResponse(
        contract_no=answer.cntr_no,
        cancel_on=answer.bse_dt,
        refund_amount=answer.rfnd_amt,
        paid_amount=answer.paid_amt,
        difference=answer.pl_amt,
        refund_rate=answer.rfnd_rt,
        refund_type=refund_type,
        refund_type_label=label,
    )
