"""Cancel one order (agent/A1)."""

from order_service.domain.order import Order
from order_service.ports.inbound import CancelOrderCommand, OrderResult
from order_service.ports.orders import Transactions
from order_service.usecases.changing import Change

__all__ = ["CancelOrder"]


class CancelOrder:
    """See `CancelOrderUseCase`."""

    def __init__(self, transactions: Transactions) -> None:
        self._change = Change(lambda order: order.cancel_key, Order.cancel, transactions)

    async def execute(self, command: CancelOrderCommand) -> OrderResult:
        """See `CancelOrderUseCase`."""
        return await self._change.once(command.actor, command.order_id)

    async def outcome(self, command: CancelOrderCommand) -> OrderResult | None:
        """See `CancelOrderUseCase`."""
        return await self._change.outcome(command.actor, command.order_id)
