"""The whole adapter as one ASGI app."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from order_service.adapters.http.approvals import ApprovalEndpoints
from order_service.adapters.http.chat import ChatEndpoints
from order_service.adapters.http.openapi import document
from order_service.adapters.http.orders import OrderEndpoints
from order_service.adapters.http.page import PageEndpoints
from order_service.adapters.http.problems import (
    BAD_REQUEST,
    NO_METHOD,
    NOT_FOUND,
    UNAVAILABLE,
    ProblemError,
    problem_response,
)
from order_service.adapters.http.runs import RunEndpoints
from order_service.adapters.http.serving import HttpSettings, Services, guarded
from order_service.adapters.http.words import language_of

__all__ = ["HttpSettings", "Lifespan", "Services", "build_http"]

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]

_KINDS: Final = {404: NOT_FOUND, 405: NO_METHOD}


def build_http(services: Services, settings: HttpSettings | None = None, lifespan: Lifespan | None = None) -> Starlette:
    """Return the app.

    Args:
        services: what it serves.
        settings: how; None: as behind https.
        lifespan: what the process does around serving.
    """
    own = settings or HttpSettings()
    described = document(own)

    async def openapi(_request: Request) -> Response:
        return JSONResponse(described)

    async def live(_request: Request) -> Response:
        return JSONResponse({"status": "UP"})

    async def ready(_request: Request) -> Response:
        if not await services.is_ready():
            raise ProblemError(UNAVAILABLE)
        return JSONResponse({"status": "UP"})

    small = (("/openapi.json", openapi), ("/health/live", live), ("/health/ready", ready))
    app = Starlette(
        routes=[
            *OrderEndpoints(services).routes(),
            *ChatEndpoints(services, own).routes(),
            *RunEndpoints(services, own).routes(),
            *ApprovalEndpoints(services).routes(),
            *PageEndpoints(services, own).routes(),
            *(Route(path, guarded(services, endpoint), methods=["GET"]) for path, endpoint in small),
        ],
        exception_handlers={HTTPException: _unrouted},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


async def _unrouted(request: Request, error: Exception) -> Response:
    """Answer what no route takes."""
    refused = error if isinstance(error, HTTPException) else HTTPException(BAD_REQUEST.status)
    headers = {
        name: ", ".join(sorted(value.split(", "))) if name == "Allow" else value  # Starlette's order is of a set
        for name, value in (refused.headers or {}).items()
    }
    kind = _KINDS.get(refused.status_code, BAD_REQUEST)
    return problem_response(ProblemError(kind, None, headers), language_of(request))
