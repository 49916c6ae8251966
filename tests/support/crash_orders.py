"""Orders to refund, and time that passes over them."""

from sqlalchemy import update

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence import tables
from order_service.adapters.persistence.seed import seed
from order_service.domain.order import Order, OrderStatus
from order_service.usecases.pay_out_refund import LEASE_SECONDS
from support.agent_stores import over
from support.crash_service import MINJI

__all__ = ["paid", "pass_time"]


async def paid(database: Database, count: int = 1) -> list[str]:
    """Add some paid orders of one customer; return their numbers."""
    numbers = [f"ORD-{number}" for number in range(1, count + 1)]
    orders = (Order(one, MINJI.tenant_id, MINJI.user_id, "a keyboard", 89_000, OrderStatus.PAID) for one in numbers)
    await seed(database, tuple(orders))
    return numbers


async def pass_time(database: Database) -> None:
    """Let every lease and every pause be over, of the agent and of payouts."""
    seconds = LEASE_SECONDS + 1
    await over(database).pass_time(seconds)
    earlier = update(tables.payout).values(due_at=tables.payout.c.due_at - int(seconds * 1000))
    await database.write(lambda one: one.execute(earlier))
