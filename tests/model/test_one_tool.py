"""A customer may only have refunds, so a real small model can pick nothing else: from the message to the refund."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from axhub.agent.config.model import Framework
from order_service.adapters.ai.gateway import AxhubGateway
from order_service.adapters.http.serving import Services
from order_service.config import LOCAL, read_settings
from order_service.domain.actor import ActorContext
from order_service.main import build
from order_service.ports.agent import AgentCapability
from order_service.usecases.capability_policy import AgentCapabilityPolicy
from order_service.usecases.chat import ChatAgent
from support.agent_record import Record, record_of
from support.asgi_server import on_loopback
from support.model_invariants import check
from support.order_shop import Shop
from support.requests_sent import conversation_of, tools_of
from support.small_model import SmallModel

pytestmark = [pytest.mark.timeout(300)]

MESSAGES: Final = {"English": "Please refund ORD-100.", "Korean": "ORD-100 환불해줘"}
SSE: Final = {"Accept": "text/event-stream"}
MOST_DECISIONS: Final = 10


class OnlyRefunds(AgentCapabilityPolicy):
    """Customers have refunds, and nothing else."""

    def resolve(self, agent_type: str, actor: ActorContext) -> frozenset[AgentCapability]:
        """See the base class."""
        return super().resolve(agent_type, actor) & {AgentCapability.REFUND_ORDER}


@asynccontextmanager
async def refunds_only(folder: Path, model: SmallModel, framework: Framework) -> AsyncIterator[Shop]:
    """Serve the order service with that policy, and with a model that is configured as in operation."""
    url = f"sqlite:///{folder / 'orders.sqlite3'}"
    service = build(read_settings({"ORDER_SERVICE_DATABASE_URL": url, **model.settings(framework)}, LOCAL))
    services: Services = replace(service.services, chat=ChatAgent(OnlyRefunds(), AxhubGateway(service.agent)))
    service = replace(service, services=services)
    async with on_loopback(service.asgi()) as port:
        shop = Shop(port, service)
        shop.document = (await shop.call("GET", "/openapi.json")).json
        yield shop


@pytest.mark.req("agent/A10", "agent/A6", "agent/R1", "agent/I1")
@pytest.mark.parametrize("is_streamed", [False, True], ids=["JSON", "SSE"])
@pytest.mark.parametrize("language", MESSAGES)
@pytest.mark.parametrize("framework", list(Framework))
async def test_a_refund_waits_for_a_person_and_is_then_made_once(
    model: SmallModel, framework: Framework, language: str, is_streamed: bool, tmp_path: Path
) -> None:
    since = len(model.told())
    async with refunds_only(tmp_path, model, framework) as shop:
        held = await _asked(shop, MESSAGES[language], is_streamed=is_streamed)
        assert [(one["tool"], one["arguments"]) for one in held["approvals"]] == [
            ("refund_order", {"order_id": "ORD-100"})
        ]
        assert _refunds(await record_of(shop.service.database)) == ("PAID", [], 0)
        ended = await _approved(shop, held)
        record = await record_of(shop.service.database)
    assert ended["status"] in {"answered", "stopped"}
    assert _refunds(record) == ("REFUNDED", ["DONE"], 1)
    told = model.told(since)
    assert {tuple(name for name, _, _ in tools_of(one.body)) for one in told} == {("refund_order",)}
    assert "REFUNDED" in str(conversation_of(told[-1].body)), "the model read what came of it"
    check(record, told, ["hanbit", "minji", "boram"])


async def _asked(shop: Shop, message: str, *, is_streamed: bool) -> Any:
    headers = SSE if is_streamed else {}
    answer = await shop.call("POST", "/api/v1/chat", "minji", {"message": message}, headers)
    if not is_streamed:
        assert answer.status == 202
        return answer.json
    (name, outcome) = answer.events[-1]
    assert (name, outcome["status"]) == ("outcome", "waiting_for_approval")
    return outcome


async def _approved(shop: Shop, held: Any) -> Any:
    """Approve what waits, and refuse whatever the model wants after that; return how it ended."""
    for number in range(MOST_DECISIONS):
        for one in held["approvals"]:
            assert (await shop.decide(one["id"], "deny" if number else "approve")).status == 200
        held = await shop.ended(held["runId"])
        if held["status"] != "waiting_for_approval":
            break
    return held


def _refunds(record: Record) -> tuple[str, list[str], int]:
    """Return the order's state, those of the calls that ran, and how many refunds left for others to hear of."""
    order = next(one for one in record.orders if (one.tenant_id, one.id) == ("hanbit", "ORD-100"))
    ran = [one.state for one in record.calls if one.state not in {"WAITING", "DENIED", "FAILED"}]
    return order.status, ran, len([one for one in record.outbox if one.type == "order.refunded"])
