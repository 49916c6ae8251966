"""Refund one order (agent/A1, agent/A2)."""

from order_service.domain.order import Order
from order_service.ports.inbound import OrderResult, RefundOrderCommand
from order_service.ports.orders import Transactions
from order_service.usecases.changing import Change

__all__ = ["RefundOrder"]


class RefundOrder:
    """See `RefundOrderUseCase`."""

    def __init__(self, transactions: Transactions) -> None:
        self._change = Change("refund", Order.refund, transactions)

    async def execute(self, command: RefundOrderCommand) -> OrderResult:
        """See `RefundOrderUseCase`."""
        return await self._change.once(command.actor, command.order_id)

    async def outcome(self, command: RefundOrderCommand) -> OrderResult | None:
        """See `RefundOrderUseCase`."""
        return await self._change.outcome(command.actor, command.order_id)
