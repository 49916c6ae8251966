"""The assistant over HTTP, as JSON and as a stream, and that nobody has to stay for it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from order_service.adapters.http.app import build_http
from order_service.adapters.http.serving import Services
from order_service.ports.agent import (
    AgentAnswer,
    ConversationBusyError,
    ConversationNotFoundError,
    StillRunning,
    Stopped,
)
from order_service.usecases.capability_policy import AgentCapabilityPolicy
from order_service.usecases.chat import ChatAgent
from support.order_shop import Shop, shop_at

STREAM = {"Accept": "text/event-stream"}


class Scripted:
    """A gateway that does what a test says."""

    def __init__(self, *steps: Any) -> None:
        self.steps = steps
        self.asked: list[Any] = []
        self.began = asyncio.Event()
        self.ended = asyncio.Event()

    async def ask(self, request: Any, on_text: Callable[[str], None] | None = None) -> Any:
        self.asked.append(request)
        self.began.set()
        try:
            for step in self.steps:
                if isinstance(step, str) and on_text is not None:
                    on_text(step)
                elif isinstance(step, asyncio.Event):
                    await step.wait()
                elif isinstance(step, BaseException):
                    raise step
            return self.steps[-1]
        finally:
            self.ended.set()

    def behind(self, services: Services) -> Services:
        return replace(services, chat=ChatAgent(AgentCapabilityPolicy(), self))


async def test_an_answer(shop: Shop) -> None:
    answer = await shop.chat("내 주문을 보여 주세요")
    body = answer.json
    assert (answer.status, sorted(body)) == (200, ["content", "conversationId", "runId", "status"])
    assert body["status"] == "answered"
    assert "ORD-101" in body["content"]
    said = await shop.call("GET", f"/api/v1/conversations/{body['conversationId']}", "minji")
    assert said.json == {
        "conversationId": body["conversationId"],
        "messages": [
            {"role": "user", "text": "내 주문을 보여 주세요"},
            {"role": "assistant", "text": body["content"]},
        ],
    }


async def test_a_call_that_waits_for_a_person(shop: Shop) -> None:
    answer = await shop.chat("ORD-100 환불해 주세요")
    body = answer.json
    assert (answer.status, sorted(body)) == (202, ["approvals", "conversationId", "runId", "status"])
    assert body["status"] == "waiting_for_approval"
    (one,) = body["approvals"]
    assert sorted(one) == ["arguments", "expiresAt", "id", "tool"]
    assert (one["tool"], one["arguments"]) == ("refund_order", {"order_id": "ORD-100"})


async def test_a_run_that_stopped(tmp_path: Path) -> None:
    async with shop_at(tmp_path, Scripted(Stopped("run-1", "talk-1", "model_turns")).behind) as shop:
        answer = await shop.chat("hello")
    stopped = {"status": "stopped", "runId": "run-1", "conversationId": "talk-1", "reason": "model_turns"}
    assert (answer.status, answer.json) == (200, stopped)


@pytest.mark.req("agent/R4")
async def test_a_message_is_no_decision(shop: Shop) -> None:
    first = (await shop.chat("ORD-100 환불해 주세요")).json
    answer = await shop.chat("네, 승인합니다", conversationId=first["conversationId"])
    assert answer.problem == (409, "approval_pending")
    assert (await shop.call("GET", f"/api/v1/runs/{first['runId']}", "minji")).json == first


async def test_a_conversation_goes_on_and_is_nobody_elses(shop: Shop) -> None:
    talk = (await shop.chat("내 주문")).json["conversationId"]
    again = await shop.chat("주문을 다시 보여 줘", conversationId=talk)
    assert again.json["conversationId"] == talk
    for who in ("junho", "sora", "boram"):
        assert (await shop.chat("내 주문", who, conversationId=talk)).problem == (404, "not_found")
        assert (await shop.call("GET", f"/api/v1/conversations/{talk}", who)).problem == (404, "not_found")


async def test_what_the_assistant_is_asked_comes_from_the_token_alone(tmp_path: Path) -> None:
    gateway = Scripted(AgentAnswer("run-1", "talk-1", "ok"))
    trace = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
    async with shop_at(tmp_path, gateway.behind) as shop:
        await shop.call("POST", "/api/v1/chat", "minji", {"message": "hi"}, trace)
    (asked,) = gateway.asked
    assert (asked.actor.user_id, asked.actor.tenant_id, asked.actor.roles) == ("minji", "hanbit", frozenset())
    assert asked.trace_id == "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "message is missing."),
        ({"message": ""}, "message cannot be used."),
        ({"message": 7}, "message cannot be used."),
        ({"message": "x" * 4001}, "message cannot be used."),
        ({"message": "a\x00b"}, "message cannot be used."),
        (b'{"message": "\\ud800"}', "message cannot be used."),
        ({"message": "hi", "conversationId": "a b"}, "conversationId cannot be used."),
        ({"message": "hi", "conversation_id": "talk"}, "* is not known here."),
        ({"message": "hi", "userId": "boram", "tenantId": "saebyeok"}, "* is not known here; * is not known here."),
        (b'{"message": "a", "message": "b"}', "The body is no JSON object."),
        (b'{"message": NaN}', "The body is no JSON object."),
        (b'"hi"', "The body is no JSON object."),
        (b"", None),
    ],
)
async def test_a_message_that_nobody_understands_is_refused(shop: Shop, body: object, detail: str | None) -> None:
    answer = await shop.call("POST", "/api/v1/chat", "minji", body)
    if detail is None:
        assert answer.problem == (400, "bad_request")
    else:
        assert (answer.problem, answer.json["detail"]) == ((400, "bad_request"), detail)


async def test_a_stream_ends_with_the_same_body(tmp_path: Path) -> None:
    gateway = Scripted("Your ", "order\n", "is on\n\nits way", AgentAnswer("run-1", "talk-1", "Your order"))
    async with shop_at(tmp_path, gateway.behind) as shop:
        whole = await shop.chat("where is it?")
        stream = await shop.call("POST", "/api/v1/chat", "minji", {"message": "where is it?"}, STREAM)
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    texts = [("text", {"text": text}) for text in ("Your ", "order\n", "is on\n\nits way")]
    assert stream.events == [*texts, ("outcome", whole.json)]


async def test_a_stream_can_end_with_a_wait(shop: Shop) -> None:
    stream = await shop.call("POST", "/api/v1/chat", "minji", {"message": "ORD-100 환불"}, STREAM)
    (last,) = stream.events
    assert stream.status == 200
    assert (last[0], last[1]["status"]) == ("outcome", "waiting_for_approval")


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (ConversationNotFoundError(), (404, "not_found")),
        (ConversationBusyError(), (409, "conversation_busy")),
    ],
)
async def test_a_refusal_is_no_stream(tmp_path: Path, error: Exception, problem: tuple[int, str]) -> None:
    async with shop_at(tmp_path, Scripted(error).behind) as shop:
        for headers in ({}, STREAM):
            answer = await shop.call("POST", "/api/v1/chat", "minji", {"message": "hi"}, headers)
            assert answer.problem == problem


async def test_a_fault_in_a_stream_is_its_last_event(tmp_path: Path) -> None:
    noted: list[str] = []
    gateway = Scripted("Your ", RuntimeError("password=hunter2"))

    def broken(services: Services) -> Services:
        return replace(gateway.behind(services), fault=lambda reference, _error: noted.append(reference))

    async with shop_at(tmp_path, broken) as shop:
        stream = await shop.call("POST", "/api/v1/chat", "minji", {"message": "hi"}, STREAM)
    text, problem = stream.events
    assert text == ("text", {"text": "Your "})
    assert problem == (
        "problem",
        {
            "type": "urn:order-service:problem:fault",
            "title": "Something is wrong on our side.",
            "status": 500,
            "detail": "Something is wrong on our side.",
            "instance": f"urn:order-service:fault:{noted[0]}",
        },
    )


async def test_a_silent_stream_says_that_it_is_there(tmp_path: Path) -> None:
    go_on = asyncio.Event()
    gateway = Scripted("Your ", go_on, AgentAnswer("run-1", "talk-1", "Your order"))
    async with shop_at(tmp_path, gateway.behind, beat_seconds=0.02) as shop:
        asking = asyncio.create_task(shop.call("POST", "/api/v1/chat", "minji", {"message": "hi"}, STREAM))
        await gateway.began.wait()
        await asyncio.sleep(0.5)  # the beat is due well before, in the same event loop
        go_on.set()
        assert ": still here\n\n" in (await asking).text


@pytest.mark.parametrize("headers", [b"", b"Accept: text/event-stream\r\n"])
async def test_a_client_that_leaves_stops_nothing(tmp_path: Path, headers: bytes) -> None:
    go_on = asyncio.Event()
    gateway = Scripted("Your ", go_on, AgentAnswer("run-1", "talk-1", "Your order"))
    async with shop_at(tmp_path, gateway.behind) as shop:
        _, writer = await asyncio.open_connection("127.0.0.1", shop.port)
        body = b'{"message":"hi"}'
        writer.write(
            b"POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
            b"Authorization: Bearer %b\r\n%b\r\n%b" % (len(body), shop.token("minji").encode(), headers, body)
        )
        await gateway.began.wait()
        writer.transport.abort()
        await asyncio.sleep(0.05)
        assert not gateway.ended.is_set()
        go_on.set()
        await gateway.ended.wait()


async def test_a_request_that_is_cut_off_in_the_server_stops_nothing(tmp_path: Path) -> None:
    go_on = asyncio.Event()
    gateway = Scripted(go_on, AgentAnswer("run-1", "talk-1", "Your order"))
    async with shop_at(tmp_path, gateway.behind) as shop:
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/v1/chat",
            "query_string": b"",
            "headers": [
                (b"content-type", b"application/json"),
                (b"authorization", f"Bearer {shop.token('minji')}".encode()),
            ],
        }

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b'{"message":"hi"}', "more_body": False}

        async def send(_message: Any) -> None:
            raise AssertionError("nobody is there to hear an answer")

        app = build_http(gateway.behind(shop.service.services))
        request = asyncio.create_task(app(scope, receive, send))
        await gateway.began.wait()
        request.cancel()
        await asyncio.wait({request})
        assert (request.cancelled(), gateway.ended.is_set()) == (True, False)
        go_on.set()
        await gateway.ended.wait()


@pytest.mark.req("agent/I2")
async def test_a_run_that_another_process_goes_on_with_is_named(tmp_path: Path) -> None:
    gateway = Scripted(StillRunning("run", "talk"))
    async with shop_at(tmp_path, gateway.behind) as shop:
        answer = await shop.chat("hello")
        streamed = await shop.call("POST", "/api/v1/chat", "minji", {"message": "hello"}, STREAM)
    body = {"status": "running", "runId": "run", "conversationId": "talk"}
    assert (answer.status, answer.json) == (202, body)
    assert streamed.events == [("outcome", body)]
