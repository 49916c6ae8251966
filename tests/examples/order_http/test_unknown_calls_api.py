"""Calls whose outcome nobody knows: an approver sees them and says what became of them, once (agent/L6)."""

import pytest
from sqlalchemy import update

from axhub.agent.adapters.sql import tables
from support.order_shop import Answer, Shop

LATER = 9_000_000_000_000


async def lost(shop: Shop) -> str:
    """Let a refund be of unknown outcome, and nobody look at it soon; return its id."""
    approval: str = (await shop.chat("ORD-100 환불해 주세요")).json["approvals"][0]["id"]
    changed = update(tables.call).values(state="UNKNOWN", business_key="k", looked_at=LATER)
    await shop.service.database.write(lambda connection: connection.execute(changed).rowcount)
    return approval


async def settle(shop: Shop, call: str, finding: str, who: str = "boram") -> Answer:
    return await shop.call("POST", f"/api/v1/unknown-calls/{call}/finding", who, {"finding": finding})


@pytest.mark.req("agent/L6")
@pytest.mark.parametrize(("finding", "state"), [("happened", "DONE"), ("did_not_happen", "FAILED")])
async def test_an_approver_settles_a_call_once(shop: Shop, finding: str, state: str) -> None:
    id_ = await lost(shop)
    (shown,) = (await shop.call("GET", "/api/v1/unknown-calls", "boram")).json["calls"]
    assert {**shown, "runId": ""} == {
        "id": id_,
        "runId": "",
        "tool": "refund_order",
        "arguments": {"order_id": "ORD-100"},
        "requester": "minji",
        "state": "UNKNOWN",
    }
    for _ in range(2):
        answer = await settle(shop, id_, finding)
        assert (answer.status, answer.json) == (200, {**shown, "state": state})
    other = {"happened": "did_not_happen", "did_not_happen": "happened"}[finding]
    assert (await settle(shop, id_, other)).problem == (409, "already_decided")
    assert (await shop.call("GET", "/api/v1/unknown-calls", "boram")).json == {"calls": []}


@pytest.mark.req("agent/L6", "agent/R2", "threat/T26")
async def test_who_may_not_settle(shop: Shop) -> None:
    id_ = await lost(shop)
    assert (await settle(shop, id_, "happened", "minji the approver")).problem == (403, "own_request")
    assert (await settle(shop, id_, "happened", "junho")).problem == (403, "not_approver")
    assert (await settle(shop, id_, "happened", "haneul")).problem == (404, "not_found")
    assert (await settle(shop, "0" * 32, "happened")).problem == (404, "not_found")
    assert (await settle(shop, id_, "perhaps")).problem == (400, "bad_request")
    assert (await shop.call("GET", "/api/v1/unknown-calls", "junho")).problem == (403, "not_approver")
    assert (await shop.call("GET", "/api/v1/unknown-calls", "haneul")).json == {"calls": []}
    assert len((await shop.call("GET", "/api/v1/unknown-calls", "boram")).json["calls"]) == 1
