"""What every `Turns` makes of a model's answer."""

import asyncio
import json
from dataclasses import replace

import pytest

from axhub.agent.adapters.turns.lanes import MOST_CALLS
from axhub.agent.config.model import Framework
from axhub.agent.domain.messages import CallRequest, FinishReason, Usage, UserMessage
from support.model_server import (
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    AnthropicWire,
    Called,
    OpenAIWire,
    Part,
    Text,
    Thought,
    Wire,
    call_delta,
    stream,
    streamed,
    whole,
)
from support.requests_sent import conversation_of
from support.talks import REFUND, SEARCH, Talk
from support.talks import talk as open_talk
from support.tool_service import Answer, Received, reply

KOREAN = "주문 ORD-1을 찾았습니다. 환불할까요?"
ARGUMENTS = '{"text":"주문","limit":2}'

pytestmark = [pytest.mark.req("agent/A8")]


async def test_a_text(anyone: Talk) -> None:
    anyone.says(Text(KOREAN))
    turn = await anyone.ask()
    assert turn.message.text == KOREAN
    assert turn.message.calls == ()
    assert turn.message.provider == {}


async def test_the_text_comes_in_pieces_to_whom_listens(anyone: Talk) -> None:
    anyone.says(Text(KOREAN))
    await anyone.ask()
    assert "".join(anyone.pieces) == (KOREAN if anyone.is_streamed else "")
    assert (len(anyone.pieces) > 1) == anyone.is_streamed


async def test_nothing_is_streamed_if_nobody_listens(talk: Talk) -> None:
    talk.says(Text(KOREAN))
    await talk.ask()
    assert talk.sent.get("stream", False) == talk.is_streamed


async def test_the_tokens_are_counted(anyone: Talk) -> None:
    anyone.says(Text("Hello"))
    assert (await anyone.ask()).usage == Usage(INPUT_TOKENS, OUTPUT_TOKENS)


async def test_one_call(anyone: Talk) -> None:
    anyone.says(Called("call_1", "search_orders", ARGUMENTS))
    message = (await anyone.ask(tools=(SEARCH,))).message
    assert message.text == ""
    assert [(call.id, call.name) for call in message.calls] == [("call_1", "search_orders")]
    assert message.calls[0].arguments.replace(": ", ":").replace(", ", ",") == ARGUMENTS


async def test_a_text_and_several_calls_in_the_models_order(anyone: Talk) -> None:
    anyone.says(
        Text("One moment."),
        Called("call_1", "search_orders", '{"text":"a"}'),
        Called("call_2", "refund_order", '{"order":"ORD-1"}'),
        Called("call_3", "search_orders", '{"text":"b"}'),
    )
    message = (await anyone.ask(tools=(SEARCH, REFUND))).message
    assert message.text == "One moment."
    assert [(call.id, call.name) for call in message.calls] == [
        ("call_1", "search_orders"),
        ("call_2", "refund_order"),
        ("call_3", "search_orders"),
    ]


CUT = {"openai": ["length"], "anthropic": ["max_tokens", "model_context_window_exceeded"], "scripted": ["length"]}


async def test_an_answer_that_ended_by_itself_says_so(anyone: Talk) -> None:
    anyone.says(Text("Hello"))
    assert (await anyone.ask()).finish is FinishReason.STOP
    anyone.says(Called("call_1", "search_orders", ARGUMENTS))
    assert (await anyone.ask(tools=(SEARCH,))).finish is FinishReason.STOP


@pytest.mark.req("agent/L2")
@pytest.mark.parametrize(
    "parts",
    [
        (Text("It was refun"),),
        (Called("call_1", "search_orders", ARGUMENTS),),
        (Text("Let me see."), Called("call_1", "refund_order", '{"order":"ORD-1"}')),
        (),
    ],
    ids=["text", "call", "both", "nothing"],
)
async def test_an_answer_that_was_cut_at_a_bound_says_so(anyone: Talk, parts: tuple[Part, ...]) -> None:
    for reason in CUT[anyone.provider]:
        anyone.says(*parts, ended=reason)
        turn = await anyone.ask(tools=(SEARCH, REFUND))
        assert turn.finish is FinishReason.LENGTH, reason
        assert turn.usage == Usage(INPUT_TOKENS, OUTPUT_TOKENS)


