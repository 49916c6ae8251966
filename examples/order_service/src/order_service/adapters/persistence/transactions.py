"""The transaction of a command: order, record and event are committed together, or nothing is (agent/I2)."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy import bindparam, insert, null, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.outbox import add_event
from axhub.agent.ports.events import Event
from order_service.adapters.persistence import tables
from order_service.adapters.persistence.rows import (
    ONE_ORDER,
    ONE_PAYOUT,
    ONE_RESULT,
    order_of,
    payout_columns,
    payout_of,
    reachable,
)
from order_service.domain.errors import ConflictError
from order_service.domain.order import Order, OrderId
from order_service.domain.payout import Payout
from order_service.ports.orders import OrderEvent, Work

__all__ = ["SqlTransactions"]

_ORDER: Final = tables.order.c
_LOCKED: Final = ONE_ORDER.with_for_update()
_SAVE: Final = update(tables.order).where(
    _ORDER.tenant_id == bindparam("of"), _ORDER.id == bindparam("named"), _ORDER.version == bindparam("known")
)
_RECORD: Final = insert(tables.result)
_PAYOUT: Final = tables.payout.c
_OWE: Final = insert(tables.payout).values(due_at=NOW)
_DUE: Final = (
    select(tables.payout)
    .where(_PAYOUT.due_at <= NOW)
    .order_by(_PAYOUT.due_at)
    .limit(1)
    .with_for_update(skip_locked=True)
)
_LOCKED_PAYOUT: Final = ONE_PAYOUT.with_for_update()
_SAVE_PAYOUT: Final = update(tables.payout).where(
    _PAYOUT.tenant_id == bindparam("of"), _PAYOUT.key == bindparam("named")
)
_DUE_AGAIN: Final = _SAVE_PAYOUT.values(due_at=in_millis("pause"))
_OVER: Final = _SAVE_PAYOUT.values(due_at=null())


class SqlTransactions:
    """See `ports.orders.Transactions`."""

    def __init__(self, database: Database, new_id: Callable[[], str]) -> None:
        """Take the database.

        Args:
            database: with the tables of axhub's agent and of this service.
            new_id: makes ids of events.
        """
        self._database = database
        self._new_id = new_id

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Work]:
        """See `Transactions`."""
        with reachable():
            async with self._database.transaction() as connection:
                yield _SqlWork(connection, self._new_id)


class _SqlWork:
    """See `ports.orders.Work`."""

    def __init__(self, connection: AsyncConnection, new_id: Callable[[], str]) -> None:
        self._connection = connection
        self._new_id = new_id

    async def order(self, tenant_id: str, order_id: OrderId) -> Order | None:
        """See `Work`."""
        row = (await self._connection.execute(_LOCKED, {"of": tenant_id, "named": order_id})).one_or_none()
        return None if row is None else order_of(row)

    async def save(self, order: Order) -> None:
        """See `Work`."""
        own = {"of": order.tenant_id, "named": order.id, "known": order.version - 1}
        changed = {
            "status": order.status.value,
            "version": order.version,
            "declined_refunds": order.declined_refunds,
            "refund_declined": order.refund_declined,
        }
        done = await self._connection.execute(_SAVE, {**own, **changed})
        if done.rowcount != 1:
            raise ConflictError

    async def result_of(self, tenant_id: str, key: str) -> str | None:
        """See `Work`."""
        found: str | None = (await self._connection.execute(ONE_RESULT, {"of": tenant_id, "named": key})).scalar()
        return found

    async def record(self, tenant_id: str, key: str, result: str) -> None:
        """See `Work`."""
        try:
            await self._connection.execute(_RECORD, {"tenant_id": tenant_id, "key": key, "result": result})
        except IntegrityError as error:
            raise ConflictError from error

    async def announce(self, event: OrderEvent) -> None:
        """See `Work`; events of one order leave in order."""
        payload = {"order_id": event.order_id, "tenant_id": event.tenant_id, "status": event.status}
        if event.reason:
            payload["reason"] = event.reason
        made = Event(self._new_id(), f"order/{event.tenant_id}/{event.order_id}", event.type, payload)
        await self._connection.run_sync(add_event, made)

    async def owe(self, payout: Payout) -> None:
        """See `Work`."""
        await self._connection.execute(_OWE, payout_columns(payout))

    async def due_payout(self) -> Payout | None:
        """See `Work`."""
        row = (await self._connection.execute(_DUE)).one_or_none()
        return None if row is None else payout_of(row)

    async def payout(self, tenant_id: str, key: str) -> Payout:
        """See `Work`."""
        return payout_of((await self._connection.execute(_LOCKED_PAYOUT, {"of": tenant_id, "named": key})).one())

    async def save_payout(self, payout: Payout, due_in: float = 0.0) -> None:
        """See `Work`."""
        changed = {"state": payout.state.value, "tries": payout.tries, "reason": payout.reason}
        own = {"of": payout.tenant_id, "named": payout.key}
        if payout.is_over:
            await self._connection.execute(_OVER, {**own, **changed})
        else:
            await self._connection.execute(_DUE_AGAIN, {**own, **changed, "pause": millis(due_in)})
