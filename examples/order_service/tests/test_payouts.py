"""A refund is paid out once, or taken back; never both, whatever the provider and the process do (agent/I5)."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from sqlalchemy import select, text, update

from axhub.agent.adapters.sql import tables as agent_tables
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.system import RandomIds
from order_service.adapters.payments.http import HttpPayments
from order_service.adapters.persistence import tables
from order_service.adapters.persistence.transactions import SqlTransactions
from order_service.domain.actor import ActorContext
from order_service.domain.errors import PayoutContradictedError
from order_service.domain.order import Order, OrderStatus
from order_service.domain.payout import Payout
from order_service.ports.inbound import CancelOrderCommand, RefundOrderCommand
from order_service.ports.orders import Transactions
from order_service.ports.payments import Asked, Payment, Sent
from order_service.testing import RecordedPauses, WatchedTransactions
from order_service.testing.provider import BUSY, DONE_AND_RESET, FAILED, PENDING, RESET, Provider, provider
from order_service.testing.stored import has_open_transaction, stored_order
from order_service.usecases.cancel_order import CancelOrder
from order_service.usecases.compensate_refund import CompensateRefund, CompensateRefundCommand
from order_service.usecases.pay_out_refund import PayOutRefund
from order_service.usecases.refund_order import RefundOrder

pytestmark = pytest.mark.req("agent/I5")

MINJI: Final = ActorContext("minji", "hanbit")
FIRST: Final = "hanbit:refund:ORD-100"
SECOND: Final = "hanbit:refund:ORD-100:2"
SHIPPED: Final = "hanbit:refund:ORD-101"


@dataclass
class World:
    """The use cases over one database and one provider."""

    database: Database
    outside: Provider
    pauses: RecordedPauses

    @property
    def transactions(self) -> SqlTransactions:
        return SqlTransactions(self.database, RandomIds().new)

    def payouts(self, transactions: Transactions | None = None, url: str = "") -> PayOutRefund:
        over = transactions or self.transactions
        return PayOutRefund(over, HttpPayments(url or self.outside.url), CompensateRefund(over), self.pauses)

    async def refund(self, order_id: str = "ORD-100") -> None:
        await RefundOrder(self.transactions).execute(RefundOrderCommand(MINJI, order_id))

    async def pay(self) -> Payout | None:
        return await self.payouts().next()

    async def pay_later(self) -> Payout | None:
        """Pay what is due once every pause and lease is over."""
        await self.pass_time()
        return await self.pay()

    async def pass_time(self) -> None:
        await self.database.write(
            lambda one: one.execute(update(tables.payout).values(due_at=tables.payout.c.due_at * 0))
        )

    async def order(self, order_id: str = "ORD-100") -> Order:
        return await stored_order(self.database, "hanbit", order_id)

    async def rows(self) -> list[Any]:
        """Return the payouts, by key."""
        wanted = select(tables.payout).order_by(tables.payout.c.key)
        return await self.database.read(lambda one: list(one.execute(wanted)))

    async def states(self) -> list[str]:
        return [row.state for row in await self.rows()]

    async def seconds_until_due(self) -> float:
        """Return how long nothing is due, by the database's own clock."""
        (row,) = await self.rows()
        clock = "SELECT CAST((julianday('now') - 2440587.5) * 86400000.0 AS BIGINT)"
        if not self.database.is_sqlite:
            clock = "SELECT CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)"
        now = await self.database.read(lambda one: one.execute(text(clock)).scalar_one())
        return float(row.due_at - now) / 1000

    async def events(self) -> list[str]:
        wanted = select(agent_tables.outbox.c.type).order_by(agent_tables.outbox.c.seq)
        return await self.database.read(lambda one: list(one.execute(wanted).scalars()))


@pytest.fixture
async def outside() -> AsyncIterator[Provider]:
    async with provider() as made:
        yield made


@pytest.fixture
def world(database: Database, outside: Provider) -> World:
    return World(database, outside, RecordedPauses())


