"""Approvals for programs (agent/R5); the page for people is in `page`."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from order_service.adapters.http.reading import json_body, path_id
from order_service.adapters.http.serving import Services, actor_of, guarded, json_response
from order_service.adapters.http.shapes import (
    ApprovalBody,
    ApprovalsBody,
    DecisionBody,
    FindingBody,
    UnknownCallBody,
    UnknownCallsBody,
)
from order_service.ports.approvals import Finding, Verdict

__all__ = ["ApprovalEndpoints"]


class ApprovalEndpoints:
    """`/api/v1/approvals`, and `/api/v1/unknown-calls` for what may have happened."""

    def __init__(self, services: Services) -> None:
        self._services: Final = services

    def routes(self) -> list[Route]:
        """Return them."""
        return [
            Route("/api/v1/approvals", guarded(self._services, self.pending), methods=["GET"]),
            Route("/api/v1/approvals/{approval_id}/decision", guarded(self._services, self.decide), methods=["POST"]),
            Route("/api/v1/unknown-calls", guarded(self._services, self.unknown), methods=["GET"]),
            Route("/api/v1/unknown-calls/{call_id}/finding", guarded(self._services, self.settle), methods=["POST"]),
        ]

    async def pending(self, request: Request) -> Response:
        """Return what waits in the actor's tenant."""
        actor = await actor_of(self._services, request)
        waiting = await self._services.approvals.pending(actor)
        return json_response(ApprovalsBody(approvals=[ApprovalBody.of(one) for one in waiting]))

    async def decide(self, request: Request) -> Response:
        """Decide once; the same decision again is answered with the first outcome."""
        actor = await actor_of(self._services, request)
        approval_id = path_id(request, "approval_id")
        body = await json_body(request, DecisionBody)
        decided = await self._services.approvals.decide(actor, approval_id, Verdict(body.decision), body.comment)
        return json_response(ApprovalBody.of(decided))

    async def unknown(self, request: Request) -> Response:
        """Return the calls of the actor's tenant whose outcome nobody knows."""
        actor = await actor_of(self._services, request)
        calls = await self._services.approvals.unknown_calls(actor)
        return json_response(UnknownCallsBody(calls=[UnknownCallBody.of(one) for one in calls]))

    async def settle(self, request: Request) -> Response:
        """Take what an approver has found out about one; the same again is answered with the first outcome."""
        actor = await actor_of(self._services, request)
        call_id = path_id(request, "call_id")
        body = await json_body(request, FindingBody)
        settled = await self._services.approvals.settle(actor, call_id, Finding(body.finding))
        return json_response(UnknownCallBody.of(settled))
