"""Runs, and decisions on what the assistant wants to do: who may, once, and what becomes of it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from order_service.ports.approvals import ApprovalRefusal, ApprovalRefusedError
from order_service.ports.runs import RunReport, RunStatus
from support.order_shop import Shop, shop_at


async def asked(shop: Shop, who: str = "minji", order: str = "ORD-100") -> tuple[str, str]:
    """Ask for a refund; return run and approval."""
    body = (await shop.chat(f"{order} 환불해 주세요", who)).json
    return body["runId"], body["approvals"][0]["id"]


async def refunded(shop: Shop, who: str = "minji") -> list[str]:
    found = await shop.call("GET", "/api/v1/orders?status=REFUNDED", who)
    return [one["orderId"] for one in found.json["orders"]]


@pytest.mark.req("agent/R5")
async def test_an_approver_lets_it_happen(shop: Shop) -> None:
    run, approval = await asked(shop)
    (waiting,) = (await shop.call("GET", "/api/v1/approvals", "boram")).json["approvals"]
    assert {**waiting, "expiresAt": ""} == {
        "id": approval,
        "runId": run,
        "tool": "refund_order",
        "arguments": {"order_id": "ORD-100"},
        "requester": "minji",
        "state": "WAITING",
        "expiresAt": "",
    }
    answer = await shop.decide(approval, "approve", comment="ok")
    decided = {"state": "APPROVED", "decision": "approve", "approver": "boram", "comment": "ok"}
    assert (answer.status, answer.json) == (200, {**waiting, **decided})
    assert (await shop.ended(run))["status"] == "answered"
    assert await refunded(shop) == ["ORD-100"]
    assert (await shop.call("GET", "/api/v1/approvals", "boram")).json == {"approvals": []}


@pytest.mark.req("agent/R5")
async def test_an_approver_says_no(shop: Shop) -> None:
    run, approval = await asked(shop)
    answer = await shop.decide(approval, "deny")
    assert (answer.json["state"], answer.json["decision"]) == ("DENIED", "deny")
    assert (await shop.ended(run))["status"] == "answered"
    assert await refunded(shop) == []


@pytest.mark.req("agent/R3", "threat/T25", "input/B84", "input/B88")
async def test_a_decision_is_taken_once_however_often_it_is_sent(shop: Shop) -> None:
    run, approval = await asked(shop)
    answers = await asyncio.gather(*(shop.decide(approval, "approve", comment=str(at)) for at in range(5)))
    assert [one.status for one in answers] == [200] * 5
    assert len({(one.json["approver"], one.json["comment"]) for one in answers}) == 1
    await shop.ended(run)
    later = await shop.decide(approval, "approve")
    assert (later.status, later.json["decision"], later.json["comment"]) == (200, "approve", answers[0].json["comment"])
    assert (await shop.decide(approval, "deny")).problem == (409, "already_decided")
    assert await refunded(shop) == ["ORD-100"]


@pytest.mark.req("agent/R2", "threat/T26", "input/B87")
async def test_who_may_not_decide(shop: Shop) -> None:
    run, approval = await asked(shop)
    assert (await shop.decide(approval, "approve", "minji the approver")).problem == (403, "own_request")
    assert (await shop.decide(approval, "approve", "junho")).problem == (403, "not_approver")
    assert (await shop.decide(approval, "approve", "haneul")).problem == (404, "not_found")
    assert (await shop.decide("0" * 32, "approve", "boram")).problem == (404, "not_found")
    assert (await shop.decide("a%00b", "approve", "boram")).problem == (404, "not_found")
    assert (await shop.call("GET", "/api/v1/approvals", "junho")).problem == (403, "not_approver")
    assert (await shop.call("GET", "/api/v1/approvals", "haneul")).json == {"approvals": []}
    assert (await shop.call("GET", f"/api/v1/runs/{run}", "minji")).json["status"] == "waiting_for_approval"
    assert await refunded(shop) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"decision": "approved"},
        {"decision": "APPROVE"},
        {"decision": True},
        {"decision": ["approve"]},
        {"decision": "approve", "comment": None},
        {"decision": "approve", "comment": "x" * 1001},
        {"decision": "approve", "arguments": {"order_id": "ORD-101"}},
        {"decision": "approve", "approver": "boram"},
        b'{"decision": "deny", "decision": "approve"}',
    ],
)
async def test_a_decision_that_says_anything_else_is_none(shop: Shop, body: object) -> None:
    _, approval = await asked(shop)
    answer = await shop.call("POST", f"/api/v1/approvals/{approval}/decision", "boram", body)
    assert answer.problem == (400, "bad_request")
    (waiting,) = (await shop.call("GET", "/api/v1/approvals", "boram")).json["approvals"]
    assert waiting["state"] == "WAITING"


@pytest.mark.parametrize(
    ("reason", "problem"),
    [
        (ApprovalRefusal.EXPIRED, (409, "approval_expired")),
        (ApprovalRefusal.WITHDRAWN, (409, "approval_withdrawn")),
        (ApprovalRefusal.ALREADY_DECIDED, (409, "already_decided")),
    ],
)
async def test_what_comes_too_late_is_told(tmp_path: Path, reason: ApprovalRefusal, problem: tuple[int, str]) -> None:
    class Late:
        async def pending(self, actor: Any, most: int = 100) -> Any:
            return ()

        async def decide(self, actor: Any, approval_id: str, verdict: Any, comment: str) -> Any:
            raise ApprovalRefusedError(reason)

    async with shop_at(tmp_path, lambda services: replace(services, approvals=Late())) as shop:  # type: ignore[arg-type]  # nothing else is asked
        assert (await shop.decide("a", "approve")).problem == problem


@pytest.mark.req("agent/R5")
async def test_a_requester_takes_it_back(shop: Shop) -> None:
    run, approval = await asked(shop)
    assert (await shop.call("POST", f"/api/v1/runs/{run}/withdraw", "junho")).problem == (404, "not_found")
    assert (await shop.call("POST", f"/api/v1/runs/{run}/withdraw", "haneul")).problem == (404, "not_found")
    answer = await shop.call("POST", f"/api/v1/runs/{run}/withdraw", "minji")
    assert (answer.status, answer.json["status"]) == (200, "withdrawn")
    assert (await shop.call("POST", f"/api/v1/runs/{run}/withdraw", "minji")).problem == (409, "run_not_waiting")
    assert (await shop.decide(approval, "approve")).problem == (409, "approval_withdrawn")
    assert await refunded(shop) == []


async def test_runs_of_others_are_not_there(shop: Shop) -> None:
    run, _ = await asked(shop)
    for who in ("junho", "sora", "boram", "haneul"):
        assert (await shop.call("GET", f"/api/v1/runs/{run}", who)).problem == (404, "not_found")
    assert (await shop.call("GET", "/api/v1/runs/none", "minji")).problem == (404, "not_found")


@pytest.mark.parametrize("query", ["wait=31", "wait=-1", "wait=1.5", "wait=", "wait=1&wait=1", "for=1"])
async def test_nobody_waits_longer_than_a_while(shop: Shop, query: str) -> None:
    assert (await shop.call("GET", f"/api/v1/runs/r?{query}", "minji")).problem == (400, "bad_request")


async def test_a_wait_ends_with_another_status(tmp_path: Path) -> None:
    statuses = [RunStatus.RUNNING] * 3 + [RunStatus.WAITING] * 2 + [RunStatus.RUNNING, RunStatus.ANSWERED]

    class Moving:
        async def run(self, actor: Any, run_id: str) -> RunReport:
            return RunReport(run_id=run_id, conversation_id="talk", status=statuses.pop(0), content="done")

    async with shop_at(tmp_path, lambda services: replace(services, runs=Moving())) as shop:  # type: ignore[arg-type]  # nothing else is asked

        async def status(query: str = "?wait=30") -> str:
            return str((await shop.call("GET", f"/api/v1/runs/r{query}", "minji")).json["status"])

        assert await status("") == "running"
        assert await status() == "waiting_for_approval"
        assert await status() == "running"
        assert await status() == "answered"


async def test_a_wait_ends_in_time(shop: Shop) -> None:
    run, _ = await asked(shop)
    assert (await shop.call("GET", f"/api/v1/runs/{run}?wait=1", "minji")).json["status"] == "waiting_for_approval"
