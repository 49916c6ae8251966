"""What every `Turns` tells a model."""

import json
from dataclasses import replace

import msgspec
import pytest

from axhub.agent.config.model import Framework
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    CallResult,
    Message,
    ResultKind,
    ResultsMessage,
    UserMessage,
)
from support.model_server import Called, OpenAIWire, Text, Thought, Wire, stream
from support.requests_sent import conversation_of, failed_results_of, forced_of, system_of, tools_of
from support.talks import KEY, REFUND, SEARCH, Talk
from support.talks import talk as open_talk

pytestmark = [pytest.mark.req("agent/A8")]

HISTORY: tuple[Message, ...] = (
    UserMessage("주문 ORD-1을 찾아 환불해 주세요."),
    AssistantMessage(
        "찾아보겠습니다.",
        (CallRequest("call_1", "search_orders", '{"text": "주문"}'), CallRequest("call_2", "no_such_tool", "")),
    ),
    ResultsMessage(
        (
            CallResult("call_1", "search_orders", ResultKind.OK, '{"orders": ["ORD-1"]}'),
            CallResult("call_2", "no_such_tool", ResultKind.ERROR, "There is no such tool."),
        )
    ),
    AssistantMessage(calls=(CallRequest("call_3", "refund_order", "{}"), CallRequest("call_4", "refund_order", "{}"))),
    ResultsMessage(
        (
            CallResult("call_3", "refund_order", ResultKind.DENIED, "A person refused it."),
            CallResult("call_4", "refund_order", ResultKind.UNKNOWN, "Nobody knows."),
        )
    ),
    AssistantMessage("그것은 거절되었습니다."),
    UserMessage("왜요?"),
)


def stored(message: Message) -> Message:
    """Send a message through JSON, as the store does."""
    return msgspec.json.decode(msgspec.json.encode(message), type=type(message))


async def test_a_history_of_every_kind_of_message(talk: Talk) -> None:
    talk.says(Text("Because."))
    await talk.ask(*map(stored, HISTORY), tools=(SEARCH, REFUND))
    assert system_of(talk.sent) == "You help."
    assert conversation_of(talk.sent) == [
        ("user", "주문 ORD-1을 찾아 환불해 주세요."),
        (
            "assistant",
            "찾아보겠습니다.",
            [("call_1", "search_orders", {"text": "주문"}), ("call_2", "no_such_tool", {})],
        ),
        ("result", "call_1", '{"orders": ["ORD-1"]}'),
        ("result", "call_2", "There is no such tool."),
        ("assistant", "", [("call_3", "refund_order", {}), ("call_4", "refund_order", {})]),
        ("result", "call_3", "A person refused it."),
        ("result", "call_4", "Nobody knows."),
        ("assistant", "그것은 거절되었습니다.", []),
        ("user", "왜요?"),
    ]
    is_told_errors = not isinstance(talk.wire, OpenAIWire)
    assert failed_results_of(talk.sent) == (["call_2", "call_3", "call_4"] if is_told_errors else [])


async def test_each_call_id_is_sent_once_with_one_result_and_an_object(talk: Talk) -> None:
    """The loop refuses such responses; the conversation must go on with them all the same (agent/L4)."""
    call, result = CallRequest("call_1", "search_orders", '{"text'), ResultKind.ERROR
    again = replace(call, arguments="[1]")
    await _say_again(
        talk,
        UserMessage("Hello"),
        AssistantMessage(calls=(call, again)),
        ResultsMessage(
            (
                CallResult("call_1", "search_orders", result, "first"),
                CallResult("call_1", "search_orders", result, "2nd"),
            )
        ),
        AssistantMessage(calls=(replace(call, arguments="{}"),)),
        ResultsMessage((CallResult("call_1", "search_orders", result, "third"),)),
    )
    assert conversation_of(talk.sent) == [
        ("user", "Hello"),
        (
            "assistant",
            "",
            [
                ("call_1", "search_orders", {"unreadable_arguments": '{"text'}),
                ("call_1-2", "search_orders", {"unreadable_arguments": "[1]"}),
            ],
        ),
        ("result", "call_1", "first"),
        ("result", "call_1-2", "2nd"),
        ("assistant", "", [("call_1-3", "search_orders", {})]),
        ("result", "call_1-3", "third"),
    ]


async def _say_again(talk: Talk, *messages: Message) -> None:
    talk.says(Text("Hm."))
    await talk.ask(*messages, tools=(SEARCH,))


async def test_tools_are_shown_as_they_are(talk: Talk) -> None:
    talk.says(Text("Hm."))
    await talk.ask(tools=(SEARCH, REFUND))
    assert tools_of(talk.sent) == [(one.name, one.description, one.parameters) for one in (SEARCH, REFUND)]
    assert forced_of(talk.sent) is None


async def test_without_tools_none_are_sent(talk: Talk) -> None:
    talk.says(Text("Hm."))
    await talk.ask()
    assert not talk.sent.get("tools")
    assert "tool_choice" not in talk.sent


