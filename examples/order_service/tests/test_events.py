"""Events leave after the commit, each order's in order, and again until somebody has taken them (agent/I4)."""

from dataclasses import dataclass, field

import pytest
from sqlalchemy import text

from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.outbox import SqlOutbox
from axhub.agent.adapters.system import RandomIds
from axhub.agent.ports.events import Event
from axhub.agent.testing import FixedClock, NumberedIds, RecordingObserver
from axhub.agent.usecases.relay import Relay
from order_service.adapters.events.in_process import InProcessPublisher, logged
from order_service.adapters.persistence.transactions import SqlTransactions
from order_service.ports.orders import OrderEvent

pytestmark = pytest.mark.req("agent/I4")


@dataclass
class Heard:
    """Somebody who listens, and is away as often as it is told."""

    away: int = 0
    events: list[tuple[str, str]] = field(default_factory=list)

    async def listen(self, event: Event) -> None:
        if self.away:
            self.away -= 1
            raise ConnectionError("away")
        self.events.append((event.payload["order_id"], event.type))


def relay_to(database: Database, heard: Heard) -> Relay:
    return Relay(
        outbox=SqlOutbox(database),
        publisher=InProcessPublisher(logged, heard.listen),
        clock=FixedClock(),
        ids=NumberedIds(),
        observer=RecordingObserver(),
        chance=lambda: 0.0,
    )


async def announce(database: Database, *events: tuple[str, str]) -> None:
    async with SqlTransactions(database, RandomIds().new).begin() as work:
        for order_id, type_ in events:
            await work.announce(OrderEvent(type_, order_id, "hanbit", "any"))


async def announce_in_vain(database: Database) -> None:
    async with SqlTransactions(database, RandomIds().new).begin() as work:
        await work.announce(OrderEvent("order.refunded", "ORD-100", "hanbit", "REFUNDED"))
        raise LookupError("nobody knows this order")


async def everything(relay: Relay) -> int:
    left = 0
    while found := await relay.once():
        left += found
    return left


async def test_events_of_one_order_leave_in_the_order_of_their_commits(database: Database) -> None:
    heard = Heard()
    await announce(database, ("ORD-100", "first"), ("ORD-101", "first"))
    await announce(database, ("ORD-100", "second"))
    await announce(database, ("ORD-100", "third"))
    assert await everything(relay_to(database, heard)) == 4
    assert [type_ for order_id, type_ in heard.events if order_id == "ORD-100"] == ["first", "second", "third"]
    assert [type_ for order_id, type_ in heard.events if order_id == "ORD-101"] == ["first"]


async def test_an_event_that_nobody_takes_holds_back_its_own_order_only_and_leaves_later(database: Database) -> None:
    heard = Heard(away=1)
    relay = relay_to(database, heard)
    await announce(database, ("ORD-100", "first"))
    assert await relay.once() == 0
    await announce(database, ("ORD-100", "second"), ("ORD-101", "first"))
    assert await relay.once() == 1
    assert heard.events == [("ORD-101", "first")]
    await database.write(lambda one: one.execute(text("UPDATE agent_outbox SET next_at = 0")))  # the pause is over
    assert await everything(relay) == 2
    assert heard.events == [("ORD-101", "first"), ("ORD-100", "first"), ("ORD-100", "second")]
    assert await SqlOutbox(database).lag_seconds() == 0.0


async def test_nothing_leaves_of_a_transaction_that_does_not_commit(database: Database) -> None:
    heard = Heard()
    with pytest.raises(LookupError, match="nobody knows this order"):
        await announce_in_vain(database)
    assert await everything(relay_to(database, heard)) == 0
    assert heard.events == []
