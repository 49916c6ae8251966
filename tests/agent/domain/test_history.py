"""What of a conversation a model is shown: an end of it that no provider refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.domain.history import HISTORY_CHARACTERS, window
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallRequest,
    CallResult,
    Message,
    ResultKind,
    ResultsMessage,
    UserMessage,
)

pytestmark = pytest.mark.req("agent/L4")

IDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True)


def _calls(ids: list[str]) -> AssistantMessage:
    return AssistantMessage("", tuple(CallRequest(one, "search_orders", "{}") for one in ids))


def _results(ids: list[str]) -> ResultsMessage:
    return ResultsMessage(tuple(CallResult(one, "search_orders", ResultKind.OK, "{}") for one in ids))


TURNS = st.one_of(
    st.builds(lambda text: [UserMessage(text)], st.text(max_size=3)),
    st.builds(lambda text: [AssistantMessage(text)], st.text(max_size=3)),
    st.builds(lambda ids: [_calls(ids), _results(ids)], IDS),
)
CONVERSATIONS = st.builds(lambda turns: [one for turn in turns for one in turn], st.lists(TURNS, max_size=12))
ANYTHING = st.lists(
    st.one_of(
        st.builds(UserMessage, st.text(max_size=3)),
        st.builds(AssistantMessage, st.text(max_size=3)),
        st.builds(_calls, IDS),
        st.builds(_results, IDS),
    ),
    max_size=12,
)


def _are_whole(messages: tuple[Message, ...]) -> bool:
    """Say whether calls and results only stand as pairs with the same ids in the same order."""
    waiting: list[str] | None = None
    for one in messages:
        if (waiting is not None) != isinstance(one, ResultsMessage):
            return False
        if isinstance(one, ResultsMessage):
            if [result.call_id for result in one.results] != waiting:
                return False
            waiting = None
        elif isinstance(one, AssistantMessage) and one.calls:
            waiting = [call.id for call in one.calls]
    return waiting is None


@given(ANYTHING, st.none() | st.builds(UserMessage, st.just("before")))
def test_it_is_whole_and_begins_with_a_person_whatever_is_stored(
    stored: list[Message], asked: UserMessage | None
) -> None:
    shown = window(stored, asked)
    assert _are_whole(shown)
    assert not shown or isinstance(shown[0], UserMessage)


@given(CONVERSATIONS, st.integers(0, 30))
def test_of_a_conversation_it_is_all_from_the_first_person_within_the_bound_on(
    conversation: list[Message], most: int
) -> None:
    newest = conversation[-most:] if most else []
    shown = window(newest)
    assert list(shown) == newest[len(newest) - len(shown) :]
    left_out = newest[: len(newest) - len(shown)]
    assert not any(isinstance(one, UserMessage) for one in left_out)


@given(CONVERSATIONS)
def test_where_no_person_speaks_within_the_bound_the_last_question_stands_before_it(
    conversation: list[Message],
) -> None:
    newest = [one for one in conversation if not isinstance(one, UserMessage)]
    asked = UserMessage("Refund it.")
    assert window(newest[1:], asked)[0] == asked
    assert window(newest, asked) == (asked, *newest)
    assert window(newest) == ()


def test_of_long_messages_the_newest_that_fit_are_shown() -> None:
    half = "x" * (HISTORY_CHARACTERS // 2)
    talk: list[Message] = [UserMessage("1"), AssistantMessage(half), UserMessage("2"), AssistantMessage(half[1:])]
    assert window(talk) == tuple(talk[2:])
    assert window([UserMessage(""), AssistantMessage(half), UserMessage(""), AssistantMessage(half)]) == (
        UserMessage(""),
        AssistantMessage(half),
        UserMessage(""),
        AssistantMessage(half),
    )


def test_what_was_asked_last_and_done_since_is_shown_however_long() -> None:
    long = "x" * HISTORY_CHARACTERS
    since: list[Message] = [UserMessage("2"), _calls(["a"]), _results(["a"]), AssistantMessage(long), _calls(["b"])]
    talk: list[Message] = [UserMessage("1"), AssistantMessage("One."), *since, _results(["b"])]
    assert window(talk) == tuple(talk[2:])
    assert window([UserMessage(long + "x")]) == (UserMessage(long + "x"),)
