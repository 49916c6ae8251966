"""What can be asked of the service: commands in, results out (agent/A1). REST and tools call the same."""

from dataclasses import dataclass
from typing import Protocol

from order_service.domain.actor import ActorContext
from order_service.domain.order import OrderId

__all__ = [
    "CancelOrderCommand",
    "CancelOrderUseCase",
    "OrderResult",
    "RefundOrderCommand",
    "RefundOrderUseCase",
    "SearchOrderQuery",
    "SearchOrderUseCase",
]


@dataclass(frozen=True, slots=True)
class OrderResult:
    """An order as the outside sees it."""

    order_id: OrderId
    status: str
    item: str
    total: int
    """In won."""
    refund_declined: str = ""
    """Why the last refund of it could not be paid and was taken back, in one word; as a rule nothing."""


@dataclass(frozen=True, slots=True)
class RefundOrderCommand:
    """Refund one order."""

    actor: ActorContext
    order_id: OrderId


@dataclass(frozen=True, slots=True)
class CancelOrderCommand:
    """Cancel one order that has not been shipped."""

    actor: ActorContext
    order_id: OrderId


@dataclass(frozen=True, slots=True)
class SearchOrderQuery:
    """Find orders."""

    actor: ActorContext
    status: str | None = None
    """One of `OrderStatus`; None: any."""
    text: str | None = None
    """Part of the item's name; None: any."""
    most: int = 50


class RefundOrderUseCase(Protocol):
    """Refunds."""

    async def execute(self, command: RefundOrderCommand) -> OrderResult:
        """Refund an order, once: a second request gets the first result.

        Raises:
            OrderNotFoundError, NotAllowedError, WrongStateError, ConflictError: and nothing has changed.
            UnavailableError: it may have happened; `outcome` can tell.
        """
        ...

    async def outcome(self, command: RefundOrderCommand) -> OrderResult | None:
        """Return the result of a refund that happened; None if it did not, or not for this actor.

        Raises:
            UnavailableError: that cannot be told now.
        """
        ...


class CancelOrderUseCase(Protocol):
    """Cancels."""

    async def execute(self, command: CancelOrderCommand) -> OrderResult:
        """Cancel an order, once: a second request gets the first result.

        Raises:
            OrderNotFoundError, NotAllowedError, WrongStateError, ConflictError: and nothing has changed.
            UnavailableError: it may have happened; `outcome` can tell.
        """
        ...

    async def outcome(self, command: CancelOrderCommand) -> OrderResult | None:
        """Return the result of a cancellation that happened; None if it did not, or not for this actor.

        Raises:
            UnavailableError: that cannot be told now.
        """
        ...


class SearchOrderUseCase(Protocol):
    """Finds."""

    async def execute(self, query: SearchOrderQuery) -> tuple[OrderResult, ...]:
        """Return the orders that the actor may see, newest number first."""
        ...
