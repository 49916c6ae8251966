"""What a model wrote is bounded before it is stored, and of calls of no tool nothing is kept but that they were."""

import pytest

from axhub.agent.domain.canonical import read_arguments
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, CallRequest, Usage
from axhub.agent.domain.untrusted import LONGEST_TEXT, NO_NAME, legible, tidied

NAMES = frozenset({"search_orders", "refund_order"})
CALL = CallRequest("a", "search_orders", '{"text": "x"}')
OTHER = CallRequest("b", "nothing_like_it", '{"password": "hidden"}')


@pytest.mark.req("agent/L7")
def test_a_text_of_any_length_is_kept_up_to_a_bound_and_says_so() -> None:
    parts = {"by": "f", "parts": [{"text": "x"}]}
    just = AssistantMessage("x" * LONGEST_TEXT, (CALL,), parts)
    assert tidied(just, NAMES) == just
    cut = tidied(AssistantMessage("x" * (LONGEST_TEXT + 1), (CALL,), parts), NAMES)
    assert cut.text == "x" * LONGEST_TEXT + f"\n[cut: the answer has {LONGEST_TEXT + 1} characters]"
    assert (cut.calls, cut.provider) == ((CALL,), {})


@pytest.mark.req("agent/L7")
def test_what_only_a_provider_understands_is_bounded_too() -> None:
    small, large = ({"by": "f", "parts": [{"opaque": {"thought": "x" * size}}]} for size in (1_000, 2_000_000))
    assert tidied(AssistantMessage("Hm.", (CALL,), small), NAMES).provider == small
    assert tidied(AssistantMessage("Hm.", (CALL,), large), NAMES) == AssistantMessage("Hm.", (CALL,))


@pytest.mark.req("agent/I3")
def test_arguments_of_a_call_of_no_tool_are_not_kept() -> None:
    kept = legible(AssistantMessage("", (CALL, OTHER)), frozenset({"b"}))
    assert [one.arguments for one in kept.calls] == [CALL.arguments, "{}"]


@pytest.mark.req("agent/L1", "agent/L5")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": %s}' % ("9" * 60_000), "a number of more than 1000 characters"),
        ('{"a": -%s}' % ("9" * 5_000), "a number of more than 1000 characters"),
        ("{%s}" % ",".join(f'"k{one}":1' for one in range(2_001)), "more than 2000 members"),  # noqa: UP031 -- as above
        ('{"a":[%s]}' % ",".join(['{"b":1}'] * 2_000), "more than 2000 members"),  # noqa: UP031 -- as above
    ],
    ids=["digits", "negative", "members", "members in objects"],
)
def test_arguments_that_take_long_are_refused_in_words_of_ours(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{problem}$"):
        read_arguments(text)


@pytest.mark.req("agent/L1")
def test_large_arguments_that_an_approver_may_read_are_taken() -> None:
    text = "{%s}" % ",".join(f'"k{one}":{"9" * 20}' for one in range(1_000))  # noqa: UP031 -- braces are JSON's
    assert len(read_arguments(text)) == 1_000


@pytest.mark.req("agent/L2")
def test_tokens_below_nothing_give_none_back() -> None:
    used = Counters().with_turn(Usage(100, 10)).with_turn(Usage(-(10**9), -5))
    assert used.usage == Usage(100, 10)


@pytest.mark.req("agent/A6", "agent/I3")
def test_a_name_of_no_tool_is_not_kept_and_one_of_a_tool_that_was_not_offered_is() -> None:
    calls = (CALL, OTHER, CallRequest("c", "refund_order", "{}"), CallRequest("d", "refund_order ", "{}"))
    tidy = tidied(AssistantMessage("", calls), NAMES)
    assert [one.name for one in tidy.calls] == ["search_orders", NO_NAME, "refund_order", NO_NAME]