@pytest.mark.req("agent/L9")
async def test_a_forced_tool_is_forced(talk: Talk) -> None:
    talk.says(Called("call_1", "refund_order", "{}"))
    await talk.ask(tools=(SEARCH, REFUND), forced="refund_order")
    assert forced_of(talk.sent) == "refund_order"
    assert [name for name, _, _ in tools_of(talk.sent)] == ["search_orders", "refund_order"]


async def test_what_only_the_provider_understands_comes_back_to_it_unchanged(talk: Talk) -> None:
    talk.says(
        Thought("They mean ORD-1; 아마도.", "c2lnbmF0dXJl+/=="),
        Text("One moment."),
        Called("call_1", "search_orders", '{"text": "a"}'),
        Called("call_2", "refund_order", ""),
    )
    answer = (await talk.ask(tools=(SEARCH, REFUND))).message
    assert json.loads(json.dumps(answer.provider)) == answer.provider != {}
    results = tuple(CallResult(call.id, call.name, ResultKind.OK, "{}") for call in answer.calls)
    await talk.ask(UserMessage("Hello"), stored(answer), ResultsMessage(results), tools=(SEARCH, REFUND))
    message = next(one for one in talk.sent["messages"] if one["role"] == "assistant")
    if isinstance(talk.wire, OpenAIWire):
        assert message["reasoning_content"] == "They mean ORD-1; 아마도."
    else:
        assert message["content"] == [
            {"type": "thinking", "thinking": "They mean ORD-1; 아마도.", "signature": "c2lnbmF0dXJl+/=="},
            {"type": "text", "text": "One moment."},
            {"type": "tool_use", "id": "call_1", "name": "search_orders", "input": {"text": "a"}},
            {"type": "tool_use", "id": "call_2", "name": "refund_order", "input": {}},
        ]
    assert conversation_of(talk.sent)[1] == (
        "assistant",
        "One moment.",
        [("call_1", "search_orders", {"text": "a"}), ("call_2", "refund_order", {})],
    )


async def test_what_another_provider_understands_stays_here(talk: Talk) -> None:
    foreign = {"by": "another framework of:another-model", "parts": [{"opaque": {"secret": "of-another"}}, {"call": 0}]}
    call = CallRequest("call_1", "search_orders", "{}")
    result = CallResult("call_1", "search_orders", ResultKind.OK, "{}")
    await _say_again(talk, UserMessage("Hello"), AssistantMessage("Hm.", (call,), foreign), ResultsMessage((result,)))
    assert conversation_of(talk.sent)[1] == ("assistant", "Hm.", [("call_1", "search_orders", {})])
    assert b"of-another" not in talk.service.requests[-1].body


async def test_signatures_beside_a_call_come_back_with_it(streaming: Talk) -> None:
    extra = {"google": {"thought_signature": "c2ln"}}
    function = {"name": "search_orders", "arguments": "{}"}
    first = {
        "tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function, "extra_content": extra}]
    }
    streaming.wire.on(streaming.service, stream(OpenAIWire().of_deltas([first])))
    answer = (await streaming.ask(tools=(SEARCH,))).message
    assert answer.calls == (CallRequest("call_1", "search_orders", "{}"),)
    result = ResultsMessage((CallResult("call_1", "search_orders", ResultKind.OK, "{}"),))
    await streaming.ask(UserMessage("Hello"), stored(answer), result, tools=(SEARCH,))
    assert streaming.sent["messages"][2]["tool_calls"][0]["extra_content"] == extra


@pytest.mark.req("agent/A7")
async def test_nothing_is_sent_but_the_conversation_the_tools_and_the_key(talk: Talk) -> None:
    talk.says(Text("Hm."))
    await talk.ask(tools=(SEARCH,))
    allowed = {"model", "messages", "tools", "tool_choice", "stream", "stream_options", "system", "max_tokens"}
    assert set(talk.sent) <= allowed
    headers = talk.service.requests[-1].headers
    own = {name: value for name, value in headers.items() if not name.startswith(b"x-stainless")}
    assert {name for name, value in own.items() if KEY.encode() in value} <= {b"authorization", b"x-api-key"}
    assert set(own) <= {
        b"accept",
        b"accept-encoding",
        b"anthropic-beta",
        b"anthropic-version",
        b"authorization",
        b"connection",
        b"content-length",
        b"content-type",
        b"host",
        b"user-agent",
        b"x-api-key",
    }


@pytest.mark.req("agent/A10")
async def test_the_bound_of_an_answer_is_told(framework: Framework, wire: Wire, is_streamed: bool) -> None:
    async with open_talk(framework, wire, is_streamed=is_streamed, max_output_tokens=77) as talk:
        talk.says(Text("Hm."))
        await talk.ask()
        assert [talk.sent[name] for name in ("max_tokens", "max_completion_tokens") if name in talk.sent] == [77]
