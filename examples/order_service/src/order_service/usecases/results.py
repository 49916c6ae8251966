"""Orders as the outside sees them."""

from order_service.domain.order import Order
from order_service.ports.inbound import OrderResult

__all__ = ["result_of"]


def result_of(order: Order) -> OrderResult:
    """Return an order as a result."""
    return OrderResult(order.id, order.status.value, order.item, order.total, order.refund_declined)
