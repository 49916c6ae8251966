"""Each tool as a caller sees it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from axhub.toolkit import ToolService
from axhub.toolkit.testing import ToolAnswer, published_tool
from axhub.toolkit.testing_http import ScriptedHttp

Call = Callable[[str, Mapping[str, Any]], ToolAnswer]

CONTRACT = {"contractNo": "2023-0001234"}
NEW_CLAIM = {**CONTRACT, "accidentOn": "2026-08-01", "cause": "계단에서 넘어져 골절"}


def test_claims_are_found_by_contract(call: Call, http: ScriptedHttp) -> None:
    answer = call("cmm_claim_search", CONTRACT)
    assert (answer.status, [item["claimNo"] for item in answer.value["items"]], answer.value["hasMore"]) == (
        200,
        ["CLM202608100001", "CLM202607220007"],
        False,
    )
    assert [(sent.api, sent.members) for sent in http.requests] == [("claim", {"clmNo": "", "cntrNo": "2023-0001234"})]


def test_a_claim_that_does_not_exist_is_refused_in_words(call: Call, answers: dict[str, Any]) -> None:
    answers["claim"] = {"clmList": [], "nextKey": ""}
    answer = call("cmm_claim_search", {"claimNo": "CLM000000000000"})
    assert (answer.status, answer.value) == (
        404,
        {
            "error": {
                "code": "CLAIM_NOT_FOUND",
                "message": "청구번호에 해당하는 청구가 없습니다. 번호를 확인해 주세요.",
                "field": "claimNo",
            }
        },
    )


def test_a_contract_without_claims_has_an_empty_list(call: Call, answers: dict[str, Any]) -> None:
    answers["claim"] = {"clmList": [], "nextKey": ""}
    answer = call("cmm_claim_search", CONTRACT)
    assert (answer.status, answer.value) == (200, {"items": [], "hasMore": False})


def test_a_claim_is_registered_once_however_often_it_is_asked_for(call: Call, http: ScriptedHttp) -> None:
    first = call("cmm_claim_register", NEW_CLAIM)
    again = call("cmm_claim_register", NEW_CLAIM)
    other = call("cmm_claim_register", {**NEW_CLAIM, "cause": "골절"})
    assert (first.status, first.value) == (
        200,
        {"claimNo": "CLM202611300042", "status": "RECEIVED", "statusLabel": "접수", "receivedOn": "2026-11-30"},
    )
    assert (again.status, again.body, again.headers["x-repeated"]) == (200, first.body, "true")
    assert (other.status, other.value["error"]["code"]) == (409, "CONFLICT")
    assert [sent.api for sent in http.requests] == ["claim_register"]


def test_all_codes_of_a_group_are_listed(call: Call) -> None:
    answer = call("cmm_comcode_lookup", {"groupCode": "CLAIM_TYPE"})
    assert (answer.status, [item["code"] for item in answer.value["items"]]) == (200, ["10", "20", "90"])


def test_branches_are_found_page_by_page(call: Call, http: ScriptedHttp) -> None:
    answer = call("smp_branch_search", {"region": "강남구", "service": "CLAIM"})
    assert (answer.status, [item["branchCode"] for item in answer.value["items"]], answer.value["nextCursor"]) == (
        200,
        ["B0007", "B0012"],
        "B0020",
    )
    call("smp_branch_search", {"region": "강남구", "service": "CLAIM", "cursor": answer.value["nextCursor"]})
    assert [sent.members["pageKey"] for sent in http.requests] == ["", "B0020"]


def test_a_day_reaches_the_rate_system_in_its_form(call: Call, http: ScriptedHttp) -> None:
    assert call("smp_exchange_inquiry", {"currency": "USD", "baseDate": "2026-08-10"}).status == 200
    assert [sent.members for sent in http.requests] == [{"crcyCd": "USD", "bseDt": "20260810"}]


def test_a_code_that_nobody_knows_yet_is_an_answer(call: Call, answers: dict[str, Any]) -> None:
    answers["claim"] = {
        "clmList": [{"clmNo": "CLM202608100001", "stCd": "77", "rcvDt": "20260810", "payAmt": "", "rjctRsn": ""}],
        "nextKey": "",
    }
    answer = call("cmm_claim_search", CONTRACT)
    assert (answer.status, [item["status"] for item in answer.value["items"]]) == (200, ["UNKNOWN"])


def test_rates_are_listed_in_order(call: Call) -> None:
    answer = call("smp_exchange_inquiry", {"currency": "USD"})
    assert (answer.status, [(rate["kind"], rate["won"]) for rate in answer.value["rates"]]) == (
        200,
        [("BASE", 1382.1), ("BUY", 1406.3), ("SELL", 1357.9)],
    )


def test_a_currency_that_only_the_resource_rules_out_is_refused(call: Call, http: ScriptedHttp) -> None:
    answer = call("smp_exchange_inquiry", {"currency": "CHF"})
    assert (answer.status, [field["path"] for field in answer.value["error"]["fields"]]) == (400, ["currency"])
    assert http.requests == []


def test_notices_need_no_arguments(call: Call) -> None:
    answer = call("smp_notice_lookup", {})
    assert (answer.status, [item["postedOn"] for item in answer.value["items"]]) == (200, ["2026-08-05", "2026-08-01"])


def test_a_contract_is_nested_and_its_account_is_masked(call: Call) -> None:
    answer = call("ins_insurance_processor", CONTRACT)
    assert (answer.status, answer.value["premium"]) == (
        200,
        {"amount": 48000, "cycle": "MONTHLY", "cycleLabel": "월납", "accountNo": "********1234"},
    )


@pytest.mark.parametrize(
    ("refusal", "status", "code"), [(404, 404, "CONTRACT_NOT_FOUND"), (503, 500, "INTERNAL_ERROR")]
)
def test_a_refusal_that_means_something_is_translated_and_others_are_ours(
    refusal: int, status: int, code: str, call: Call, answers: dict[str, Any]
) -> None:
    answers["insurance"] = refusal
    answer = call("ins_insurance_processor", CONTRACT)
    assert (answer.status, answer.value["error"]["code"]) == (status, code)


def test_the_tool_under_development_works_here(call: Call) -> None:
    answer = call("ins_premium_estimate", {"age": 35, "plan": "BASIC"})
    assert (answer.status, answer.value) == (
        200,
        {"plan": "BASIC", "planLabel": "기본형", "monthlyPremium": 31500},
    )


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cmm_claim_search", {}),
        ("cmm_claim_search", {"claimNo": "1"}),
        ("cmm_claim_register", CONTRACT),
        ("cmm_comcode_lookup", {"groupCode": "x"}),
        ("cmm_claim_register", {**NEW_CLAIM, "accidentOn": "2026-02-30"}),
        ("smp_exchange_inquiry", {"currency": "USD", "baseDate": "10일"}),
        ("smp_branch_search", {"region": ""}),
        ("smp_notice_lookup", {"page": 1}),
        ("ins_insurance_processor", {"contractNo": 1}),
        ("ins_premium_estimate", {"age": 18, "plan": "BASIC"}),
    ],
)
def test_wrong_arguments_reach_no_system(name: str, arguments: dict[str, Any], call: Call, http: ScriptedHttp) -> None:
    answer = call(name, arguments)
    assert (answer.status, answer.value["error"]["code"]) == (400, "INVALID_ARGUMENTS")
    assert http.requests == []


def test_the_resource_is_what_is_published(service: ToolService) -> None:
    tool = published_tool(service, "smp_exchange_inquiry")
    assert tool.input_schema["properties"]["currency"]["enum"] == ["USD", "JPY", "EUR", "CNY"]
