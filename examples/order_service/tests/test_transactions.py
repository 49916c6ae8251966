"""A change of an order is one transaction: order, record and event together, once, whatever breaks (agent/I2)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from sqlalchemy import select, text

from axhub.agent.adapters.sql import tables as agent_tables
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.system import RandomIds
from order_service.adapters.persistence import tables
from order_service.adapters.persistence.transactions import SqlTransactions
from order_service.domain.actor import ActorContext
from order_service.domain.errors import ConflictError, NotAllowedError, OrderNotFoundError, WrongStateError
from order_service.domain.order import Order, OrderStatus
from order_service.ports.faults import UnavailableError
from order_service.ports.inbound import CancelOrderCommand, OrderResult, RefundOrderCommand
from order_service.ports.orders import OrderEvent
from order_service.testing import STEPS, WatchedTransactions
from order_service.testing.stored import has_open_transaction, stored_order
from order_service.usecases.cancel_order import CancelOrder
from order_service.usecases.refund_order import RefundOrder

MINJI: Final = ActorContext("minji", "hanbit")
JUNHO: Final = ActorContext("junho", "hanbit")
SORA: Final = ActorContext("sora", "saebyeok")
DANA: Final = ActorContext("dana", "hanbit", frozenset({"support"}))
REFUNDED: Final = OrderResult("ORD-100", "REFUNDED", "무선 키보드", 89_000)


class BrokenOffError(Exception):
    """What a test ends a transaction with."""


def refund_over(database: Database, watch: Callable[[str], Awaitable[None]] | None = None) -> RefundOrder:
    transactions = SqlTransactions(database, RandomIds().new)
    if watch is None:
        return RefundOrder(transactions)
    return RefundOrder(WatchedTransactions(transactions, watch))


async def stored(database: Database) -> tuple[str, int, list[str], list[str]]:
    """Return what the tables say: state and version of minji's first order, keys of records, types of events."""
    order = await stored_order(database, "hanbit", "ORD-100")

    def rows(connection: Any) -> tuple[list[str], list[str]]:
        keys = connection.execute(select(tables.result.c.key)).scalars().all()
        types = connection.execute(select(agent_tables.outbox.c.type).order_by(agent_tables.outbox.c.seq)).scalars()
        return list(keys), list(types)

    keys, types = await database.read(rows)
    return order.status.value, order.version, keys, types


UNTOUCHED: Final[tuple[str, int, list[str], list[str]]] = ("PAID", 1, [], [])
DONE: Final = ("REFUNDED", 2, ["refund:ORD-100"], ["order.refunded"])


@pytest.mark.req("agent/A1", "agent/I2")
async def test_a_refund_leaves_the_order_its_record_and_its_event(database: Database) -> None:
    assert await refund_over(database).execute(RefundOrderCommand(MINJI, "ORD-100")) == REFUNDED
    assert await stored(database) == DONE


@pytest.mark.req("agent/I2")
@pytest.mark.parametrize("step", STEPS)
async def test_a_refund_that_is_broken_off_at_any_step_leaves_nothing(database: Database, step: str) -> None:
    async def break_off(at: str) -> None:
        if at == step:
            raise BrokenOffError

    with pytest.raises(BrokenOffError):
        await refund_over(database, break_off).execute(RefundOrderCommand(MINJI, "ORD-100"))
    assert await stored(database) == UNTOUCHED
    assert await refund_over(database).outcome(RefundOrderCommand(MINJI, "ORD-100")) is None
    assert await refund_over(database).execute(RefundOrderCommand(MINJI, "ORD-100")) == REFUNDED
    assert await stored(database) == DONE


@pytest.mark.req("agent/I2")
@pytest.mark.parametrize("step", STEPS)
async def test_a_refund_that_is_cancelled_at_any_step_leaves_nothing(database: Database, step: str) -> None:
    async def wait_for_ever(at: str) -> None:
        if at == step:
            reached.set()
            await asyncio.Event().wait()

    reached = asyncio.Event()
    task = asyncio.create_task(refund_over(database, wait_for_ever).execute(RefundOrderCommand(MINJI, "ORD-100")))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await stored(database) == UNTOUCHED


