"""What refunds and cancellations share: load, check, change, save, in one transaction (agent/A11, agent/I2)."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Final

from order_service.domain.actor import ActorContext
from order_service.domain.errors import NotAllowedError, OrderNotFoundError
from order_service.domain.order import Order, OrderId, is_order_id
from order_service.domain.permissions import check_may_change
from order_service.ports.inbound import OrderResult
from order_service.ports.orders import OrderEvent, Transactions, Work
from order_service.usecases.results import result_of

__all__ = ["Change"]


class Change:
    """One kind of change."""

    def __init__(
        self,
        key: Callable[[Order], str],
        change: Callable[[Order], Order],
        transactions: Transactions,
        also: Callable[[Work, Order], Awaitable[None]] | None = None,
    ) -> None:
        """Take the change.

        Args:
            key: its business key, under which it is recorded once.
            change: what it does to an order.
            transactions: opens the transaction.
            also: what else belongs in it; gets the order as it was before.
        """
        self._key: Final = key
        self._change = change
        self._transactions = transactions
        self._also = also

    async def once(self, actor: ActorContext, order_id: OrderId) -> OrderResult:
        """Change an order, or return what was recorded when it was."""
        if not is_order_id(order_id):
            raise OrderNotFoundError
        async with self._transactions.begin() as work:
            order = check_may_change(actor, await work.order(actor.tenant_id, order_id))
            recorded = await work.result_of(order.tenant_id, self._key(order))
            if recorded is not None:
                return _read(recorded)
            changed = self._change(order)
            result = result_of(changed)
            await work.save(changed)
            await work.record(order.tenant_id, self._key(order), json.dumps(asdict(result), ensure_ascii=False))
            if self._also is not None:
                await self._also(work, order)
            await work.announce(
                OrderEvent(f"order.{changed.status.value.lower()}", order.id, order.tenant_id, changed.status.value)
            )
        return result

    async def outcome(self, actor: ActorContext, order_id: OrderId) -> OrderResult | None:
        """Return what was recorded; None if nothing was, or not for this actor.

        The order is locked for that: a change that is being committed is waited for, whoever has asked for it.
        """
        if not is_order_id(order_id):
            return None
        async with self._transactions.begin() as work:
            try:
                order = check_may_change(actor, await work.order(actor.tenant_id, order_id))
            except (OrderNotFoundError, NotAllowedError):
                return None
            recorded = await work.result_of(order.tenant_id, self._key(order))
        return None if recorded is None else _read(recorded)


def _read(recorded: str) -> OrderResult:
    return OrderResult(**json.loads(recorded))
