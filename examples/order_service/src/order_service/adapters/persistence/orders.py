"""Orders as they are read outside of commands."""

from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence import tables
from order_service.adapters.persistence.rows import order_of, reachable
from order_service.domain.order import Order

__all__ = ["SqlOrders"]

_ORDER: Final = tables.order.c
_NEWEST: Final = (func.length(_ORDER.id).desc(), _ORDER.id.desc())
"""Numbers are text: of two, the longer one is higher."""


class SqlOrders:
    """See `ports.orders.Orders`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(
        self, tenant_id: str, customer_id: str | None, status: str | None, text: str | None, most: int
    ) -> tuple[Order, ...]:
        """See `Orders`."""
        if text is not None and "\0" in text:
            return ()  # no text of the database holds it, and PostgreSQL refuses to be asked for it
        wanted = _wanted(tenant_id, customer_id, status, text).limit(most)

        def work(connection: Connection) -> tuple[Order, ...]:
            return tuple(order_of(row) for row in connection.execute(wanted))

        with reachable():
            return await self._database.read(work)


def _wanted(tenant_id: str, customer_id: str | None, status: str | None, text: str | None) -> Select[Any]:
    wanted = select(tables.order).where(_ORDER.tenant_id == tenant_id).order_by(*_NEWEST)
    if customer_id is not None:
        wanted = wanted.where(_ORDER.customer_id == customer_id)
    if status is not None:
        wanted = wanted.where(_ORDER.status == status)
    return wanted if not text else wanted.where(_ORDER.item.icontains(text, autoescape=True))