@pytest.mark.req("agent/I2")
@pytest.mark.parametrize("step", STEPS[2:])
async def test_a_connection_that_is_killed_at_any_step_leaves_nothing(database: Database, step: str) -> None:
    if database.is_sqlite:
        pytest.skip("SQLite has no connection that could be killed; the process is, elsewhere")

    async def kill(at: str) -> None:
        if at == step:
            async with database.engine.connect() as other:
                killed = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'"
                assert (await other.execute(text(killed))).scalars().all() == [True]

    with pytest.raises(UnavailableError):
        await refund_over(database, kill).execute(RefundOrderCommand(MINJI, "ORD-100"))
    assert await stored(database) == UNTOUCHED


@pytest.mark.req("agent/I1")
async def test_two_refunds_at_the_same_moment_on_two_connections_leave_one(url: str, database: Database) -> None:
    async def together(at: str) -> None:
        if at == "begin":
            await both.wait()

    both = asyncio.Barrier(2)
    other = Database(url, patience_seconds=20)
    refunds = [refund_over(one, together).execute(RefundOrderCommand(MINJI, "ORD-100")) for one in (database, other)]
    assert await asyncio.gather(*refunds) == [REFUNDED, REFUNDED]
    assert await stored(database) == DONE
    await other.close()


async def announce_and_record(transactions: SqlTransactions, result: str) -> None:
    async with transactions.begin() as work:
        await work.announce(OrderEvent("order.refunded", "ORD-100", "hanbit", "REFUNDED"))
        await work.record("hanbit", "refund:ORD-100", result)


@pytest.mark.req("agent/I1")
async def test_a_business_key_is_recorded_once_by_the_databases_own_constraint(database: Database) -> None:
    transactions = SqlTransactions(database, RandomIds().new)
    async with transactions.begin() as work:
        await work.record("hanbit", "refund:ORD-100", "first")
        await work.record("saebyeok", "refund:ORD-100", "another tenant's")
    with pytest.raises(ConflictError):
        await announce_and_record(transactions, "second")
    async with transactions.begin() as work:
        assert await work.result_of("hanbit", "refund:ORD-100") == "first"
    assert (await stored(database))[3] == []


async def save(transactions: SqlTransactions, order: Order) -> None:
    async with transactions.begin() as work:
        await work.save(order)


@pytest.mark.req("agent/I1")
async def test_an_order_that_somebody_else_changed_in_between_is_not_saved(database: Database) -> None:
    transactions = SqlTransactions(database, RandomIds().new)
    order = await stored_order(database, "hanbit", "ORD-100")
    await save(transactions, order.cancel())
    with pytest.raises(ConflictError):
        await save(transactions, order.refund())
    after = await stored_order(database, "hanbit", "ORD-100")
    assert after == order.cancel()


@pytest.mark.req("agent/I1")
async def test_a_second_refund_gets_the_first_result_and_changes_nothing(database: Database) -> None:
    refund = refund_over(database)
    first = await refund.execute(RefundOrderCommand(MINJI, "ORD-100"))
    assert await refund.execute(RefundOrderCommand(MINJI, "ORD-100")) == first
    assert await refund.outcome(RefundOrderCommand(MINJI, "ORD-100")) == first
    assert await stored(database) == DONE


@pytest.mark.req("agent/L6")
async def test_a_refund_that_is_being_committed_is_waited_for_by_whoever_asks_what_became_of_it(
    database: Database,
) -> None:
    async def stand_still(step: str) -> None:
        if step == "commit":
            is_written.set()
            await goes_on.wait()

    is_written, goes_on = asyncio.Event(), asyncio.Event()
    refunding = asyncio.create_task(refund_over(database, stand_still).execute(RefundOrderCommand(MINJI, "ORD-100")))
    await is_written.wait()
    asking = asyncio.create_task(refund_over(database).outcome(RefundOrderCommand(MINJI, "ORD-100")))
    await asyncio.wait({asking}, timeout=0.2)
    goes_on.set()
    assert await asking == await refunding == REFUNDED