async def test_a_refund_stores_what_it_owes_and_is_paid_once(world: World) -> None:
    await world.refund()
    (row,) = await world.rows()
    assert (row.key, row.order_id, row.payee, row.amount, row.former, row.state) == (
        *("refund:ORD-100", "ORD-100", "minji", 89_000),
        *("PAID", "DUE"),
    )
    assert await world.pay() is not None
    assert await world.pay_later() is None
    assert (await world.states(), (await world.order()).status) == (["PAID"], OrderStatus.REFUNDED)
    assert (world.outside.paid, world.outside.asked(FIRST)) == ({FIRST: 89_000}, ["POST"])
    assert await world.events() == ["order.refunded", "order.refund_paid"]


async def test_a_cancellation_owes_nothing(world: World) -> None:
    await CancelOrder(world.transactions).execute(CancelOrderCommand(MINJI, "ORD-100"))
    assert (await world.rows(), await world.pay()) == ([], None)


@pytest.mark.parametrize(("order_id", "former"), [("ORD-100", OrderStatus.PAID), ("ORD-101", OrderStatus.SHIPPED)])
async def test_a_declined_refund_is_taken_back_with_its_reason(
    world: World, order_id: str, former: OrderStatus
) -> None:
    world.outside.declines = lambda _key: "account_closed"
    before = await world.order(order_id)
    await world.refund(order_id)
    await world.pay()
    after = await world.order(order_id)
    assert after == replace(before, version=3, declined_refunds=1, refund_declined="account_closed")
    assert after.status is former
    (row,) = await world.rows()
    assert (row.state, row.reason, row.due_at, world.outside.paid) == ("DECLINED", "account_closed", None, {})
    assert await world.events() == ["order.refunded", "order.refund_declined"]
    refund = RefundOrder(world.transactions)
    assert await refund.outcome(RefundOrderCommand(MINJI, order_id)) is None


async def test_the_event_of_a_refund_that_was_taken_back_says_where_the_order_stands_and_why(world: World) -> None:
    world.outside.declines = lambda _key: "account_closed"
    await world.refund("ORD-101")
    await world.pay()
    wanted = select(agent_tables.outbox).order_by(agent_tables.outbox.c.seq.desc()).limit(1)
    row = await world.database.read(lambda one: one.execute(wanted).one())
    assert (row.aggregate, json.loads(row.payload)) == (
        "order/hanbit/ORD-101",
        {"order_id": "ORD-101", "tenant_id": "hanbit", "status": "SHIPPED", "reason": "account_closed"},
    )


@pytest.mark.req("agent/I1")
async def test_an_order_whose_refund_was_taken_back_may_be_refunded_anew_under_a_key_of_its_own(world: World) -> None:
    world.outside.declines = lambda key: "account_closed" if key == FIRST else None
    await world.refund()
    await world.pay()
    await world.refund()
    await world.refund()
    assert (await world.order()).refund_declined == ""
    await world.pay()
    assert await world.pay_later() is None
    assert (await world.states(), world.outside.paid) == (["DECLINED", "PAID"], {SECOND: 89_000})
    assert await world.events() == ["order.refunded", "order.refund_declined", "order.refunded", "order.refund_paid"]


async def test_an_order_whose_refund_was_taken_back_may_be_cancelled_instead(world: World) -> None:
    world.outside.declines = lambda _key: "account_closed"
    await world.refund()
    await world.pay()
    cancelled = await CancelOrder(world.transactions).execute(CancelOrderCommand(MINJI, "ORD-100"))
    assert (cancelled.status, cancelled.refund_declined) == ("CANCELLED", "")


async def test_what_did_not_get_there_is_sent_again_after_pauses(world: World) -> None:
    world.outside.troubles.extend([BUSY, BUSY])
    await world.refund()
    await world.pay()
    assert (world.outside.asked(FIRST), world.outside.paid) == (["POST", "POST", "POST"], {FIRST: 89_000})
    assert world.pauses.seconds == [0.125, 0.25]


