"""The tools: what a model may ask for, turned into commands for the use cases that REST calls too (agent/A2).

No rule stands here, no permission and no transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from axhub.agent import CallContext, Effect, Tool, ToolArgs, ToolError, ToolResult
from order_service.domain.actor import ActorContext
from order_service.domain.errors import (
    ConflictError,
    NotAllowedError,
    OrderError,
    OrderNotFoundError,
    WrongStateError,
)
from order_service.domain.order import ORDER_ID
from order_service.ports.inbound import (
    CancelOrderCommand,
    CancelOrderUseCase,
    OrderResult,
    RefundOrderCommand,
    RefundOrderUseCase,
    SearchOrderQuery,
    SearchOrderUseCase,
)

__all__ = ["CancelOrderTool", "OrderView", "OrdersView", "RefundOrderTool", "SearchOrdersTool", "told_of"]

_MOST: Final = 20
_TOLD: Final = MappingProxyType(
    {
        OrderNotFoundError: "There is no such order of this customer. Look for the number with search_orders.",
        NotAllowedError: "This person may look at the order but not change it; only its customer may.",
        WrongStateError: "The order is in no state in which this can be done; search_orders shows its state.",
        ConflictError: "Somebody else changed the order at this moment. Nothing was done; trying once more is safe.",
    }
)
"""What a model reads of each refusal; the codes are those of REST. Anything else is told neutrally by the loop."""


class OrderView(ToolResult):
    """An order."""

    order_id: str
    status: str
    item: str
    total_won: int
    refund_declined: str | None = Field(default=None, exclude_if=lambda why: why is None)
    """Why the last refund was taken back, in one word of ours."""

    @classmethod
    def of(cls, result: OrderResult) -> "OrderView":
        """Return a result of a use case as a model reads it."""
        return cls(
            order_id=result.order_id,
            status=result.status,
            item=result.item,
            total_won=result.total,
            refund_declined=result.refund_declined or None,
        )


class OrdersView(ToolResult):
    """Orders that were found."""

    orders: tuple[OrderView, ...]


class SearchOrdersArgs(ToolArgs):
    """What to look for."""

    status: Annotated[
        Literal["PAID", "SHIPPED", "CANCELLED", "REFUNDED"] | None, Field(description="Only orders in this state.")
    ] = None
    text: Annotated[str | None, Field(max_length=100, description="Part of the item's name.")] = None


class SearchOrdersTool(Tool[SearchOrdersArgs, OrdersView, ActorContext]):
    """Finds orders."""

    name = "search_orders"
    description = "Find orders of the signed-in customer, newest first, with their numbers, states and totals."
    effect = Effect.READ

    def __init__(self, search: SearchOrderUseCase) -> None:
        self._search = search

    async def run(self, args: SearchOrdersArgs, context: CallContext[ActorContext]) -> OrdersView:
        """See `Tool`."""
        found = await self._search.execute(SearchOrderQuery(context.actor, args.status, args.text, _MOST))
        return OrdersView(orders=tuple(OrderView.of(one) for one in found))


class OneOrderArgs(ToolArgs):
    """Which order."""

    order_id: Annotated[str, Field(pattern=ORDER_ID, description="The order's number, such as ORD-100.")]


class RefundOrderTool(Tool[OneOrderArgs, OrderView, ActorContext]):
    """Refunds."""

    name = "refund_order"
    description = "Refund one order of the signed-in customer in full. An order that was refunded stays refunded."
    effect = Effect.WRITE
    audited = frozenset({"order_id"})

    def __init__(self, refund: RefundOrderUseCase) -> None:
        self._refund = refund

    def key(self, args: OneOrderArgs, _context: CallContext[ActorContext]) -> str:
        """See `Tool`: an order is refunded once."""
        return args.order_id

    async def run(self, args: OneOrderArgs, context: CallContext[ActorContext]) -> OrderView:
        """See `Tool`."""
        with _told():
            return OrderView.of(await self._refund.execute(RefundOrderCommand(context.actor, args.order_id)))

    async def find(self, args: OneOrderArgs, context: CallContext[ActorContext]) -> OrderView | None:
        """See `Tool`."""
        found = await self._refund.outcome(RefundOrderCommand(context.actor, args.order_id))
        return None if found is None else OrderView.of(found)


class CancelOrderTool(Tool[OneOrderArgs, OrderView, ActorContext]):
    """Cancels."""

    name = "cancel_order"
    description = "Cancel one order of the signed-in customer that has not been shipped; later, use refund_order."
    effect = Effect.WRITE
    audited = frozenset({"order_id"})

    def __init__(self, cancel: CancelOrderUseCase) -> None:
        self._cancel = cancel

    def key(self, args: OneOrderArgs, _context: CallContext[ActorContext]) -> str:
        """See `Tool`: an order is cancelled once."""
        return args.order_id

    async def run(self, args: OneOrderArgs, context: CallContext[ActorContext]) -> OrderView:
        """See `Tool`."""
        with _told():
            return OrderView.of(await self._cancel.execute(CancelOrderCommand(context.actor, args.order_id)))

    async def find(self, args: OneOrderArgs, context: CallContext[ActorContext]) -> OrderView | None:
        """See `Tool`."""
        found = await self._cancel.outcome(CancelOrderCommand(context.actor, args.order_id))
        return None if found is None else OrderView.of(found)


@contextmanager
def _told() -> Iterator[None]:
    """Let a model read why a use case refused."""
    try:
        yield
    except OrderError as error:
        raise told_of(type(error)) from error


def told_of(kind: type[OrderError]) -> ToolError:
    """Return what a model is told of a refusal: the code of REST, and a sentence that names no order."""
    return ToolError(kind.code, _TOLD[kind])
