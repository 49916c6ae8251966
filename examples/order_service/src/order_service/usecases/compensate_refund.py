"""Take back a refund that nobody can pay (agent/I5): the order is as it was, with the reason, and may be refunded anew.

No person asks for this, so there is no actor to check: the provider's final answer is what allows it.
"""

from dataclasses import dataclass

from order_service.domain.errors import OrderNotFoundError
from order_service.domain.payout import PayoutState
from order_service.ports.orders import OrderEvent, Transactions

__all__ = ["CompensateRefund", "CompensateRefundCommand"]


@dataclass(frozen=True, slots=True)
class CompensateRefundCommand:
    """Which refund, and why."""

    tenant_id: str
    order_id: str
    key: str
    """The refund's business key."""
    reason: str
    """One word."""


class CompensateRefund:
    """The use case."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def execute(self, command: CompensateRefundCommand) -> None:
        """Take a refund back, once: a second request changes nothing.

        Raises:
            PayoutContradictedError: it was paid; nothing has changed.
            ConflictError: somebody else changed the order in between; nothing has changed.
            UnavailableError: it may have happened; doing it again is safe.
        """
        async with self._transactions.begin() as work:
            order = await work.order(command.tenant_id, command.order_id)
            payout = await work.payout(command.tenant_id, command.key)
            if payout.state is PayoutState.DECLINED:
                return
            if order is None:
                raise OrderNotFoundError
            declined = payout.declined(command.reason)
            restored = order.take_back_refund(payout.former, command.reason)
            await work.save(restored)
            await work.save_payout(declined)
            await work.announce(
                OrderEvent(
                    "order.refund_declined", order.id, order.tenant_id, restored.status.value, reason=command.reason
                )
            )
