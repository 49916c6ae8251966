"""Calls whose outcome nobody knows: an approver sees them and says what became of them, once (agent/L6)."""

import pytest

from support.order_shop import Answer, Shop


async def settle(shop: Shop, call: str, finding: str, who: str = "boram") -> Answer:
    return await shop.call("POST", f"/api/v1/unknown-calls/{call}/finding", who, {"finding": finding})


@pytest.mark.req("agent/L6")
@pytest.mark.parametrize(("finding", "state"), [("happened", "DONE"), ("did_not_happen", "FAILED")])
async def test_an_approver_settles_a_call_once(shop: Shop, finding: str, state: str) -> None:
    id_ = await shop.lost()
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
    id_ = await shop.lost()
    assert (await settle(shop, id_, "happened", "minji the approver")).problem == (403, "own_request")
    assert (await settle(shop, id_, "happened", "junho")).problem == (403, "not_approver")
    assert (await settle(shop, id_, "happened", "haneul")).problem == (404, "not_found")
    assert (await settle(shop, "0" * 32, "happened")).problem == (404, "not_found")
    assert (await settle(shop, id_, "perhaps")).problem == (400, "bad_request")
    assert (await shop.call("GET", "/api/v1/unknown-calls", "junho")).problem == (403, "not_approver")
    assert (await shop.call("GET", "/api/v1/unknown-calls", "haneul")).json == {"calls": []}
    assert len((await shop.call("GET", "/api/v1/unknown-calls", "boram")).json["calls"]) == 1
