"""Orders as they are kept, and the transaction in which one changes (agent/I2, agent/L8)."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from order_service.domain.order import Order, OrderId
from order_service.domain.payout import Payout

__all__ = ["OrderEvent", "Orders", "Transactions", "Work"]


@dataclass(frozen=True, slots=True)
class OrderEvent:
    """What others hear of, once the change is committed."""

    type: str
    """`order.refunded`, `order.cancelled`; later `order.refund_paid`, or `order.refund_declined`."""
    order_id: OrderId
    tenant_id: str
    status: str
    reason: str = ""
    """Of a declined refund."""


class Work(Protocol):
    """One open transaction; everything in it is committed together, or nothing is.

    Each method raises UnavailableError where the database does not answer.
    """

    async def order(self, tenant_id: str, order_id: OrderId) -> Order | None:
        """Return an order of a tenant, locked until the transaction ends."""
        ...

    async def save(self, order: Order) -> None:
        """Store a changed order.

        Raises:
            ConflictError: somebody else changed it in between.
        """
        ...

    async def result_of(self, tenant_id: str, key: str) -> str | None:
        """Return what is recorded under a business key."""
        ...

    async def record(self, tenant_id: str, key: str, result: str) -> None:
        """Record a result under a business key; each key has one, by a constraint of the database (agent/I1).

        Raises:
            ConflictError: somebody else recorded one in between.
        """
        ...

    async def announce(self, event: OrderEvent) -> None:
        """Let an event leave after the commit (agent/I4)."""
        ...

    async def owe(self, payout: Payout) -> None:
        """Store a new payout; it is due at once."""
        ...

    async def due_payout(self) -> Payout | None:
        """Return the payout that has been due the longest, locked; those that others have locked are left out."""
        ...

    async def payout(self, tenant_id: str, key: str) -> Payout:
        """Return a payout, locked until the transaction ends."""
        ...

    async def save_payout(self, payout: Payout, due_in: float = 0.0) -> None:
        """Store a changed payout; one that is not over is due again in so many seconds, by the database's clock."""
        ...


class Transactions(Protocol):
    """Opens transactions; only command use cases do."""

    def begin(self) -> AbstractAsyncContextManager[Work]:
        """Begin one: it is committed at the end of the block, or rolled back if that raises.

        Raises:
            UnavailableError: the database does not answer; a commit that it did not confirm may have happened.
        """
        ...


class Orders(Protocol):
    """Reading, without a transaction of the use case's.

    Each method raises UnavailableError where the database does not answer.
    """

    async def find(
        self, tenant_id: str, customer_id: str | None, status: str | None, text: str | None, most: int
    ) -> tuple[Order, ...]:
        """Return orders of a tenant, and of one customer if there is one, newest number first."""
        ...
