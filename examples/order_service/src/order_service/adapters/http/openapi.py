"""The OpenAPI document: made from the same models that read requests and write responses, so it cannot drift."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from order_service.adapters.http import shapes
from order_service.adapters.http.orders import MOST
from order_service.adapters.http.problems import PROBLEM_JSON
from order_service.adapters.http.serving import HttpSettings
from order_service.domain.order import OrderStatus

__all__ = ["document"]

Json = dict[str, Any]

_READ: Final = (shapes.ChatBody, shapes.DecisionBody, shapes.FindingBody, shapes.NothingBody)
_SENT: Final = (
    shapes.ApprovalBody,
    shapes.ApprovalsBody,
    shapes.ConversationBody,
    shapes.FullResultBody,
    shapes.OrderBody,
    shapes.OrdersBody,
    shapes.ProblemBody,
    shapes.RunBody,
    shapes.UnknownCallBody,
    shapes.UnknownCallsBody,
)
_REF: Final = "#/components/schemas/"
_MEANINGS: Final[Mapping[int, str]] = {
    400: "The request cannot be read, or a header is missing.",
    401: "There is no valid bearer token.",
    403: "The actor may not do this.",
    404: "There is none of the actor's.",
    409: "Not now: see `type`.",
    413: "The body is too large.",
    415: "The body is of another type.",
    422: "The Idempotency-Key belongs to another request.",
    503: "Not now; try again after `Retry-After` seconds.",
}
_ALWAYS: Final = (401, 503)
_OF_BODIES: Final = (400, 404, 409, 413, 415)


def document(settings: HttpSettings) -> Json:
    """Return it."""
    modes: list[tuple[type[BaseModel], Literal["validation", "serialization"]]] = [
        *((one, "validation") for one in _READ),
        *((one, "serialization") for one in _SENT),
    ]
    _, schemas = models_json_schema(modes, by_alias=True, ref_template=_REF + "{model}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Order service", "version": "1.0.0", "description": "Orders, and an assistant for them."},
        "security": [{"bearer": []}],
        "paths": _paths(settings),
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "schemas": schemas["$defs"],
        },
    }


_LINKS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "OrdersBody": {
        "refundOrder": ("orderId", "/orders/0/orderId"),
        "cancelOrder": ("orderId", "/orders/0/orderId"),
    },
    "RunBody": {
        "getRun": ("runId", "/runId"),
        "withdrawRun": ("runId", "/runId"),
        "getConversation": ("conversationId", "/conversationId"),
        "getResult": ("resultId", "/cutResults/0/id"),
    },
    "ApprovalsBody": {"decide": ("approvalId", "/approvals/0/id")},
    "UnknownCallsBody": {"settleUnknownCall": ("callId", "/calls/0/id")},
}
"""Where an answer names what another operation takes: the operation, its parameter, and the place in the answer."""


def _paths(settings: HttpSettings) -> Json:
    orders, runs, approvals = "/api/v1/orders", "/api/v1/runs", "/api/v1/approvals"
    unknown = "/api/v1/unknown-calls"
    order, run, approval, talk = _path("orderId"), _path("runId"), _path("approvalId"), _path("conversationId")
    return {
        orders: {"get": _operation("searchOrders", "OrdersBody", _search(), 400)},
        f"{orders}/{{orderId}}/refund": {"post": _change("refundOrder", "OrderBody", [order, _key()], 403, 422)},
        f"{orders}/{{orderId}}/cancel": {"post": _change("cancelOrder", "OrderBody", [order, _key()], 403, 422)},
        "/api/v1/chat": {"post": _chat()},
        f"{runs}/{{runId}}": {"get": _operation("getRun", "RunBody", [run, _wait(settings)], 400, 404)},
        f"{runs}/{{runId}}/withdraw": {"post": _change("withdrawRun", "RunBody", [run])},
        "/api/v1/conversations/{conversationId}": {
            "get": _operation("getConversation", "ConversationBody", [talk], 404)
        },
        "/api/v1/results/{resultId}": {"get": _operation("getResult", "FullResultBody", [_path("resultId")], 404)},
        approvals: {"get": _operation("listApprovals", "ApprovalsBody", [], 403)},
        f"{approvals}/{{approvalId}}/decision": {
            "post": _change("decide", "ApprovalBody", [approval], 403, body="DecisionBody")
        },
        unknown: {"get": _operation("listUnknownCalls", "UnknownCallsBody", [], 403)},
        f"{unknown}/{{callId}}/finding": {
            "post": _change("settleUnknownCall", "UnknownCallBody", [_path("callId")], 403, body="FindingBody")
        },
        "/health/live": {"get": _health("isLive")},
        "/health/ready": {"get": _health("isReady", 503)},
    }


def _operation(name: str, answer: str, parameters: list[Json], *problems: int) -> Json:
    answers = {"200": _answer("Done.", answer)}
    return {
        "operationId": name,
        "parameters": parameters,
        "responses": {**answers, **_problems(*problems, *_ALWAYS)},
    }


def _change(name: str, answer: str, parameters: list[Json], *problems: int, body: str = "NothingBody") -> Json:
    """Return an operation that takes a body; one that has nothing to say may be left out."""
    said = _operation(name, answer, parameters, *_OF_BODIES, *problems)
    is_required = body != "NothingBody"
    return {**said, "requestBody": {"required": is_required, "content": _content("application/json", body)}}


def _chat() -> Json:
    chat = _change("chat", "RunBody", [], body="ChatBody")
    events = {
        "text/event-stream": {
            "schema": {
                "type": "string",
                "description": 'Events `text` with `{"text"}`; the last one is `outcome` with a RunBody, or `problem`.',
            }
        }
    }
    chat["responses"]["200"]["content"].update(events)
    chat["responses"]["202"] = _answer(
        "People decide first, or another process goes on with it: ask for the run.", "RunBody"
    )
    return chat


def _answer(description: str, body: str) -> Json:
    answer: Json = {"description": description, "content": _content("application/json", body)}
    ways = _LINKS.get(body)
    if ways is not None:
        answer["links"] = {
            operation: {"operationId": operation, "parameters": {parameter: f"$response.body#{place}"}}
            for operation, (parameter, place) in ways.items()
        }
    return answer


def _health(name: str, *problems: int) -> Json:
    status = {"type": "object", "required": ["status"], "properties": {"status": {"const": "UP"}}}
    answer = {"description": "It is.", "content": {"application/json": {"schema": status}}}
    return {"operationId": name, "security": [], "responses": {"200": answer, **_problems(*problems)}}


def _problems(*statuses: int) -> Json:
    content = _content(PROBLEM_JSON, "ProblemBody")
    return {str(one): {"description": _MEANINGS[one], "content": content} for one in sorted(statuses)}


def _content(media: str, name: str) -> Json:
    return {media: {"schema": {"$ref": f"{_REF}{name}"}}}


def _path(name: str) -> Json:
    schema = {"type": "string", "pattern": "^[A-Za-z0-9_-]+$", "minLength": 1, "maxLength": 64}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _key() -> Json:
    schema = {"type": "string", "pattern": "^[!-~]+$", "minLength": 1, "maxLength": 255}
    return {"name": "Idempotency-Key", "in": "header", "required": True, "schema": schema}


def _search() -> list[Json]:
    schemas: Json = {
        "status": {"type": "string", "enum": list(OrderStatus)},
        "text": {"type": "string", "pattern": "^[^\\x00-\\x1f\\x7f]+$", "minLength": 1, "maxLength": 100},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": 50},
    }
    return [{"name": name, "in": "query", "schema": schema} for name, schema in schemas.items()]


def _wait(settings: HttpSettings) -> Json:
    return {
        "name": "wait",
        "in": "query",
        "description": "Answer as soon as the status is another one, at the latest after so many seconds.",
        "schema": {"type": "integer", "minimum": 0, "maximum": settings.longest_wait_seconds, "default": 0},
    }
