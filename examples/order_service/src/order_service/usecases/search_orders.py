"""Find orders (agent/A1)."""

from typing import Final

from order_service.domain.order import OrderStatus
from order_service.domain.permissions import SUPPORT
from order_service.ports.inbound import OrderResult, SearchOrderQuery
from order_service.ports.orders import Orders
from order_service.usecases.results import result_of

__all__ = ["SearchOrders"]

_STATUSES: Final = frozenset(OrderStatus)


class SearchOrders:
    """See `SearchOrderUseCase`."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders

    async def execute(self, query: SearchOrderQuery) -> tuple[OrderResult, ...]:
        """See `SearchOrderUseCase`."""
        if query.status is not None and query.status not in _STATUSES:
            return ()
        own = None if SUPPORT in query.actor.roles else query.actor.user_id
        found = await self._orders.find(query.actor.tenant_id, own, query.status, query.text, query.most)
        return tuple(result_of(order) for order in found)
