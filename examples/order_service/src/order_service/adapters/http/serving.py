"""What every endpoint has around it: who asks, problems as answers, headers, and nothing internal on the way out."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from order_service.adapters.http.problems import kind_of, problem_response
from order_service.adapters.http.reading import bearer_token
from order_service.adapters.http.shapes import Sent
from order_service.adapters.http.words import language_of
from order_service.domain.actor import ActorContext
from order_service.ports.approvals import Approvals
from order_service.ports.inbound import CancelOrderUseCase, RefundOrderUseCase, SearchOrderUseCase
from order_service.ports.request_keys import RequestKeys
from order_service.ports.runs import Runs
from order_service.ports.tokens import Tokens
from order_service.usecases.capability_policy import CUSTOMER_AGENT
from order_service.usecases.chat import ChatAgent

__all__ = ["Endpoint", "HttpSettings", "Services", "actor_of", "guarded", "json_response", "told"]

Endpoint = Callable[[Request], Awaitable[Response]]

_HEADERS: Final = (("cache-control", "no-store"), ("x-content-type-options", "nosniff"))
_REFERENCE_BYTES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the adapter serves, and what it needs."""

    chat: ChatAgent
    search: SearchOrderUseCase
    refund: RefundOrderUseCase
    cancel: CancelOrderUseCase
    approvals: Approvals
    runs: Runs
    request_keys: RequestKeys
    tokens: Tokens
    is_ready: Callable[[], Awaitable[bool]]
    fault: Callable[[str, BaseException], None]
    """Takes a reference and an exception that nobody outside may read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """How it is served."""

    is_secure: bool = True
    """Whether people come over https; False is for a developer's machine: the page's cookie is sent in the clear."""
    agent_type: str = CUSTOMER_AGENT
    longest_wait_seconds: int = 30
    """The most that `?wait=` may ask for."""
    poll_seconds: float = 0.2
    """How often a run that is waited for is looked at."""
    beat_seconds: float = 15.0
    """How long an event stream is silent before it says that it is there."""


async def actor_of(services: Services, request: Request) -> ActorContext:
    """Return who sends a request.

    Raises:
        ProblemError, InvalidTokenError: nobody can tell.
    """
    return await services.tokens.actor(bearer_token(request))


def json_response(body: Sent, status: int = 200) -> Response:
    """Return a body as an answer."""
    return Response(body.json_text(), status, media_type="application/json")


def told(services: Services, request: Request, error: Exception) -> Response:
    """Return an exception as an answer; the log gets one that is a fault of ours, under the reference told."""
    reference = ""
    if kind_of(error) is None:
        reference = secrets.token_hex(_REFERENCE_BYTES)
        services.fault(reference, error)
    return problem_response(error, language_of(request), reference)


def guarded(services: Services, endpoint: Endpoint) -> Endpoint:
    """Return an endpoint that always answers, with headers that hold for all answers."""

    async def answer(request: Request) -> Response:
        try:
            response = await endpoint(request)
        except Exception as error:  # noqa: BLE001 - whatever it is: the sender gets a problem, the log the rest
            response = told(services, request, error)
        for name, value in _HEADERS:
            response.headers.setdefault(name, value)
        return response

    return answer
