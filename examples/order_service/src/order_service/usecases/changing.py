"""What refunds and cancellations share: load, check, change, save, in one transaction (agent/A11, agent/I2)."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from order_service.domain.actor import ActorContext
from order_service.domain.errors import NotAllowedError, OrderNotFoundError
from order_service.domain.order import Order, OrderId, is_order_id
from order_service.domain.permissions import check_may_change
from order_service.ports.inbound import OrderResult
from order_service.ports.orders import OrderEvent, Transactions
from order_service.usecases.results import result_of

__all__ = ["Change"]


class Change:
    """One kind of change."""

    def __init__(self, name: str, change: Callable[[Order], Order], transactions: Transactions) -> None:
        """Take the change.

        Args:
            name: `refund`; stands in the business key, which is that and the order's id: an order is refunded once.
            change: what it does to an order.
            transactions: opens the transaction.
        """
        self._name: Final = name
        self._change = change
        self._transactions = transactions

    async def once(self, actor: ActorContext, order_id: OrderId) -> OrderResult:
        """Change an order, or return what was recorded when it was."""
        if not is_order_id(order_id):
            raise OrderNotFoundError
        async with self._transactions.begin() as work:
            order = check_may_change(actor, await work.order(actor.tenant_id, order_id))
            recorded = await work.result_of(order.tenant_id, self._key(order_id))
            if recorded is not None:
                return _read(recorded)
            changed = self._change(order)
            result = result_of(changed)
            await work.save(changed)
            await work.record(order.tenant_id, self._key(order_id), json.dumps(asdict(result), ensure_ascii=False))
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
            recorded = await work.result_of(order.tenant_id, self._key(order_id))
        return None if recorded is None else _read(recorded)

    def _key(self, order_id: OrderId) -> str:
        return f"{self._name}:{order_id}"


def _read(recorded: str) -> OrderResult:
    return OrderResult(**json.loads(recorded))
