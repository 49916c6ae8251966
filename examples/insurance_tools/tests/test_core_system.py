"""The tools in front of the core system: their telegrams byte for byte, and what agents see of them."""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from axhub.toolkit import LegacyError
from axhub.toolkit.mci import TelegramError
from axhub.toolkit.testing import ScriptedMci, ToolAnswer
from insurance_tools.biz.cmm.converter import hospital
from insurance_tools.biz.cmm.dto.hospital import HospitalSearchRequest
from insurance_tools.biz.ins.converter import loan, surrender
from insurance_tools.biz.ins.dto.loan import LoanInquiryRequest
from insurance_tools.biz.ins.dto.surrender import SurrenderInquiryRequest
from insurance_tools.infra.mci.cfpa.envelope import ENVELOPE, CfpaHeader, CfpaMessage
from insurance_tools.infra.mci.cfpa.io.hspinb00001 import HSPINB00001_I, HSPINB00001_O, HospitalRow
from insurance_tools.infra.mci.cfpa.io.lninnb00001 import LNINNB00001_I, LNINNB00001_O
from insurance_tools.infra.mci.cfpa.io.srinnb00001 import SRINNB00001_I, SRINNB00001_O

Call = Callable[[str, Mapping[str, Any]], ToolAnswer]

CONTRACT = {"contractNo": "2023-0001234"}
CANCELLED = {**CONTRACT, "cancelOn": "2026-12-31"}


def loan_of(**changes: Any) -> LNINNB00001_O:
    known: dict[str, Any] = {
        "cntr_no": "2023-0001234",
        "loan_psb_amt": 3_200_000,
        "loan_bal_amt": 1_000_000,
        "int_rt": Decimal("4.2500"),
        "bse_dt": date(2026, 11, 30),
        "nxt_int_dt": date(2026, 12, 15),
    }
    return LNINNB00001_O(**{**known, **changes})


def refund_of(**changes: Any) -> SRINNB00001_O:
    known: dict[str, Any] = {
        "cntr_no": "2023-0001234",
        "bse_dt": date(2026, 12, 31),
        "rfnd_amt": 1_523_400,
        "paid_amt": 1_728_000,
        "pl_amt": -204_600,
        "rfnd_rt": Decimal("88.16"),
        "rfnd_tp": "L",
    }
    return SRINNB00001_O(**{**known, **changes})


def test_questions_become_telegrams() -> None:
    assert hospital.to_mci_request(HospitalSearchRequest(region="강남구")) == HSPINB00001_I(rgn_nm="강남구")
    asked = LoanInquiryRequest(contract_no="2023-0001234")
    assert loan.to_mci_request(asked) == LNINNB00001_I(cntr_no="2023-0001234")
    day = date(2026, 12, 31)
    refund = SurrenderInquiryRequest(contract_no="2023-0001234", cancel_on=day)
    assert surrender.to_mci_request(refund) == SRINNB00001_I(cntr_no="2023-0001234", bse_dt=day)


def test_names_that_only_cp949_has_take_two_bytes_a_syllable_and_come_back() -> None:
    rows = [HospitalRow(hsp_cd="H1", hsp_nm=name, adr="", agnt_yn="N") for name in ("똠방각의원", "뷁내과")]
    answer = HSPINB00001_O(rows=rows, more_yn="N")
    raw = answer.encode()
    assert raw[:3] + raw[11:27] == b"002" + bytes.fromhex("8c63 b9e6 b0a2 c0c7 bff8") + b" " * 6
    assert HSPINB00001_O.decode(raw) == answer
    with pytest.raises(TelegramError) as refused:
        LNINNB00001_I(cntr_no="뷁").encode()
    assert (refused.value.field, refused.value.kind) == ("cntr_no", "charset")


def test_amounts_rates_and_days_stand_where_the_core_system_has_them() -> None:
    raw = loan_of().encode()
    assert raw[12:26] == bytes.fromhex("0000 0032 0000 0c 0000 0010 0000 0c")
    assert (raw[26:33], raw[33:41], raw[41:49]) == (b"0042500", b"20261130", b"20261215")
    assert loan_of(nxt_int_dt=None).encode()[41:49] == b"00000000"
    refund = refund_of().encode()
    assert (refund[46:60], refund[60:67]) == (b"-0000000204600", b"008816+")


