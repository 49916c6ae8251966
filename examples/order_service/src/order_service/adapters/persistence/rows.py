"""Orders to and from rows, and faults of the database in the application's words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Select, bindparam, select

from axhub.agent.ports.runs import StoreUnavailableError
from order_service.adapters.persistence import tables
from order_service.domain.order import Order, OrderStatus
from order_service.ports.faults import UnavailableError

__all__ = ["ONE_ORDER", "ONE_RESULT", "columns_of", "order_of", "reachable"]

_ORDER: Final = tables.order.c
_RESULT: Final = tables.result.c
ONE_ORDER: Final[Select[Any]] = select(tables.order).where(
    _ORDER.tenant_id == bindparam("of"), _ORDER.id == bindparam("named")
)
ONE_RESULT: Final = select(_RESULT.result).where(
    _RESULT.tenant_id == bindparam("of"), _RESULT.key == bindparam("named")
)


def order_of(row: Any) -> Order:
    """Return an order."""
    status = OrderStatus(row.status)
    return Order(row.id, row.tenant_id, row.customer_id, row.item, row.total, status, row.version)


def columns_of(order: Order) -> dict[str, Any]:
    """Return the columns of an order."""
    return {
        "tenant_id": order.tenant_id,
        "id": order.id,
        "customer_id": order.customer_id,
        "item": order.item,
        "total": order.total,
        "status": order.status.value,
        "version": order.version,
    }


@contextmanager
def reachable() -> Iterator[None]:
    """Say `UnavailableError` where the database does not answer as it should."""
    try:
        yield
    except StoreUnavailableError as error:
        raise UnavailableError from error
