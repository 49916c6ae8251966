"""Orders for the demonstration: three customers of two tenants, all of them invented."""

from typing import Final

from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql.database import Database, Once
from order_service.adapters.persistence import tables
from order_service.adapters.persistence.rows import columns_of, reachable
from order_service.domain.order import Order, OrderStatus

__all__ = ["DEMO_ORDERS", "seed"]

_S = OrderStatus

DEMO_ORDERS: Final = (
    Order("ORD-100", "hanbit", "minji", "무선 키보드", 89_000, _S.PAID),
    Order("ORD-101", "hanbit", "minji", "27인치 모니터", 329_000, _S.SHIPPED),
    Order("ORD-102", "hanbit", "minji", "노트북 거치대", 42_000, _S.CANCELLED),
    Order("ORD-110", "hanbit", "junho", "커피 원두 1kg", 28_000, _S.PAID),
    Order("ORD-111", "hanbit", "junho", "핸드 드립 세트", 54_000, _S.SHIPPED),
    # The number of another tenant's order: neither tenant sees the other's.
    Order("ORD-100", "saebyeok", "sora", "등산 배낭 40L", 119_000, _S.PAID),
    Order("ORD-200", "saebyeok", "sora", "경량 텐트", 248_000, _S.PAID),
)
_ADD: Final = Once(tables.order)


async def seed(database: Database, orders: tuple[Order, ...] = DEMO_ORDERS) -> None:
    """Add orders that are not there yet; those that are stay as they are."""

    def work(connection: Connection) -> None:
        for order in orders:
            _ADD.execute(connection, columns_of(order))

    with reachable():
        await database.write(work)
