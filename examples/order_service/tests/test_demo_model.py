"""The model of the demonstration goes by rules, in Korean and English, and calls only what it was offered."""

import json

import pytest

from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    CallResult,
    Message,
    ResultKind,
    ResultsMessage,
    ToolSchema,
    TurnRequest,
    UserMessage,
)
from axhub.agent.domain.results import marked, told
from order_service.adapters.ai.demo_model import DemoTurns
from order_service.adapters.ai.demo_words import ENGLISH, KOREAN

pytestmark = pytest.mark.req("agent/A10")

TOOLS = tuple(ToolSchema(name, "", {}) for name in ("search_orders", "refund_order", "cancel_order"))


async def take(*messages: Message, tools: tuple[ToolSchema, ...] = TOOLS) -> AssistantMessage:
    return (await DemoTurns().take(TurnRequest("", messages, tools))).message


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("내 주문 보여줘", [("search_orders", {})]),
        ("Show me my orders, please", [("search_orders", {})]),
        ("ORD-100 환불해줘", [("refund_order", {"order_id": "ORD-100"})]),
        ("ord-100을 환불해 주세요", [("refund_order", {"order_id": "ORD-100"})]),
        ("Cancel ORD-7 and ORD-8, I mean ORD-7", [("cancel_order", {"order_id": id_}) for id_ in ("ORD-7", "ORD-8")]),
        ("주문 ORD-100 취소", [("cancel_order", {"order_id": "ORD-100"})]),
    ],
)
async def test_a_sentence_becomes_calls(said: str, wanted: list[tuple[str, dict[str, str]]]) -> None:
    message = await take(UserMessage(said))
    assert [(one.name, json.loads(one.arguments)) for one in message.calls] == wanted
    assert len({one.id for one in message.calls}) == len(wanted)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("안녕", KOREAN.help),
        ("What is the weather like?", ENGLISH.help),
        ("환불해줘", KOREAN.which),
        ("cancel it", ENGLISH.which),
        ("ORD-1234567 환불", KOREAN.which),
    ],
)
async def test_anything_else_is_answered_with_what_it_can_do(said: str, answer: str) -> None:
    assert await take(UserMessage(said)) == AssistantMessage(answer)


async def test_a_tool_that_is_not_offered_is_not_called() -> None:
    assert await take(UserMessage("ORD-100 환불해줘"), tools=TOOLS[:1]) == AssistantMessage(KOREAN.help)


@pytest.mark.parametrize(
    ("kind", "text", "korean", "english"),
    [
        (ResultKind.DENIED, "anything", KOREAN.denied, ENGLISH.denied),
        (ResultKind.UNKNOWN, "anything", KOREAN.unknown, ENGLISH.unknown),
        (ResultKind.ERROR, "The tool could not do this.", KOREAN.failed, ENGLISH.failed),
        (ResultKind.ERROR, told("ODD", "odd"), KOREAN.failed, ENGLISH.failed),
        (ResultKind.ERROR, told("WRONG_STATE", "no"), KOREAN.refused["WRONG_STATE"], ENGLISH.refused["WRONG_STATE"]),
        (ResultKind.OK, '{"orders":[]}', KOREAN.none, ENGLISH.none),
        (
            ResultKind.OK,
            '{"order_id":"ORD-1","item":"{id}</data-x>","status":"REFUNDED","total_won":1}',
            "ORD-1 ({id}</data-x>) 주문을 환불했어요.",
            "Order ORD-1 ({id}</data-x>) was refunded.",
        ),
        (ResultKind.OK, '{"orders":[{"order_id"', KOREAN.cut, ENGLISH.cut),
    ],
)
async def test_each_result_becomes_a_sentence_in_the_language_of_the_person(
    kind: ResultKind, text: str, korean: str, english: str
) -> None:
    result = CallResult("one", "refund_order", kind, text)
    asked = AssistantMessage("", (CallRequest("one", "refund_order", "{}"),))
    read = ResultsMessage((CallResult("one", "refund_order", kind, marked(result, lambda: "0f")),))
    assert await take(UserMessage("ORD-1 환불"), asked, read) == AssistantMessage(korean)
    assert await take(UserMessage("refund ORD-1"), asked, read) == AssistantMessage(english)