async def test_what_never_gets_there_is_put_back_and_asked_about_before_it_is_sent_later(world: World) -> None:
    world.outside.troubles.extend([BUSY, BUSY, BUSY])
    await world.refund()
    await world.pay()
    assert (world.outside.asked(FIRST), await world.states()) == (["POST", "POST", "POST"], ["SENT"])
    assert 0 < await world.seconds_until_due() <= 1
    assert await world.pay() is None
    await world.pay_later()
    assert world.outside.asked(FIRST)[3:] == ["GET", "POST"]
    assert (await world.states(), world.outside.paid) == (["PAID"], {FIRST: 89_000})


async def test_where_it_may_have_happened_the_provider_is_asked_and_nothing_is_sent_again(world: World) -> None:
    world.outside.troubles.append(DONE_AND_RESET)
    await world.refund()
    await world.pay()
    assert (world.outside.asked(FIRST), await world.states()) == (["POST", "GET"], ["PAID"])


async def test_what_the_provider_turns_out_to_have_declined_is_taken_back(world: World) -> None:
    world.outside.declines = lambda _key: "limit"
    world.outside.troubles.append(DONE_AND_RESET)
    await world.refund()
    await world.pay()
    assert (await world.states(), (await world.order()).refund_declined) == (["DECLINED"], "limit")


async def test_what_nobody_can_tell_is_asked_about_until_somebody_can(world: World) -> None:
    world.outside.troubles.extend([DONE_AND_RESET, FAILED, PENDING, RESET])
    await world.refund()
    for _ in range(4):
        await world.pay_later()
    assert (world.outside.asked(FIRST), await world.states()) == (["POST", "GET", "GET", "GET", "GET"], ["PAID"])
    assert world.pauses.seconds == []


async def test_what_may_still_be_on_its_way_is_given_time_before_it_is_sent_again(world: World) -> None:
    world.outside.troubles.append(RESET)
    await world.refund()
    await world.pay()
    assert (world.outside.asked(FIRST), await world.states()) == (["POST", "GET"], ["SENT"])
    await world.pay_later()
    assert (world.outside.asked(FIRST)[2:], world.outside.paid) == (["GET", "POST"], {FIRST: 89_000})


@pytest.mark.req("agent/L8")
async def test_no_transaction_is_open_while_a_provider_is_waited_for(world: World) -> None:
    class Watching(HttpPayments):
        async def pay_out(self, payment: Payment) -> Sent:
            seen.append(has_open_transaction(world.database))
            return await super().pay_out(payment)

        async def find(self, key: str) -> Asked:
            seen.append(has_open_transaction(world.database))
            return await super().find(key)

    seen: list[bool] = []
    over = world.transactions
    world.outside.troubles.append(DONE_AND_RESET)
    await world.refund()
    await PayOutRefund(over, Watching(world.outside.url), CompensateRefund(over), world.pauses).next()
    assert (seen, world.outside.asked(FIRST)) == ([False, False], ["POST", "GET"])


async def test_one_that_is_put_back_keeps_no_other_waiting(world: World) -> None:
    world.outside.troubles.extend([RESET])
    await world.refund("ORD-100")
    await world.refund("ORD-101")
    await world.pay()
    await world.pay()
    assert await world.states() == ["SENT", "PAID"]
    assert list(world.outside.paid) == [SHIPPED]


@pytest.mark.req("agent/I6")
async def test_two_at_once_take_each_another(world: World, url: str) -> None:
    await world.refund("ORD-100")
    await world.refund("ORD-101")
    other = replace(world, database=Database(url, patience_seconds=20))
    taken = await asyncio.gather(world.pay(), other.pay())
    await other.database.close()
    assert {one.order_id for one in taken if one is not None} == {"ORD-100", "ORD-101"}
    assert (await world.states(), len(world.outside.requests)) == (["PAID", "PAID"], 2)


async def stand_still_over(world: World, step: str) -> tuple[asyncio.Task[Payout | None], asyncio.Event]:
    """Let somebody settle a payout who stands still before a step of the last transaction; return what wakes them."""

    async def watch(at: str) -> None:
        seen.append(at)
        if at == step and seen.count("begin") == 2:
            reached.set()
            await goes_on.wait()

    seen: list[str] = []
    reached, goes_on = asyncio.Event(), asyncio.Event()
    slow = asyncio.create_task(world.payouts(WatchedTransactions(world.transactions, watch)).next())
    await reached.wait()
    return slow, goes_on


