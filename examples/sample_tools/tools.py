"""What each sample tool does: arguments (already checked against the tool's schema) in, a JSON value out.

A mistake that the caller can mend is a `ToolError`; its words reach the model.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sample_tools.records import BRANCHES, CLAIMS, CONTRACTS, RATES, RIDER_RATES, Record


@dataclass(frozen=True, slots=True)
class Call:
    """One request: the arguments, their text as it came, and the caller's context."""

    arguments: Record
    text: str
    context: Mapping[str, str]
    """Lower-case header names to values."""


class ToolError(Exception):
    """An answer 4xx: `message` and `field` are public and tell how to call again."""

    def __init__(self, status: int, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body: Record = {"error": {"code": code, "message": message} | ({"field": field} if field else {})}


Tool = Callable[[Call], Awaitable[Any]]
BROKEN_YEAR: Final = 2099
_receipts: dict[str, Record] = {}


async def contract_get(call: Call) -> Record:
    """계약 상세 조회."""
    contract = _contract(call.arguments["contractNo"])
    if call.arguments.get("includeRiders", True):
        return contract
    return {key: value for key, value in contract.items() if key != "riders"}


async def premium_quote(call: Call) -> Record:
    """보험료 산출."""
    asked = call.arguments
    base = round(asked["sumInsured"] * RATES[asked["productCode"]])
    riders = [
        {"code": rider["code"], "premium": round(rider["sumInsured"] * RIDER_RATES[rider["code"]])}
        for rider in asked.get("riders", [])
    ]
    return {
        "sumInsured": asked["sumInsured"],
        "monthlyPremium": base + sum(rider["premium"] for rider in riders),
        "breakdown": {"base": base, "riders": riders},
        "currency": "KRW",
        "notice": "예상 보험료이며 심사 결과에 따라 달라질 수 있습니다.",
    }


async def claim_search(call: Call) -> Record:
    """보험금 청구 내역 조회."""
    asked = call.arguments
    period = asked.get("period", {"from": "0000-01-01", "to": "9999-12-31"})
    if period["from"] > period["to"]:
        raise ToolError(400, "PERIOD_REVERSED", "기간의 시작일(from)이 종료일(to)보다 늦습니다.", "period.from")
    found = [
        claim
        for claim in CLAIMS
        if claim["customerNo"] == asked["customerNo"]
        and period["from"] <= claim["receivedOn"] <= period["to"]
        and (not asked.get("statuses") or claim["status"]["code"] in asked["statuses"])
    ]
    page = {"number": 1, "size": 10} | asked.get("page", {})
    start = (page["number"] - 1) * page["size"]
    return {"total": len(found), "page": page, "claims": found[start : start + page["size"]]}


async def claim_register(call: Call) -> Record:
    """보험금 청구 접수; `requestKey` keeps a repeated call from registering twice."""
    asked = call.arguments
    contract = _contract(asked["contractNo"])
    if contract["status"]["code"] != "ACTIVE":
        raise ToolError(
            409, "CONTRACT_NOT_ACTIVE", f"계약 상태가 '{contract['status']['label']}'이라 접수할 수 없습니다."
        )
    receipt = {
        "claimNo": f"C-2025-{len(_receipts) + 500:06}",
        "contractNo": asked["contractNo"],
        "status": {"code": "RECEIVED", "label": "접수"},
        "nextStep": "심사 담당자가 3영업일 안에 연락드립니다.",
    }
    return _receipts.setdefault(asked["requestKey"], receipt)


async def statement_build(call: Call) -> Record:
    """연간 거래 명세 작성; slow on purpose, and broken on purpose for one year."""
    contract = _contract(call.arguments["contractNo"])
    await asyncio.sleep(call.arguments.get("delayMillis", 2000) / 1000)
    if call.arguments["year"] == BROKEN_YEAR:
        raise RuntimeError("the ledger at ledger.internal:1521 refused the connection")
    monthly = contract["monthlyPremium"]
    return {
        "contractNo": contract["contractNo"],
        "year": call.arguments["year"],
        "paid": {"count": 12, "total": 12 * monthly},
        "months": [{"month": month, "premium": monthly} for month in range(1, 13)],
    }


async def branch_search(call: Call) -> list[Record]:
    """Find customer centres; a list, empty where there are none."""
    language = call.arguments.get("language", "ko")
    return [
        branch | {"name": branch["name"][language], "address": branch["address"][language]}
        for branch in BRANCHES[call.arguments["region"]]
    ]


async def request_context(call: Call) -> Record:
    """요청 문맥 확인: what arrived, without the secrets in it."""
    shown = {name: call.context.get(name) for name in ("guid", "x-request-id", "mcp-session-id", "traceparent")}
    secrets = {name: name in call.context for name in ("employee-no", "virtual-employee-no", "authorization")}
    return {"context": shown, "present": secrets, "argumentsText": call.text}


def _contract(number: str) -> Record:
    try:
        return CONTRACTS[number]
    except KeyError:
        raise ToolError(
            404,
            "CONTRACT_NOT_FOUND",
            f"계약번호 {number}인 계약이 없습니다. 번호를 다시 확인해 주세요. 예: 2023-0001234",
            "contractNo",
        ) from None


TOOLS: Final[Mapping[str, Tool]] = {
    "ins_contract_get": contract_get,
    "ins_premium_quote": premium_quote,
    "ins_claim_search": claim_search,
    "ins_claim_register": claim_register,
    "ins_statement_build": statement_build,
    "cmm_branch_search": branch_search,
    "cmm_request_context": request_context,
}
