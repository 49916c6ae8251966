"""Transactions that tests look into."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from order_service.domain.order import Order, OrderId
from order_service.domain.payout import Payout
from order_service.ports.orders import OrderEvent, Transactions, Work

__all__ = ["STEPS", "WatchedTransactions"]

STEPS = ("begin", "order", "result_of", "save", "record", "owe", "announce", "commit")
"""What a refund does, in this order."""

Watch = Callable[[str], Awaitable[None]]


class WatchedTransactions:
    """Real transactions that call `watch` before each step: to write the steps down, or to break one off."""

    def __init__(self, inner: Transactions, watch: Watch) -> None:
        self._inner = inner
        self._watch = watch

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Work]:
        """See `Transactions`."""
        await self._watch("begin")
        async with self._inner.begin() as work:
            yield _WatchedWork(work, self._watch)
            await self._watch("commit")


class _WatchedWork:
    """See `ports.orders.Work`."""

    def __init__(self, inner: Work, watch: Watch) -> None:
        self._inner = inner
        self._watch = watch

    async def order(self, tenant_id: str, order_id: OrderId) -> Order | None:
        """See `Work`."""
        await self._watch("order")
        return await self._inner.order(tenant_id, order_id)

    async def save(self, order: Order) -> None:
        """See `Work`."""
        await self._watch("save")
        await self._inner.save(order)

    async def result_of(self, tenant_id: str, key: str) -> str | None:
        """See `Work`."""
        await self._watch("result_of")
        return await self._inner.result_of(tenant_id, key)

    async def record(self, tenant_id: str, key: str, result: str) -> None:
        """See `Work`."""
        await self._watch("record")
        await self._inner.record(tenant_id, key, result)

    async def announce(self, event: OrderEvent) -> None:
        """See `Work`."""
        await self._watch("announce")
        await self._inner.announce(event)

    async def owe(self, payout: Payout) -> None:
        """See `Work`."""
        await self._watch("owe")
        await self._inner.owe(payout)

    async def due_payout(self) -> Payout | None:
        """See `Work`."""
        await self._watch("due_payout")
        return await self._inner.due_payout()

    async def payout(self, tenant_id: str, key: str) -> Payout:
        """See `Work`."""
        await self._watch("payout")
        return await self._inner.payout(tenant_id, key)

    async def save_payout(self, payout: Payout, due_in: float = 0.0) -> None:
        """See `Work`."""
        await self._watch("save_payout")
        await self._inner.save_payout(payout, due_in)
