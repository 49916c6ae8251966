"""Orders to refund."""

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence.seed import seed
from order_service.domain.order import Order, OrderStatus
from support.crash_service import MINJI

__all__ = ["paid"]


async def paid(database: Database, count: int = 1) -> list[str]:
    """Add some paid orders of one customer; return their numbers."""
    numbers = [f"ORD-{number}" for number in range(1, count + 1)]
    orders = (Order(one, MINJI.tenant_id, MINJI.user_id, "a keyboard", 89_000, OrderStatus.PAID) for one in numbers)
    await seed(database, tuple(orders))
    return numbers
