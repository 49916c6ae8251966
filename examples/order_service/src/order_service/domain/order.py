"""One order and what can be done with it."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from order_service.domain.errors import WrongStateError

__all__ = ["LABELS", "ORDER_ID", "Order", "OrderId", "OrderStatus", "is_order_id"]

OrderId = str
"""`ORD-100`."""
ORDER_ID: Final = "^ORD-[0-9]{1,6}$"
"""How the number of an order is written, as a regular expression that schemas may show."""


class OrderStatus(StrEnum):
    """Where an order stands."""

    PAID = "PAID"
    SHIPPED = "SHIPPED"
    CANCELLED = "CANCELLED"
    REFUNDED = "REFUNDED"


_S = OrderStatus

REFUNDABLE: Final = frozenset({_S.PAID, _S.SHIPPED})
CANCELLABLE: Final = frozenset({_S.PAID})
LABELS: Final = MappingProxyType(
    {_S.PAID: "결제 완료", _S.SHIPPED: "배송 중", _S.CANCELLED: "취소됨", _S.REFUNDED: "환불됨"}
)
"""What people read."""


@dataclass(frozen=True, slots=True)
class Order:
    """The aggregate: never changed, only followed by another one with a higher version."""

    id: OrderId
    tenant_id: str
    customer_id: str
    item: str
    total: int
    """In won."""
    status: OrderStatus
    version: int = 1
    declined_refunds: int = 0
    """How many refunds of it nobody could pay, so that they were taken back."""
    refund_declined: str = ""
    """Why the last of them was, in one word; nothing once something else has happened to the order."""

    @property
    def refund_key(self) -> str:
        """Return the business key of its refund: an order is refunded once, unless that was taken back."""
        return f"refund:{self.id}" + (f":{self.declined_refunds + 1}" if self.declined_refunds else "")

    @property
    def cancel_key(self) -> str:
        """Return the business key of its cancellation."""
        return f"cancel:{self.id}"

    def refund(self) -> "Order":
        """Return the order refunded.

        Raises:
            WrongStateError: it was cancelled, or refunded already.
        """
        return self._moved(REFUNDABLE, OrderStatus.REFUNDED)

    def cancel(self) -> "Order":
        """Return the order cancelled.

        Raises:
            WrongStateError: it is on its way, or it is over.
        """
        return self._moved(CANCELLABLE, OrderStatus.CANCELLED)

    def take_back_refund(self, former: OrderStatus, reason: str) -> "Order":
        """Return the order as it was before a refund that nobody could pay.

        Args:
            former: its state before.
            reason: one word.

        Raises:
            WrongStateError: it is not refunded.
        """
        back = self._moved(frozenset({OrderStatus.REFUNDED}), former)
        return replace(back, declined_refunds=self.declined_refunds + 1, refund_declined=reason)

    def _moved(self, allowed: frozenset[OrderStatus], to: OrderStatus) -> "Order":
        if self.status not in allowed:
            raise WrongStateError(self.id, self.status.value, to.value)
        return replace(self, status=to, version=self.version + 1, refund_declined="")


def is_order_id(text: str) -> bool:
    """Say whether an order could have this number."""
    return re.fullmatch(ORDER_ID, text) is not None
