"""Whatever was stored, what is sent has each call id once, with one result, right after its call."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.adapters.turns.history import arguments_of, as_sent
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    CallResult,
    Message,
    ResultKind,
    ResultsMessage,
    UserMessage,
)

pytestmark = [pytest.mark.req("agent/A8")]

IDS = st.sampled_from(["a", "b", "a-2", "", "functions.search:0", "한글"])
CALLS = st.builds(CallRequest, id=IDS, name=st.just("search"), arguments=st.sampled_from(["", "{}", '{"a', "[]"]))
RESULTS = st.builds(
    CallResult, call_id=IDS, name=st.just("search"), kind=st.sampled_from(ResultKind), text=st.just("text")
)
MESSAGES = st.lists(
    st.one_of(
        st.builds(UserMessage, st.just("Hello")),
        st.builds(
            AssistantMessage,
            text=st.sampled_from(["", " ", "Hm."]),
            calls=st.lists(CALLS, max_size=3).map(tuple),
            provider=st.just({}),
        ),
        st.builds(ResultsMessage, st.lists(RESULTS, max_size=3).map(tuple)),
    ),
    max_size=6,
)


@given(MESSAGES, st.booleans())
def test_each_call_has_one_result_in_the_message_after_it(messages: list[Message], any_id: bool) -> None:
    sent = as_sent(messages, any_id=any_id)
    ids: list[str] = []
    for at, message in enumerate(sent):
        if isinstance(message, AssistantMessage):
            assert message.calls or message.text.strip()
            ids += [call.id for call in message.calls]
            if message.calls:
                answer = sent[at + 1]
                assert isinstance(answer, ResultsMessage)
                assert [one.call_id for one in answer.results] == [call.id for call in message.calls]
        if isinstance(message, ResultsMessage):
            before = sent[at - 1]
            assert isinstance(before, AssistantMessage)
            assert len(before.calls) == len(message.results)
    assert len(ids) == len(set(ids))
    assert all(ids)
    assert any_id or all(re.fullmatch("[A-Za-z0-9_-]+", id_) for id_ in ids)


def test_a_whole_history_is_sent_as_it_is() -> None:
    history = (
        UserMessage("Hello"),
        AssistantMessage("Hm.", (CallRequest("functions.search:0", "search", "{}"),)),
        ResultsMessage((CallResult("functions.search:0", "search", ResultKind.OK, "{}"),)),
        AssistantMessage("Found."),
    )
    assert as_sent(history, any_id=True) == history


def test_a_call_without_a_result_gets_one_and_a_result_without_a_call_goes() -> None:
    call = CallRequest("a", "search", "{}")
    sent = as_sent(
        (
            ResultsMessage((CallResult("x", "search", ResultKind.OK, "lost"),)),
            AssistantMessage(calls=(call,)),
            UserMessage("Hello"),
        ),
        any_id=True,
    )
    assert sent == (
        AssistantMessage(calls=(call,)),
        ResultsMessage((CallResult("a", "search", ResultKind.ERROR, "There is no result."),)),
        UserMessage("Hello"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ('{"a": 1}', {"a": 1}),
        ('{"a', {"unreadable_arguments": '{"a'}),
        ("[1]", {"unreadable_arguments": "[1]"}),
        ("null", {"unreadable_arguments": "null"}),
        ("[" * 100_000, {"unreadable_arguments": "[" * 100_000}),
    ],
)
def test_arguments_are_an_object_whatever_was_written(text: str, expected: dict[str, object]) -> None:
    assert arguments_of(text) == expected
