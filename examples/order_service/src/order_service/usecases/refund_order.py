"""Refund one order (agent/A1, agent/A2); the money follows after the commit, by `pay_out_refund`."""

from order_service.domain.order import Order
from order_service.domain.payout import Payout
from order_service.ports.inbound import OrderResult, RefundOrderCommand
from order_service.ports.orders import Transactions, Work
from order_service.usecases.changing import Change

__all__ = ["RefundOrder"]


class RefundOrder:
    """See `RefundOrderUseCase`."""

    def __init__(self, transactions: Transactions) -> None:
        self._change = Change(lambda order: order.refund_key, Order.refund, transactions, _owe)

    async def execute(self, command: RefundOrderCommand) -> OrderResult:
        """See `RefundOrderUseCase`."""
        return await self._change.once(command.actor, command.order_id)

    async def outcome(self, command: RefundOrderCommand) -> OrderResult | None:
        """See `RefundOrderUseCase`."""
        return await self._change.outcome(command.actor, command.order_id)


async def _owe(work: Work, order: Order) -> None:
    """Store what a refund owes, in its own transaction: neither is ever there without the other."""
    await work.owe(Payout.of(order))