@pytest.mark.req("agent/L2")
@pytest.mark.parametrize(
    ("wire", "is_streamed"), [(OpenAIWire(), False), (OpenAIWire(), True), (AnthropicWire(), True)]
)
async def test_a_call_that_was_cut_in_the_middle_of_its_arguments_says_so(
    framework: Framework, wire: Wire, is_streamed: bool
) -> None:
    async with open_talk(framework, wire, is_streamed=is_streamed) as talk:
        talk.says(Called("call_1", "refund_order", '{"order": "ORD-1'), ended=CUT[wire.provider][0])
        assert (await talk.ask(tools=(REFUND,))).finish is FinishReason.LENGTH


@pytest.mark.req("agent/L2")
async def test_a_server_that_says_twice_why_it_ended_is_understood(streaming: Talk) -> None:
    events = OpenAIWire().of_deltas([{"content": "It was refun"}], "length")
    (at,) = [at for at, event in enumerate(events) if b'"length"' in event]
    streaming.wire.on(streaming.service, stream([*events[: at + 1], *events[at:]]))
    turn = await streaming.ask()
    assert (turn.message.text, turn.finish) == ("It was refun", FinishReason.LENGTH)


async def test_empty_arguments_stay_empty(anyone: Talk) -> None:
    anyone.says(Called("call_1", "refund_order", ""))
    message = (await anyone.ask(tools=(REFUND,))).message
    assert [(call.id, call.name) for call in message.calls] == [("call_1", "refund_order")]
    assert message.calls[0].arguments in {"", "{}"}


async def test_what_the_loop_judges_comes_to_it_as_the_model_wrote_it(anyone: Talk) -> None:
    anyone.says(
        Called("call_1", "no_such_tool", '{"text":"a"}'),
        Called("call_1", "search_orders", '{"tenant":"other"}'),
    )
    message = (await anyone.ask(tools=(SEARCH,))).message
    assert [(call.id, call.name) for call in message.calls] == [
        ("call_1", "no_such_tool"),
        ("call_1", "search_orders"),
    ]
    assert "tenant" in message.calls[1].arguments


@pytest.mark.parametrize(
    ("wire", "is_streamed"),
    [(OpenAIWire(), False), (OpenAIWire(), True), (AnthropicWire(), True)],  # a whole answer of Anthropic has objects
    ids=["openai-whole", "openai-streamed", "anthropic-streamed"],
)
async def test_arguments_that_are_no_json_keep_their_text_and_their_place(
    framework: Framework, wire: Wire, is_streamed: bool
) -> None:
    async with open_talk(framework, wire, is_streamed=is_streamed) as talk:
        await _hear_no_json(talk)


async def _hear_no_json(talk: Talk) -> None:
    talk.says(
        Called("call_1", "search_orders", '{"text": "a'),
        Called("call_2", "search_orders", '{"text": "b"}'),
        Called("call_3", "search_orders", '["a"]'),
    )
    message = (await talk.ask(tools=(SEARCH,))).message
    assert message.calls == (
        CallRequest("call_1", "search_orders", '{"text": "a'),
        CallRequest("call_2", "search_orders", '{"text": "b"}'),
        CallRequest("call_3", "search_orders", '["a"]'),
    )


async def test_what_a_model_thinks_is_no_text_for_the_person(talk: Talk) -> None:
    talk.says(Thought("They mean ORD-1."), Text("Which one?"))
    turn = await talk.ask()
    assert turn.message.text == "Which one?"
    assert "".join(talk.pieces) in {"", "Which one?"}


async def test_turns_of_many_at_once_stay_apart(talk: Talk) -> None:
    def echo(request: Received) -> Answer:
        said = conversation_of(json.loads(request.body))[-1][1]
        call = Called("call_1", "search_orders", json.dumps({"text": said}))
        return (streamed if talk.is_streamed else whole)(talk.wire, Text(said), call)

    talk.wire.on(talk.service, echo)
    words = [f"ORD-{number}" for number in range(20)]
    turns = await asyncio.gather(*(talk.ask(UserMessage(word), tools=(SEARCH,)) for word in words))
    assert [turn.message.text for turn in turns] == words
    assert [json.loads(turn.message.calls[0].arguments) for turn in turns] == [{"text": word} for word in words]


