"""The service as it runs pays by itself, at the provider that it is configured with (agent/I5)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import pytest
from sqlalchemy import select

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.payments.http import HttpPayments
from order_service.adapters.persistence import tables
from order_service.config import LOCAL, read_settings
from order_service.domain.actor import ActorContext
from order_service.main import build
from order_service.ports.inbound import RefundOrderCommand
from order_service.testing.provider import SILENT, Provider, provider

pytestmark = pytest.mark.req("agent/I5")

MINJI: Final = ActorContext("minji", "hanbit")
FIRST: Final = "hanbit:refund:ORD-100"


@pytest.fixture
async def outside() -> AsyncIterator[Provider]:
    async with provider() as made:
        yield made


async def test_the_provider_is_chosen_by_configuration_and_the_service_pays_by_itself(
    url: str, outside: Provider
) -> None:
    said = {
        "ORDER_SERVICE_DATABASE_URL": url,
        "ORDER_SERVICE_PAYMENTS_URL": outside.url,
        "ORDER_SERVICE_PAYMENTS_KEY": "a secret",
    }
    service = build(read_settings(said, LOCAL))
    async with service.running(), asyncio.timeout(30):
        await service.services.refund.execute(RefundOrderCommand(MINJI, "ORD-100"))
        while not outside.paid:  # noqa: ASYNC110 -- a provider has nobody to tell
            await asyncio.sleep(0.01)
    assert (outside.paid, b"Authorization: Bearer a secret" in outside.headers[0]) == ({FIRST: 89_000}, True)


async def test_what_the_service_has_begun_to_pay_at_its_end_is_settled_first(url: str, outside: Provider) -> None:
    outside.troubles.append(SILENT)
    settings = read_settings({"ORDER_SERVICE_DATABASE_URL": url}, LOCAL)
    service = build(settings, payments=HttpPayments(outside.url, seconds=0.5))
    database = Database(url, patience_seconds=20)
    async with service.running():
        await service.services.refund.execute(RefundOrderCommand(MINJI, "ORD-100"))
        while not outside.requests:  # noqa: ASYNC110 -- as above
            await asyncio.sleep(0.01)
        outside.told[FIRST] = '{"state": "paid"}'  # it came, and only the answer does not
    states = await database.read(lambda one: list(one.execute(select(tables.payout.c.state)).scalars()))
    await database.close()
    assert (states, outside.asked(FIRST)) == (["PAID"], ["POST", "GET"])