@pytest.mark.req("agent/A11")
async def test_a_change_loads_checks_changes_and_saves_in_this_order(database: Database) -> None:
    async def note(at: str) -> None:
        seen.append(at)

    seen: list[str] = []
    await refund_over(database, note).execute(RefundOrderCommand(MINJI, "ORD-100"))
    assert seen == list(STEPS)


@pytest.mark.req("agent/A11")
@pytest.mark.parametrize(
    ("actor", "order_id", "error", "steps"),
    [
        (JUNHO, "ORD-100", OrderNotFoundError, ["begin", "order"]),
        (SORA, "ORD-101", OrderNotFoundError, ["begin", "order"]),
        (DANA, "ORD-100", NotAllowedError, ["begin", "order"]),
        (MINJI, "ORD-999", OrderNotFoundError, ["begin", "order"]),
        (MINJI, "ORD-102", WrongStateError, ["begin", "order", "result_of"]),
        (MINJI, "ORD-100' OR '1'='1", OrderNotFoundError, []),
    ],
)
async def test_whoever_may_not_is_refused_on_the_loaded_order_before_anything_changes(
    database: Database, actor: ActorContext, order_id: str, error: type[Exception], steps: list[str]
) -> None:
    async def note(at: str) -> None:
        seen.append(at)

    seen: list[str] = []
    with pytest.raises(error):
        await refund_over(database, note).execute(RefundOrderCommand(actor, order_id))
    assert seen == steps
    assert await stored(database) == UNTOUCHED


@pytest.mark.req("agent/A11")
async def test_the_outcome_of_anothers_refund_is_nobody_elses_business(database: Database) -> None:
    refund = refund_over(database)
    await refund.execute(RefundOrderCommand(MINJI, "ORD-100"))
    others = (JUNHO, SORA, DANA)
    assert [await refund.outcome(RefundOrderCommand(one, "ORD-100")) for one in others] == [None, None, None]
    assert await refund.outcome(RefundOrderCommand(MINJI, "no number")) is None


@pytest.mark.req("agent/A1")
async def test_a_cancelled_order_cannot_be_refunded_and_the_other_way_round(database: Database) -> None:
    cancel = CancelOrder(SqlTransactions(database, RandomIds().new))
    refund = refund_over(database)
    cancelled = await cancel.execute(CancelOrderCommand(MINJI, "ORD-100"))
    assert cancelled == OrderResult("ORD-100", OrderStatus.CANCELLED, "무선 키보드", 89_000)
    assert await cancel.outcome(CancelOrderCommand(MINJI, "ORD-100")) == cancelled
    with pytest.raises(WrongStateError, match="order ORD-100 is CANCELLED; it cannot be REFUNDED"):
        await refund.execute(RefundOrderCommand(MINJI, "ORD-100"))
    await refund.execute(RefundOrderCommand(MINJI, "ORD-101"))
    with pytest.raises(WrongStateError, match="order ORD-101 is REFUNDED; it cannot be CANCELLED"):
        await cancel.execute(CancelOrderCommand(MINJI, "ORD-101"))


@pytest.mark.req("agent/L8")
async def test_a_transaction_is_open_in_a_command_and_over_after_it(database: Database) -> None:
    async def note(at: str) -> None:
        seen.append((at, has_open_transaction(database)))

    seen: list[tuple[str, bool]] = []
    refund = refund_over(database, note)
    await refund.execute(RefundOrderCommand(MINJI, "ORD-100"))
    assert seen == [(step, step != "begin") for step in STEPS]
    await refund.outcome(RefundOrderCommand(MINJI, "ORD-100"))
    assert not has_open_transaction(database)