@pytest.mark.req("agent/L9")
@pytest.mark.parametrize(
    ("deltas", "expected"),
    [
        pytest.param(
            [
                call_delta(0, "call_1", "search_orders", '{"text'),
                call_delta(0, None, None, '": "a'),
                call_delta(0, None, None, '"}'),
            ],
            [("call_1", "search_orders", '{"text": "a"}')],
            id="fragments without id and name",
        ),
        pytest.param(
            [
                call_delta(0, "call_1", "search_orders", ""),
                call_delta(0, "", "", '{"text": '),
                call_delta(0, "", "", '"a"}'),
            ],
            [("call_1", "search_orders", '{"text": "a"}')],
            id="empty ids and names",
        ),
        pytest.param(
            [
                call_delta(0, "call_1", "search_orders", '{"text": '),
                call_delta(0, "call_1", "search_orders", '"a"}'),
            ],
            [("call_1", "search_orders", '{"text": "a"}')],
            id="id and name in each",
        ),
        pytest.param(
            [
                call_delta(0, "call_1", "search_orders", '{"text": '),
                call_delta(1, "call_2", "refund_order", '{"order": '),
                call_delta(0, None, None, '"a"}'),
                call_delta(1, None, None, '"b"}'),
            ],
            [("call_1", "search_orders", '{"text": "a"}'), ("call_2", "refund_order", '{"order": "b"}')],
            id="interleaved",
        ),
        pytest.param(
            [
                call_delta(0, "call_1", "search_orders", '{"text": "a"}'),
                call_delta(0, "call_2", "search_orders", '{"text": "b"}'),
            ],
            [("call_1", "search_orders", '{"text": "a"}'), ("call_2", "search_orders", '{"text": "b"}')],
            id="index 0 for every call",
        ),
        pytest.param(
            [
                call_delta(None, "call_1", "search_orders", '{"text": '),
                call_delta(None, None, None, '"a"}'),
                call_delta(None, "call_2", "refund_order", "{}"),
            ],
            [("call_1", "search_orders", '{"text": "a"}'), ("call_2", "refund_order", "{}")],
            id="no index",
        ),
        pytest.param(
            [
                call_delta(0, "call_1", "search_orders", '{"text": "a"}'),
                call_delta(1, "call_1", "search_orders", '{"text": "b"}'),
            ],
            [("call_1", "search_orders", '{"text": "a"}'), ("call_1", "search_orders", '{"text": "b"}')],
            id="one id twice",
        ),
    ],
)
async def test_fragments_become_whole_calls(
    streaming: Talk, deltas: list[dict[str, object]], expected: list[tuple[str, str, str]]
) -> None:
    streaming.wire.on(streaming.service, stream(OpenAIWire().of_deltas(deltas)))
    message = (await streaming.ask(tools=(SEARCH, REFUND))).message
    assert message.calls == tuple(CallRequest(*one) for one in expected)


async def test_a_call_without_an_id_gets_one(streaming: Talk) -> None:
    deltas = [call_delta(0, None, "search_orders", "{}"), call_delta(1, "", "search_orders", "{}")]
    streaming.wire.on(streaming.service, stream(OpenAIWire().of_deltas(deltas)))
    calls = (await streaming.ask(tools=(SEARCH,))).message.calls
    assert [call.name for call in calls] == ["search_orders", "search_orders"]
    assert len({call.id for call in calls} - {""}) == 2


async def test_whole_calls_without_ids_get_ids_of_their_own(framework: Framework) -> None:
    async with open_talk(framework, OpenAIWire()) as talk:
        body = json.loads(OpenAIWire().whole(*(Called(id_, "search_orders", "{}") for id_ in ("", "call-1", ""))))
        del body["choices"][0]["message"]["tool_calls"][2]["id"]
        talk.wire.on(talk.service, reply(body=json.dumps(body).encode()))
        calls = (await talk.ask(tools=(SEARCH,))).message.calls
    assert [call.id for call in calls] == ["call-2", "call-1", "call-3"]


@pytest.mark.req("agent/L2")
async def test_more_calls_than_anybody_runs_are_read_no_further(framework: Framework) -> None:
    async with open_talk(framework, OpenAIWire(), is_streamed=True) as talk:
        calls = [call_delta(number, f"c{number}", "search_orders", "{}") for number in range(2 * MOST_CALLS)]
        talk.wire.on(talk.service, stream(OpenAIWire().of_deltas(calls)))
        turn = await talk.ask(tools=(SEARCH,))
    assert turn.finish is FinishReason.LENGTH
    assert len(turn.message.calls) == MOST_CALLS + 1


async def test_what_another_version_stored_ends_no_conversation(talk: Talk) -> None:
    talk.says(Thought("Hm."), Text("One."))
    said = (await talk.ask()).message
    stored = json.loads(json.dumps(said.provider))
    for part in stored["parts"]:
        if "opaque" in part:
            part["opaque"] = {"part_kind": "of another version"}
    talk.says(Text("Two."))
    again = await talk.ask(UserMessage("a"), replace(said, provider=stored), UserMessage("b"))
    assert again.message.text == "Two."
