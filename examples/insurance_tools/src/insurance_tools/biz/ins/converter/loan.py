"""Between loans as agents see them and as the core system keeps them."""

from insurance_tools.biz.ins.dto.loan import LoanInquiryRequest, LoanInquiryResponse
from insurance_tools.infra.mci.cfpa.io.lninnb00001 import LNINNB00001_I, LNINNB00001_O


def to_mci_request(request: LoanInquiryRequest) -> LNINNB00001_I:
    """Return the question as a telegram."""
    return LNINNB00001_I(cntr_no=request.contract_no)


def to_response(answer: LNINNB00001_O) -> LoanInquiryResponse:
    """Return amounts, rate and days; without a loan no interest is due, whatever day stands there."""
    return LoanInquiryResponse(
        contract_no=answer.cntr_no,
        available_amount=answer.loan_psb_amt,
        balance_amount=answer.loan_bal_amt,
        yearly_rate=answer.int_rt,
        base_date=answer.bse_dt,
        next_interest_on=answer.nxt_int_dt if answer.loan_bal_amt else None,
    )
