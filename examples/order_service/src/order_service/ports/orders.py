"""Orders as they are kept, and the transaction in which one changes (agent/I2, agent/L8)."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from order_service.domain.order import Order, OrderId

__all__ = ["OrderEvent", "Orders", "Transactions", "Work"]


@dataclass(frozen=True, slots=True)
class OrderEvent:
    """What others hear of, once the change is committed."""

    type: str
    """`order.refunded`, `order.cancelled`."""
    order_id: OrderId
    tenant_id: str
    status: str


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

    async def order(self, tenant_id: str, order_id: OrderId) -> Order | None:
        """Return an order of a tenant."""
        ...

    async def find(
        self, tenant_id: str, customer_id: str | None, status: str | None, text: str | None, most: int
    ) -> tuple[Order, ...]:
        """Return orders of a tenant, and of one customer if there is one, newest number first."""
        ...
