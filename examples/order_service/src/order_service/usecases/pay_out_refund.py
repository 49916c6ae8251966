"""Pay the money of a refund back, once (agent/I5).

A payout is settled by whoever claims it. Before anything is sent, the database says that it may have been; so whoever
comes after a crash asks the provider first, under the same key, and sends only what the provider does not know.
"""

from typing import Final

from order_service.domain.order import OrderStatus
from order_service.domain.payout import Payout, PayoutState
from order_service.ports.orders import OrderEvent, Transactions
from order_service.ports.payments import (
    Asked,
    Declined,
    NothingKnown,
    NotSent,
    PaidOut,
    Pauses,
    Payment,
    Payments,
    Sent,
    Unknown,
)
from order_service.usecases.compensate_refund import CompensateRefund, CompensateRefundCommand
from order_service.usecases.patience import LATER, SOON

__all__ = ["LEASE_SECONDS", "PayOutRefund"]

LEASE_SECONDS: Final = 60.0
"""After which a payout whose process died is due again: longer than all that one may do with it."""


class PayOutRefund:
    """The use case."""

    def __init__(
        self, transactions: Transactions, payments: Payments, compensate: CompensateRefund, pauses: Pauses
    ) -> None:
        self._transactions = transactions
        self._payments = payments
        self._compensate = compensate
        self._pauses = pauses

    async def next(self) -> Payout | None:
        """Settle the payout that has been due the longest, or put it back; return it as it was, None if none is due.

        Raises:
            PayoutContradictedError: the provider says something else than it said before; nothing has changed.
            ConflictError, UnavailableError: it is due again once its lease is over.
        """
        payout = await self._claimed()
        if payout is None:
            return None
        outcome = await self._outcome(payout)
        if isinstance(outcome, PaidOut):
            await self._note_paid(payout)
        elif isinstance(outcome, Declined):
            await self._compensate.execute(
                CompensateRefundCommand(payout.tenant_id, payout.order_id, payout.key, outcome.reason)
            )
        else:
            await self._put_back(payout)
        return payout

    async def _claimed(self) -> Payout | None:
        """Take a payout, and store that it may have been sent."""
        async with self._transactions.begin() as work:
            payout = await work.due_payout()
            if payout is not None:
                await work.save_payout(payout.sent(), due_in=LEASE_SECONDS)
        return payout

    async def _outcome(self, payout: Payout) -> Sent | Asked:
        """Return what came of a payout. One that may have been sent is asked about before it is sent again."""
        payment = Payment(key=f"{payout.tenant_id}:{payout.key}", payee=payout.payee, amount=payout.amount)
        known: Asked = NothingKnown() if payout.is_new else await self._payments.find(payment.key)
        if not isinstance(known, NothingKnown):
            return known
        sent = await self._sent(payment)
        return await self._payments.find(payment.key) if isinstance(sent, Unknown) else sent

    async def _sent(self, payment: Payment) -> Sent:
        """Send a payment, and again after a pause only if it has certainly not got there."""
        tried = 1
        while isinstance(outcome := await self._payments.pay_out(payment), NotSent) and not SOON.is_over(tried):
            await self._pauses.sleep(SOON.pause(tried, self._pauses.chance()))
            tried += 1
        return outcome

    async def _note_paid(self, payout: Payout) -> None:
        async with self._transactions.begin() as work:
            await work.order(payout.tenant_id, payout.order_id)  # locked, so that its events are in order
            current = await work.payout(payout.tenant_id, payout.key)
            if current.state is PayoutState.PAID:
                return
            await work.save_payout(current.paid())
            await work.announce(
                OrderEvent("order.refund_paid", payout.order_id, payout.tenant_id, OrderStatus.REFUNDED.value)
            )

    async def _put_back(self, payout: Payout) -> None:
        async with self._transactions.begin() as work:
            current = await work.payout(payout.tenant_id, payout.key)
            if not current.is_over:
                pause = LATER.pause(current.tries, self._pauses.chance())
                await work.save_payout(current, due_in=pause)