@pytest.mark.req("agent/I6")
async def test_somebody_who_outlives_the_lease_changes_nothing_more(world: World) -> None:
    await world.refund()
    slow, goes_on = await stand_still_over(world, "begin")
    await world.pay_later()
    goes_on.set()
    await slow
    assert (await world.states(), world.outside.asked(FIRST)) == (["PAID"], ["POST", "GET"])
    assert await world.events() == ["order.refunded", "order.refund_paid"]


@pytest.mark.req("agent/I6")
async def test_a_late_refusal_of_the_first_refund_leaves_the_second_alone(world: World) -> None:
    world.outside.declines = lambda key: "account_closed" if key == FIRST else None
    await world.refund()
    slow, goes_on = await stand_still_over(world, "begin")
    await world.pay_later()
    await world.refund()
    goes_on.set()
    await slow
    await world.pay()
    assert (await world.states(), world.outside.paid) == (["DECLINED", "PAID"], {SECOND: 89_000})
    assert (await world.order()).status is OrderStatus.REFUNDED


async def test_a_provider_that_says_something_else_than_before_changes_nothing(world: World) -> None:
    await world.refund()
    slow, goes_on = await stand_still_over(world, "begin")
    world.outside.told[FIRST] = '{"state": "declined", "reason": "other"}'
    await world.pay_later()
    goes_on.set()
    with pytest.raises(PayoutContradictedError, match="payout refund:ORD-100 is DECLINED; it cannot be PAID"):
        await slow
    await world.refund("ORD-101")
    await world.pay()
    with pytest.raises(PayoutContradictedError, match="payout refund:ORD-101 is PAID; it cannot be DECLINED"):
        await CompensateRefund(world.transactions).execute(
            CompensateRefundCommand("hanbit", "ORD-101", "refund:ORD-101", "other")
        )
    assert (await world.states(), (await world.order("ORD-101")).status) == (
        ["DECLINED", "PAID"],
        OrderStatus.REFUNDED,
    )


class BrokenOffError(Exception):
    """What a test ends a transaction with."""


@pytest.mark.req("agent/I2", "agent/I6")
@pytest.mark.parametrize(
    ("verdict", "step"),
    [
        *(("paid", step) for step in ("order", "payout", "save_payout", "announce", "commit")),
        *(("declined", step) for step in ("order", "payout", "save", "save_payout", "announce", "commit")),
    ],
)
async def test_what_is_broken_off_at_any_step_leaves_nothing_and_is_settled_later(
    world: World, verdict: str, step: str
) -> None:
    async def watch(at: str) -> None:
        seen.append(at)
        if at == step and seen.count("begin") == 2:
            raise BrokenOffError

    seen: list[str] = []
    world.outside.declines = lambda _key: None if verdict == "paid" else "limit"
    await world.refund()
    with pytest.raises(BrokenOffError):
        await world.payouts(WatchedTransactions(world.transactions, watch)).next()
    assert (await world.states(), await world.events()) == (["SENT"], ["order.refunded"])
    assert (await world.order()).status is OrderStatus.REFUNDED
    await world.pay_later()
    assert await world.states() == [verdict.upper()]
    assert await world.events() == ["order.refunded", f"order.refund_{verdict}"]
    assert world.outside.asked(FIRST) == ["POST", "GET"]


@pytest.mark.req("agent/I2", "agent/I6")
@pytest.mark.parametrize("step", ["due_payout", "save_payout", "commit"])
async def test_nothing_is_sent_before_it_is_stored_that_it_may_have_been(world: World, step: str) -> None:
    async def watch(at: str) -> None:
        if at == step:
            raise BrokenOffError

    await world.refund()
    with pytest.raises(BrokenOffError):
        await world.payouts(WatchedTransactions(world.transactions, watch)).next()
    assert (await world.states(), world.outside.requests) == (["DUE"], [])
    await world.pay()
    assert world.outside.asked(FIRST) == ["POST"]
