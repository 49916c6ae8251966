"""Codes, branches, rates, notices, contracts and estimates in both directions."""

from datetime import date

import pytest

from insurance_tools.biz.cmm.converter import comcode
from insurance_tools.biz.cmm.dto.comcode import ComcodeItem, ComcodeLookupRequest, ComcodeLookupResponse
from insurance_tools.biz.ins.converter import insurance, premium
from insurance_tools.biz.ins.dto.insurance import Coverage, InsuranceRequest, InsuranceResponse, Premium
from insurance_tools.biz.ins.dto.premium import PremiumEstimateRequest, PremiumEstimateResponse
from insurance_tools.biz.smp.converter import branch, exchange, notice
from insurance_tools.biz.smp.dto.branch import BranchItem, BranchSearchRequest, BranchSearchResponse, ServiceItem
from insurance_tools.biz.smp.dto.exchange import ExchangeInquiryRequest, ExchangeInquiryResponse, ExchangeRate
from insurance_tools.biz.smp.dto.notice import NoticeItem, NoticeLookupResponse
from insurance_tools.dates import to_day, to_day_or_null, to_digits
from insurance_tools.infra.http.branch.io import BranchListBody, BranchQuery, BranchRow
from insurance_tools.infra.http.comcode.io import ComcodeGroupBody, ComcodeQuery, ComcodeRow
from insurance_tools.infra.http.exchange.io import RateBody, RateQuery, RateRow
from insurance_tools.infra.http.insurance.io import ContractBody, ContractQuery, CoverageRow, PaymentPart
from insurance_tools.infra.http.notice.io import NoticeListBody, NoticeQuery, NoticeRow
from insurance_tools.infra.http.premium.io import PriceBody, PriceQuery


def test_codes_come_in_the_order_of_their_values() -> None:
    assert comcode.to_http_request(ComcodeLookupRequest(group_code="CLAIM_TYPE")) == ComcodeQuery(grpCd="CLAIM_TYPE")
    rows = [ComcodeRow(cd="20", cdNm="질병", useYn="N"), ComcodeRow(cd="10", cdNm="상해", useYn="Y")]
    body = ComcodeGroupBody(grpCd="CLAIM_TYPE", grpNm="청구 유형", cdList=rows)
    assert comcode.to_response(body) == ComcodeLookupResponse(
        group_code="CLAIM_TYPE",
        group_code_label="청구 유형",
        items=[
            ComcodeItem(code="10", code_label="상해", in_use=True),
            ComcodeItem(code="20", code_label="질병", in_use=False),
        ],
    )


def test_a_page_of_branches_says_where_the_next_one_begins() -> None:
    first = BranchSearchRequest(region="강남구")
    assert branch.to_http_request(first) == BranchQuery(rgnNm="강남구", svcCd="", pageKey="")
    next_one = BranchSearchRequest(region="강남구", service="CLAIM", cursor="B0020")
    assert branch.to_http_request(next_one) == BranchQuery(rgnNm="강남구", svcCd="02", pageKey="B0020")
    row = BranchRow(brCd="B0012", brNm="역삼지점", svcList=["99", "01"], opnTm="0900", clsTm="1600")
    assert branch.to_response(BranchListBody(brList=[row], nextKey="B0020")) == BranchSearchResponse(
        items=[
            BranchItem(
                branch_code="B0012",
                branch_code_label="역삼지점",
                services=[
                    ServiceItem(service="COUNSEL", service_label="상담"),
                    ServiceItem(service="UNKNOWN", service_label="알 수 없음"),
                ],
                opens_at="09:00",
                closes_at="16:00",
            )
        ],
        has_more=True,
        next_cursor="B0020",
    )


@pytest.mark.parametrize(
    ("count", "next_key", "shown", "cursor"),
    [(20, "", 20, None), (20, "B0020", 20, "B0020"), (21, "", 20, "B0020"), (21, "B0021", 20, "B0020")],
)
def test_a_page_has_20_branches_at_most_and_the_next_one_leaves_none_out(
    count: int, next_key: str, shown: int, cursor: str | None
) -> None:
    rows = [
        BranchRow(brCd=f"B{number:04}", brNm="지점", svcList=[], opnTm="0900", clsTm="1600") for number in range(count)
    ]
    response = branch.to_response(BranchListBody(brList=rows, nextKey=next_key))
    assert (len(response.items), response.next_cursor, response.has_more) == (shown, cursor, cursor is not None)


def test_rates_lose_their_separators_and_a_missing_day_is_today() -> None:
    assert exchange.to_http_request(ExchangeInquiryRequest(currency="USD")) == RateQuery(crcyCd="USD", bseDt="")
    rows = [RateRow(knd="2", amt="1,406.30"), RateRow(knd="1", amt="1,382.10")]
    body = RateBody(crcyCd="USD", crcyNm="미국 달러", unit="1", ntfyDt="20260810", rateList=rows)
    assert exchange.to_response(body) == ExchangeInquiryResponse(
        currency="USD",
        currency_label="미국 달러",
        unit=1,
        base_date="2026-08-10",
        rates=[
            ExchangeRate(kind="BASE", kind_label="매매기준율", won=1382.1),
            ExchangeRate(kind="BUY", kind_label="살 때", won=1406.3),
        ],
    )
    day = ExchangeInquiryRequest(currency="USD", base_date=date(2026, 8, 10))
    assert exchange.to_http_request(day) == RateQuery(crcyCd="USD", bseDt="20260810")