def test_hospitals_come_in_the_order_of_their_codes_with_their_names(call: Call, mci: ScriptedMci) -> None:
    answer = call("cmm_hospital_search", {"region": "강남구"})
    assert (answer.status, answer.value["hasMore"]) == (200, False)
    assert [(item["hospitalCode"], item["hospitalCodeLabel"]) for item in answer.value["items"]] == [
        ("H0000007", "뷁내과의원"),
        ("H0000021", "똠방각정형외과의원"),
    ]
    assert [sent.request for sent in mci.requests] == [HSPINB00001_I(rgn_nm="강남구")]


def test_a_loan_shows_its_rate_as_exact_text_and_its_days(call: Call) -> None:
    answer = call("ins_loan_inquiry", CONTRACT)
    assert (answer.status, answer.value) == (
        200,
        {
            "contractNo": "2023-0001234",
            "availableAmount": 3_200_000,
            "balanceAmount": 1_000_000,
            "yearlyRate": "4.2500",
            "baseDate": "2026-11-30",
            "nextInterestOn": "2026-12-15",
        },
    )


def test_without_a_loan_no_interest_is_due() -> None:
    assert loan.to_response(loan_of(loan_bal_amt=0)).next_interest_on is None


def test_a_loss_is_negative_and_a_type_that_nobody_knows_yet_is_told_as_such(call: Call) -> None:
    answer = call("ins_surrender_inquiry", CANCELLED)
    assert (answer.status, answer.value) == (
        200,
        {
            **CANCELLED,
            "refundAmount": 1_523_400,
            "paidAmount": 1_728_000,
            "difference": -204_600,
            "refundRate": "88.16",
            "refundType": "LOW",
            "refundTypeLabel": "저해지환급형",
        },
    )
    new = surrender.to_response(refund_of(rfnd_tp="X"))
    assert (new.refund_type, new.refund_type_label) == ("UNKNOWN", "알 수 없음")


@pytest.mark.parametrize(
    ("refusal", "status", "code"),
    [("E0404", 404, "CONTRACT_NOT_FOUND"), ("E0409", 409, "CONTRACT_ENDED"), ("E9999", 500, "INTERNAL_ERROR")],
)
def test_a_refusal_of_the_core_system_that_means_something_is_told_in_words_and_others_are_ours(
    refusal: str, status: int, code: str, call: Call, telegrams: dict[str, Any]
) -> None:
    telegrams["SRINNB00001"] = LegacyError(refusal, "내부 문구")
    answer = call("ins_surrender_inquiry", CANCELLED)
    assert (answer.status, answer.value["error"]["code"]) == (status, code)
    assert "내부 문구" not in answer.body.decode()


def test_an_answer_with_an_error_has_header_and_message_and_no_data(call: Call, mci: ScriptedMci) -> None:
    call("ins_surrender_inquiry", CANCELLED)
    header = ENVELOPE.read_header(mci.requests[0].raw)
    assert isinstance(header, CfpaHeader)
    raw = ENVELOPE.build_answer(header, error=("E0404", "계약이 존재하지 않습니다"))
    assert len(raw) == 288
    assert CfpaMessage.decode(raw[200:]) == CfpaMessage(msg_cd="E0404", msg_ctt="계약이 존재하지 않습니다")
    with pytest.raises(LegacyError) as refused:
        ENVELOPE.answer(raw, header, SRINNB00001_O)
    assert refused.value.code == "E0404"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cmm_hospital_search", {"region": "Gangnam"}),
        ("cmm_hospital_search", {"region": "강남구🏥"}),
        ("ins_loan_inquiry", {"contractNo": "1"}),
        ("ins_surrender_inquiry", {**CONTRACT, "cancelOn": "2026-02-30"}),
    ],
)
def test_wrong_arguments_do_not_reach_the_core_system(
    name: str, arguments: dict[str, Any], call: Call, mci: ScriptedMci
) -> None:
    answer = call(name, arguments)
    assert (answer.status, answer.value["error"]["code"]) == (400, "INVALID_ARGUMENTS")
    assert mci.requests == []
