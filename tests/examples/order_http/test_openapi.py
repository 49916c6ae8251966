"""The OpenAPI document: every status that it names can be had, and every answer that is had is in it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
from sqlalchemy import update

from axhub.agent.adapters.sql import tables
from order_service.adapters.http.app import HttpSettings
from order_service.adapters.http.openapi import document
from order_service.adapters.http.serving import Services
from order_service.adapters.persistence.seed import seed
from order_service.domain.order import Order, OrderStatus
from order_service.ports.faults import UnavailableError
from support.order_shop import Shop, shop_at

KEYS = (f"key-{at}" for at in range(1, 1000))
APPROVAL = "/api/v1/approvals/{}/decision"
UNKNOWN = "/api/v1/unknown-calls"


def test_the_document_is_the_same_for_everybody() -> None:
    described = document(HttpSettings())
    assert described["openapi"] == "3.1.0"
    assert json.loads(json.dumps(described)) == described


def test_every_schema_is_a_schema_and_forbids_what_it_does_not_name() -> None:
    for name, schema in document(HttpSettings())["components"]["schemas"].items():
        jsonschema_rs.meta.validate(schema)
        if schema["type"] == "object":
            assert schema["additionalProperties"] is False, name


def test_every_operation_but_health_needs_a_token() -> None:
    described = document(HttpSettings())
    free = [
        path
        for path, operations in described["paths"].items()
        for operation in operations.values()
        if operation.get("security") == []
    ]
    assert described["security"] == [{"bearer": []}]
    assert free == ["/health/live", "/health/ready"]


async def test_every_documented_status_can_be_had(tmp_path: Path) -> None:
    """Each call checks its answer against the document; here it is checked that none of the document is left over."""
    seen: set[tuple[str, str, int]] = set()
    for change in (None, away):
        folder = tmp_path / str(change)
        folder.mkdir()
        async with shop_at(folder, change) as shop:
            await (ask_for_everything(shop) if change is None else ask_while_away(shop))
            seen |= shop.seen
    documented = {
        (path, method.upper(), int(status))
        for path, operations in document(HttpSettings())["paths"].items()
        for method, operation in operations.items()
        for status in operation["responses"]
    }
    assert seen == documented


async def ask_for_everything(shop: Shop) -> None:
    await orders(shop)
    await talk(shop)
    await decisions(shop)
    await findings(shop)
    for path in ("/health/live", "/health/ready"):
        await shop.call("GET", path)


async def orders(shop: Shop) -> None:
    for query, who in (("", "minji"), ("?limit=x", "minji"), ("", None)):
        await shop.call("GET", f"/api/v1/orders{query}", who)
    for name, order, refused in (("refund", "ORD-100", "ORD-102"), ("cancel", "ORD-110", "ORD-111")):
        who = "minji" if name == "refund" else "junho"
        path = "/api/v1/orders/{}/" + name
        key = {"Idempotency-Key": "key-0"}
        await shop.call("POST", path.format(order), who, headers=key)
        await shop.call("POST", path.format(refused), who, headers=key)
        await shop.call("POST", path.format(refused), who, headers=fresh())
        await shop.call("POST", path.format("ORD-999"), who, headers=fresh())
        await shop.call("POST", path.format(order), "dana", headers=fresh())
        await shop.call("POST", path.format(order), None, headers=fresh())
        await shop.call("POST", path.format(order), who)
        await bodies(shop, path.format(order), who, fresh())


async def talk(shop: Shop) -> None:
    chat = "/api/v1/chat"
    answered = (await shop.chat("내 주문")).json
    waiting = (await shop.chat("ORD-101 환불")).json
    for body, who in (
        ({"message": "hi", "conversationId": "nobody"}, "minji"),
        ({"message": "hi", "conversationId": waiting["conversationId"]}, "minji"),
        ({"message": "hi"}, None),
    ):
        await shop.call("POST", chat, who, body)
    await bodies(shop, chat, "minji", {})
    run = f"/api/v1/runs/{answered['runId']}"
    for path, who in ((run, "minji"), (run, "sora"), (run, None), (f"{run}?wait=x", "minji")):
        await shop.call("GET", path, who)
    for path, who in ((waiting["runId"], "minji"), (answered["runId"], "minji"), ("r", "minji"), ("r", None)):
        await shop.call("POST", f"/api/v1/runs/{path}/withdraw", who)
    await bodies(shop, f"{run}/withdraw", "minji", {})
    conversation = f"/api/v1/conversations/{answered['conversationId']}"
    for who in ("minji", "sora", None):
        await shop.call("GET", conversation, who)
    await cut_results(shop)


async def cut_results(shop: Shop) -> None:
    await seed(shop.service.database, (Order("ORD-300", "hanbit", "minji", "x" * 20_000, 1, OrderStatus.PAID),))
    run = (await shop.chat("내 주문")).json["runId"]
    (told,) = (await shop.call("GET", f"/api/v1/runs/{run}", "minji")).json["cutResults"]
    for who in ("minji", "sora", None):
        await shop.call("GET", f"/api/v1/results/{told['id']}", who)


async def decisions(shop: Shop) -> None:
    approval = (await shop.chat("ORD-101 환불")).json["approvals"][0]["id"]
    for who in ("boram", "minji", None):
        await shop.call("GET", "/api/v1/approvals", who)
    path = APPROVAL.format(approval)
    for who, decision in (("minji", "approve"), ("haneul", "approve"), ("boram", "approve"), ("boram", "deny")):
        await shop.call("POST", path, who, {"decision": decision})
    await shop.call("POST", path, None, {"decision": "approve"})
    await bodies(shop, path, "boram", {})


async def findings(shop: Shop) -> None:
    call = (await shop.chat("ORD-101 환불")).json["approvals"][0]["id"]
    lost = update(tables.call).where(tables.call.c.id == call).values(state="UNKNOWN", looked_at=9_000_000_000_000)
    await shop.service.database.write(lambda connection: connection.execute(lost).rowcount)
    for who in ("boram", "minji", None):
        await shop.call("GET", UNKNOWN, who)
    path = f"{UNKNOWN}/{call}/finding"
    for sender, finding in (("minji", "happened"), ("haneul", "happened"), ("boram", "happened"), (None, "happened")):
        await shop.call("POST", path, sender, {"finding": finding})
    await shop.call("POST", path, "boram", {"finding": "did_not_happen"})
    await bodies(shop, path, "boram", {})


async def bodies(shop: Shop, path: str, who: str, headers: dict[str, str]) -> None:
    """Send what no body may be."""
    for body, media in ((b"[]", "application/json"), (b"[]", "text/plain"), (b" " * 70_000, "application/json")):
        await shop.call("POST", path, who, body, {**headers, "Content-Type": media})


async def ask_while_away(shop: Shop) -> None:
    await shop.call("GET", "/api/v1/orders", "minji")
    for name in ("refund", "cancel"):
        await shop.call("POST", f"/api/v1/orders/ORD-100/{name}", "minji", headers=fresh())
    await shop.chat("hi")
    await shop.call("GET", "/api/v1/runs/r", "minji")
    await shop.call("POST", "/api/v1/runs/r/withdraw", "minji")
    await shop.call("GET", "/api/v1/conversations/c", "minji")
    await shop.call("GET", "/api/v1/results/r", "minji")
    await shop.call("GET", "/api/v1/approvals", "boram")
    await shop.decide("a", "approve")
    await shop.call("GET", UNKNOWN, "boram")
    await shop.call("POST", f"{UNKNOWN}/a/finding", "boram", {"finding": "happened"})
    await shop.call("GET", "/health/ready")


def away(services: Services) -> Services:
    """Put nothing behind the adapter that answers."""

    class Away:
        def __getattr__(self, _name: str) -> Callable[..., Any]:
            async def fails(*_given: object, **_named: object) -> Any:
                raise UnavailableError

            return fails

    async def not_ready() -> bool:
        return False

    nobody: Any = Away()
    return replace(
        services,
        search=nobody,
        request_keys=nobody,
        chat=nobody,
        runs=nobody,
        approvals=nobody,
        is_ready=not_ready,
    )


def fresh() -> dict[str, str]:
    return {"Idempotency-Key": next(KEYS)}
