"""Orders to and from rows, and faults of the database in the application's words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Select, bindparam, select

from axhub.agent.ports.runs import StoreUnavailableError
from order_service.adapters.persistence import tables
from order_service.domain.order import Order, OrderStatus
from order_service.domain.payout import Payout, PayoutState
from order_service.ports.faults import UnavailableError

__all__ = [
    "ONE_ORDER",
    "ONE_PAYOUT",
    "ONE_RESULT",
    "columns_of",
    "order_of",
    "payout_columns",
    "payout_of",
    "reachable",
]

_ORDER: Final = tables.order.c
_PAYOUT: Final = tables.payout.c
_RESULT: Final = tables.result.c
ONE_ORDER: Final[Select[Any]] = select(tables.order).where(
    _ORDER.tenant_id == bindparam("of"), _ORDER.id == bindparam("named")
)
ONE_RESULT: Final = select(_RESULT.result).where(
    _RESULT.tenant_id == bindparam("of"), _RESULT.key == bindparam("named")
)
ONE_PAYOUT: Final[Select[Any]] = select(tables.payout).where(
    _PAYOUT.tenant_id == bindparam("of"), _PAYOUT.key == bindparam("named")
)


def order_of(row: Any) -> Order:
    """Return an order."""
    return Order(
        id=row.id,
        tenant_id=row.tenant_id,
        customer_id=row.customer_id,
        item=row.item,
        total=row.total,
        status=OrderStatus(row.status),
        version=row.version,
        declined_refunds=row.declined_refunds,
        refund_declined=row.refund_declined,
    )


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
        "declined_refunds": order.declined_refunds,
        "refund_declined": order.refund_declined,
    }


def payout_of(row: Any) -> Payout:
    """Return a payout."""
    return Payout(
        tenant_id=row.tenant_id,
        key=row.key,
        order_id=row.order_id,
        payee=row.payee,
        amount=row.amount,
        former=OrderStatus(row.former),
        state=PayoutState(row.state),
        tries=row.tries,
        reason=row.reason,
    )


def payout_columns(payout: Payout) -> dict[str, Any]:
    """Return the columns of a payout."""
    return {
        "tenant_id": payout.tenant_id,
        "key": payout.key,
        "order_id": payout.order_id,
        "payee": payout.payee,
        "amount": payout.amount,
        "former": payout.former.value,
        "state": payout.state.value,
        "tries": payout.tries,
        "reason": payout.reason,
    }


@contextmanager
def reachable() -> Iterator[None]:
    """Say `UnavailableError` where the database does not answer as it should."""
    try:
        yield
    except StoreUnavailableError as error:
        raise UnavailableError from error
