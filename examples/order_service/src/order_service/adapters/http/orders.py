"""Orders for programs: find, refund, cancel. The same use cases serve the assistant's tools (agent/A2)."""

import re
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from order_service.adapters.http.once import once
from order_service.adapters.http.reading import idempotency_key, json_body, path_id, query
from order_service.adapters.http.serving import Services, actor_of, guarded, json_response
from order_service.adapters.http.shapes import NothingBody, OrderBody, OrdersBody
from order_service.domain.order import OrderStatus
from order_service.ports.inbound import CancelOrderCommand, RefundOrderCommand, SearchOrderQuery

__all__ = ["MOST", "OrderEndpoints"]

MOST: Final = 100
_QUERY: Final[Mapping[str, re.Pattern[str]]] = {
    "status": re.compile("|".join(OrderStatus)),
    "text": re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]{1,100}"),
    "limit": re.compile(r"[1-9][0-9]?|100"),
}


class OrderEndpoints:
    """`/api/v1/orders`."""

    def __init__(self, services: Services) -> None:
        self._services: Final = services

    def routes(self) -> list[Route]:
        """Return them."""
        listed = (
            ("/api/v1/orders", self.search, "GET"),
            ("/api/v1/orders/{order_id}/refund", self.refund, "POST"),
            ("/api/v1/orders/{order_id}/cancel", self.cancel, "POST"),
        )
        return [Route(path, guarded(self._services, endpoint), methods=[method]) for path, endpoint, method in listed]

    async def search(self, request: Request) -> Response:
        """Find orders."""
        actor = await actor_of(self._services, request)
        asked = query(request, _QUERY)
        found = await self._services.search.execute(
            SearchOrderQuery(actor, asked.get("status"), asked.get("text"), int(asked.get("limit", "50")))
        )
        return json_response(OrdersBody(orders=[OrderBody.of(one) for one in found]))

    async def refund(self, request: Request) -> Response:
        """Refund one order."""
        actor = await actor_of(self._services, request)
        order_id, key = path_id(request, "order_id"), idempotency_key(request)
        await json_body(request, NothingBody, is_optional=True)
        command = RefundOrderCommand(actor, order_id)
        refund = self._services.refund
        return await once(
            self._services.request_keys, actor, key, ("refund", order_id), lambda: refund.execute(command)
        )

    async def cancel(self, request: Request) -> Response:
        """Cancel one order."""
        actor = await actor_of(self._services, request)
        order_id, key = path_id(request, "order_id"), idempotency_key(request)
        await json_body(request, NothingBody, is_optional=True)
        command = CancelOrderCommand(actor, order_id)
        cancel = self._services.cancel
        return await once(
            self._services.request_keys, actor, key, ("cancel", order_id), lambda: cancel.execute(command)
        )
