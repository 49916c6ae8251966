"""What a database holds, for tests to look at."""

from sqlalchemy.pool import QueuePool

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence.orders import SqlOrders
from order_service.domain.order import Order, OrderId

__all__ = ["has_open_transaction", "stored_order"]

_MOST = 1_000


async def stored_order(database: Database, tenant_id: str, order_id: OrderId) -> Order:
    """Return an order as it is kept.

    Raises:
        StopIteration: there is none.
    """
    found = await SqlOrders(database).find(tenant_id, None, None, None, _MOST)
    return next(order for order in found if order.id == order_id)


def has_open_transaction(database: Database) -> bool:
    """Say whether a command has a transaction open: each has a connection of its own (agent/L8)."""
    pool = database.engine.pool
    return isinstance(pool, QueuePool) and pool.checkedout() > 0
