"""Halves of characters over HTTP, from a person and from a model: a clean refusal or whole text, no error of ours."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from axhub.agent.domain.messages import AssistantMessage, CallRequest, ModelTurn, TurnRequest
from order_service.config import LOCAL, read_settings
from order_service.main import build
from support import order_shop
from support.agent_stores import DATABASES
from support.asgi_server import on_loopback
from support.order_databases import order_database
from support.order_shop import Shop

HALF = "half \ud83d"
STREAM = {"Accept": "text/event-stream"}


class Halves:
    """A model that is cut in the middle of characters, in its text, in its arguments, and in names."""

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        if len(request.messages) == 1:
            refund = CallRequest(HALF, "refund_order", '{"order_id": "ORD-101\ud83d"}')
            search = CallRequest("b", "search_orders", '{"text": "\\ud83d"}')
            return ModelTurn(AssistantMessage(HALF, (refund, search, CallRequest("c", HALF, HALF))))
        assert msgspec.json.encode(request.messages), "what is sent to a provider is whole"
        for piece in (HALF, "\ude00", HALF):
            if on_text is not None:
                on_text(piece)
        return ModelTurn(AssistantMessage(f"{HALF}\ude00{HALF}"))


@pytest.fixture(params=DATABASES)
async def shop(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Shop]:
    async with _served(request.param, tmp_path) as made:
        yield made


@asynccontextmanager
async def _served(kind: str, folder: Path) -> AsyncIterator[Shop]:
    async with order_database(kind, folder) as url:
        service = build(read_settings({"ORDER_SERVICE_DATABASE_URL": url}, LOCAL), turns=Halves())
        async with on_loopback(order_shop._app(service, {})) as port:
            yield Shop(port, service)


async def test_a_message_a_comment_and_ids_with_half_a_character_are_refused(shop: Shop) -> None:
    assert (await shop.chat(HALF)).status == 400
    assert (await shop.chat("Hello", conversationId=HALF)).status == 400
    assert (await shop.decide("nowhere", "approve", comment=HALF)).status == 400
    assert (await shop.call("GET", "/api/v1/runs/%ED%A0%BD", "minji")).status == 404
    assert (await shop.call("GET", "/api/v1/conversations/%ED%A0%BD", "minji")).status == 404


@pytest.mark.parametrize("headers", [{}, STREAM])
async def test_a_model_that_writes_halves_of_characters_is_answered_and_heard_whole(
    shop: Shop, headers: dict[str, str]
) -> None:
    answer = await shop.call("POST", "/api/v1/chat", "minji", {"message": "Hello"}, headers)
    assert answer.status == 200, answer.text
    if headers:
        events = answer.events
        assert "".join(said["text"] for name, said in events if name == "text") == "half 😀half \ufffd"
        body = events[-1][1]
    else:
        body = answer.json
    assert (body["status"], body["content"]) == ("answered", "half 😀half \ufffd")
    run = await shop.call("GET", f"/api/v1/runs/{body['runId']}", "minji")
    assert run.json["content"] == "half 😀half \ufffd"