def test_a_rate_of_a_new_kind_comes_last() -> None:
    rows = [RateRow(knd="9", amt="1,400.00"), RateRow(knd="1", amt="1,382.10")]
    body = RateBody(crcyCd="USD", crcyNm="미국 달러", unit="1", ntfyDt="20260810", rateList=rows)
    assert [(rate.kind, rate.kind_label) for rate in exchange.to_response(body).rates] == [
        ("BASE", "매매기준율"),
        ("UNKNOWN", "알 수 없음"),
    ]


def test_notices_say_whether_there_are_more() -> None:
    assert notice.to_http_request() == NoticeQuery(rowCnt=20)
    body = NoticeListBody(totCnt=2, ntcList=[NoticeRow(ttl="점검 안내", regDt="20260801", endDt="")])
    assert notice.to_response(body) == NoticeLookupResponse(
        items=[NoticeItem(title="점검 안내", posted_on="2026-08-01", closes_on=None)], has_more=True
    )


@pytest.mark.parametrize(("count", "shown", "more"), [(20, 20, False), (21, 20, True)])
def test_no_more_notices_come_than_promised(count: int, shown: int, more: bool) -> None:
    rows = [NoticeRow(ttl="점검 안내", regDt="20260801", endDt="")] * count
    response = notice.to_response(NoticeListBody(totCnt=count, ntcList=rows))
    assert (len(response.items), response.has_more) == (shown, more)


def contract(*, coverages: int, status: str = "01", cycle: str = "M", more: str = "N") -> ContractBody:
    return ContractBody(
        cntrNo="2023-0001234",
        prdNm="건강보험",
        cntrSt=status,
        payInfo=PaymentPart(amt="48000", cycl=cycle, acctNo=""),
        cvrList=[CoverageRow(cvrNm=f"보장 {number}", lmtAmt=str(number), endDt="") for number in range(coverages)],
        moreYn=more,
    )


@pytest.mark.parametrize(
    ("count", "cut_there", "shown", "more"), [(30, "N", 30, False), (30, "Y", 30, True), (31, "N", 30, True)]
)
def test_the_highest_coverages_are_the_ones_that_stay(count: int, cut_there: str, shown: int, more: bool) -> None:
    response = insurance.to_response(contract(coverages=count, more=cut_there))
    assert (len(response.coverages), response.has_more) == (shown, more)
    assert response.coverages[0].limit_amount == count - 1


def test_codes_of_a_contract_that_nobody_knows_yet_are_told_as_such() -> None:
    response = insurance.to_response(contract(coverages=0, status="77", cycle="Q"))
    assert (response.status, response.status_label) == ("UNKNOWN", "알 수 없음")
    assert (response.premium.cycle, response.premium.cycle_label) == ("UNKNOWN", "알 수 없음")


def test_a_contract_shows_the_highest_coverage_first_and_its_account_masked() -> None:
    assert insurance.to_http_request(InsuranceRequest(contract_no="2023-0001234")) == ContractQuery(
        cntrNo="2023-0001234"
    )
    body = ContractBody(
        cntrNo="2023-0001234",
        prdNm="건강보험",
        cntrSt="01",
        payInfo=PaymentPart(amt="48000", cycl="M", acctNo="000000001234"),
        cvrList=[
            CoverageRow(cvrNm="골절 진단비", lmtAmt="300000", endDt="20530331"),
            CoverageRow(cvrNm="암 진단비", lmtAmt="30000000", endDt=""),
        ],
        moreYn="N",
    )
    response = insurance.to_response(body)
    assert response == InsuranceResponse(
        contract_no="2023-0001234",
        product_name="건강보험",
        status="ACTIVE",
        status_label="유지",
        premium=Premium(amount=48000, cycle="MONTHLY", cycle_label="월납", account_no="000000001234"),
        coverages=[
            Coverage(name="암 진단비", limit_amount=30000000, ends_on=None),
            Coverage(name="골절 진단비", limit_amount=300000, ends_on="2053-03-31"),
        ],
        has_more=False,
    )
    assert response.premium.model_dump(by_alias=True)["accountNo"] == "********1234"


def test_an_estimate_names_its_plan() -> None:
    assert premium.to_http_request(PremiumEstimateRequest(age=35, plan="PLUS")) == PriceQuery(insAge=35, planTp="B")
    assert premium.to_response(PriceBody(planTp="A", mnPrm="31500")) == PremiumEstimateResponse(
        plan="BASIC", plan_label="기본형", monthly_premium=31500
    )
    new = premium.to_response(PriceBody(planTp="Z", mnPrm="31500"))
    assert (new.plan, new.plan_label) == ("UNKNOWN", "알 수 없음")


def test_days_go_both_ways_and_what_is_no_day_is_not_passed_on() -> None:
    assert (to_digits(date(2026, 8, 1)), to_day("20260801"), to_day_or_null("")) == ("20260801", "2026-08-01", None)
    with pytest.raises(ValueError, match="month"):
        to_day("20261301")
