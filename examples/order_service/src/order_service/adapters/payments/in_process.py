"""A provider in the same process: it keeps each key's answer, pays nobody, and forgets it all when the process ends.

Like the sandboxes of real providers it goes by the payment itself, so a demonstration and a test can have each answer.
"""

from typing import Final

from order_service.ports.payments import Asked, Declined, NothingKnown, PaidOut, Payment, Sent

__all__ = ["DECLINED_AMOUNT", "InProcessPayments"]

DECLINED_AMOUNT: Final = 54_000
"""In won: what costs exactly this is never paid back. In the demonstration that is junho's ORD-111."""


class InProcessPayments:
    """See `ports.payments.Payments`."""

    def __init__(self) -> None:
        self.payments: Final[list[Payment]] = []
        """What was paid, in order."""
        self._known: Final[dict[str, PaidOut | Declined]] = {}

    async def pay_out(self, payment: Payment) -> Sent:
        """See `Payments`."""
        if payment.key not in self._known:
            self._known[payment.key] = self._decided(payment)
        return self._known[payment.key]

    async def find(self, key: str) -> Asked:
        """See `Payments`."""
        return self._known.get(key, NothingKnown())

    def _decided(self, payment: Payment) -> PaidOut | Declined:
        if payment.amount == DECLINED_AMOUNT:
            return Declined("account_closed")
        self.payments.append(payment)
        return PaidOut()
