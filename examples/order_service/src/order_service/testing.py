"""What tests of the service, and of applications like it, look into transactions with."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from order_service.domain.order import Order, OrderId
from order_service.ports.orders import OrderEvent, Transactions, Work

__all__ = ["STEPS", "WatchedTransactions"]

STEPS = ("begin", "order", "result_of", "save", "record", "announce", "commit")
"""What a change of an order does, in this order."""

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
