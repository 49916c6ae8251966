"""The whole of a result that was cut for the assistant: for whoever asked, and for nobody else (agent/L7)."""

import hashlib
import json
from typing import Any

import pytest
from sqlalchemy import update

from axhub.agent.adapters.sql import tables
from order_service.adapters.persistence.seed import seed
from order_service.domain.order import Order, OrderStatus
from support.order_shop import Shop

ITEM = "이름이 아주 긴 상품 " * 1_000


async def cut(shop: Shop, who: str = "minji") -> tuple[str, Any]:
    """Let the assistant look for what is too long for it; return the run's id, and what is said of the result."""
    await seed(shop.service.database, (Order("ORD-300", "hanbit", "minji", ITEM, 1_000, OrderStatus.PAID),))
    run: str = (await shop.chat("내 주문을 보여 주세요", who)).json["runId"]
    (told,) = (await shop.call("GET", f"/api/v1/runs/{run}", who)).json["cutResults"]
    return run, told


@pytest.mark.req("agent/L7")
async def test_whoever_asked_reads_the_whole_of_a_result(shop: Shop) -> None:
    _, told = await cut(shop)
    assert told["tool"] == "search_orders"
    answer = await shop.call("GET", f"/api/v1/results/{told['id']}", "minji")
    body = answer.json
    encoded = body["text"].encode()
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert (body["id"], body["size"], body["sha256"]) == (told["id"], len(encoded), hashlib.sha256(encoded).hexdigest())
    items = {one["order_id"]: one["item"] for one in json.loads(body["text"])["orders"]}
    assert items["ORD-300"] == ITEM


@pytest.mark.req("agent/L7", "threat/T26")
@pytest.mark.parametrize("who", ["junho", "boram", "dana", "sora", "haneul"])
async def test_nobody_else_reads_it(shop: Shop, who: str) -> None:
    _, told = await cut(shop)
    assert (await shop.call("GET", f"/api/v1/results/{told['id']}", who)).problem == (404, "not_found")
    assert (await shop.call("GET", f"/api/v1/results/{told['id']}")).problem == (401, "not_authenticated")


@pytest.mark.parametrize("id_", ["none", "0" * 32, "a%00b", "%ED%A0%BD", "a" * 65, "%ED%95%9C"])
async def test_what_there_is_not_is_not_found(shop: Shop, id_: str) -> None:
    assert (await shop.call("GET", f"/api/v1/results/{id_}", "minji")).problem == (404, "not_found")


async def test_a_run_whose_results_are_whole_names_none(shop: Shop) -> None:
    run = (await shop.chat("내 주문을 보여 주세요")).json["runId"]
    assert "cutResults" not in (await shop.call("GET", f"/api/v1/runs/{run}", "minji")).json
    waiting = (await shop.chat("ORD-100 환불해 주세요")).json
    assert (await shop.call("GET", f"/api/v1/results/{waiting['approvals'][0]['id']}", "minji")).status == 404


@pytest.mark.req("agent/L7")
async def test_of_a_result_that_was_too_large_to_be_kept_only_size_and_hash_are_said(shop: Shop) -> None:
    _, told = await cut(shop)
    emptied = update(tables.full_result).values(content=None)
    await shop.service.database.write(lambda connection: connection.execute(emptied).rowcount)
    answer = await shop.call("GET", f"/api/v1/results/{told['id']}", "minji")
    assert (answer.status, sorted(answer.json)) == (200, ["id", "sha256", "size"])
