"""The money of one refund on its way back to the customer (agent/I5)."""

from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from order_service.domain.errors import PayoutContradictedError
from order_service.domain.order import Order, OrderStatus

__all__ = ["NEXT", "Payout", "PayoutState"]


class PayoutState(StrEnum):
    """What is known of it."""

    DUE = "DUE"
    """Nothing was sent."""
    SENT = "SENT"
    """It may have been sent: the provider is asked before anything is sent again."""
    PAID = "PAID"
    DECLINED = "DECLINED"
    """For good; the refund was taken back."""


_S = PayoutState

NEXT: Final = MappingProxyType(
    {
        _S.DUE: frozenset({_S.SENT}),
        _S.SENT: frozenset({_S.SENT, _S.PAID, _S.DECLINED}),
        _S.PAID: frozenset[PayoutState](),
        _S.DECLINED: frozenset[PayoutState](),
    }
)
"""What may follow a state. Nothing leads from PAID to DECLINED or back: no refund is both paid and taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    """Stored in the transaction of its refund: whatever happens afterwards, the money is owed."""

    tenant_id: str
    key: str
    """The refund's business key."""
    order_id: str
    payee: str
    """The customer."""
    amount: int
    """In won."""
    former: OrderStatus
    """Of the order: where it goes back to if nobody can be paid."""
    state: PayoutState = PayoutState.DUE
    tries: int = 0
    """How often somebody has begun to settle it."""
    reason: str = ""
    """Of a declined one."""

    @classmethod
    def of(cls, order: Order) -> "Payout":
        """Return what a refund of an order owes; `order` is as it was before."""
        return cls(
            tenant_id=order.tenant_id,
            key=order.refund_key,
            order_id=order.id,
            payee=order.customer_id,
            amount=order.total,
            former=order.status,
        )

    @property
    def is_over(self) -> bool:
        """Whether no other state follows."""
        return not NEXT[self.state]

    @property
    def is_new(self) -> bool:
        """Whether it is certain that nothing was sent."""
        return self.state is PayoutState.DUE

    def sent(self) -> "Payout":
        """Return it as it is stored before anything is sent."""
        return replace(self._moved(PayoutState.SENT), tries=self.tries + 1)

    def paid(self) -> "Payout":
        """Return it paid.

        Raises:
            PayoutContradictedError: it was declined before.
        """
        return self._moved(PayoutState.PAID)

    def declined(self, reason: str) -> "Payout":
        """Return it declined.

        Raises:
            PayoutContradictedError: it was paid before.
        """
        return replace(self._moved(PayoutState.DECLINED), reason=reason)

    def _moved(self, to: PayoutState) -> "Payout":
        if to not in NEXT[self.state]:
            raise PayoutContradictedError(self.key, self.state.value, to.value)
        return replace(self, state=to)
