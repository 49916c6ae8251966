"""Fragments find their calls, however a server marks them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.adapters.turns.lanes import Fragment, Lanes
from axhub.agent.domain.messages import CallRequest

pytestmark = [pytest.mark.req("agent/L9")]


@st.composite
def interleaved(draw: st.DrawFn) -> tuple[list[CallRequest], list[tuple[int, int]]]:
    """Calls, and an order in which their characters come."""
    texts = draw(st.lists(st.text("ab{}주문", min_size=1, max_size=6), min_size=1, max_size=4))
    calls = [CallRequest(f"call_{number}", f"tool_{number}", text) for number, text in enumerate(texts)]
    left = [number for number, text in enumerate(texts) for _ in text]
    order = draw(st.permutations(left))
    return calls, [(number, order[:at].count(number)) for at, number in enumerate(order)]


@given(interleaved(), st.sampled_from(["first", "empty", "each"]))
def test_calls_come_whole_out_of_any_interleaving(
    sample: tuple[list[CallRequest], list[tuple[int, int]]], habit: str
) -> None:
    calls, order = sample
    lanes = Lanes()
    for number, call in enumerate(calls):
        lanes.add(number, call.id, call.name, None)
    for number, place in order:
        call, empty = calls[number], "" if habit == "empty" else None
        id_, name = (call.id, call.name) if habit == "each" else (empty, empty)
        lanes.add(number, id_, name, call.arguments[place])
    assert lanes.calls() == tuple(calls)


def test_without_indexes_ids_tell_interleaved_calls_apart() -> None:
    lanes = Lanes()
    for id_, name, piece in (("a", "one", "{"), ("b", "two", "["), ("a", None, "}"), ("b", None, "]")):
        lanes.add(None, id_, name, piece)
    assert lanes.calls() == (CallRequest("a", "one", "{}"), CallRequest("b", "two", "[]"))


def test_without_indexes_and_ids_a_name_begins_a_call() -> None:
    lanes = Lanes()
    for name, piece in (("one", "{"), (None, "}"), ("one", "{}")):
        lanes.add(None, None, name, piece)
    assert lanes.calls() == (CallRequest("call-1", "one", "{}"), CallRequest("call-2", "one", "{}"))


def test_a_made_id_is_nobody_elses() -> None:
    lanes = Lanes()
    for index, id_ in enumerate(("call-2", None, "call-1", None)):
        lanes.add(index, id_, "one", "{}")
    assert [call.id for call in lanes.calls()] == ["call-2", "call-3", "call-1", "call-4"]


def test_a_name_in_pieces_is_one_name() -> None:
    lanes = Lanes()
    assert lanes.add(0, "a", "search_", None) == Fragment(0, "a", "search_", "")
    assert lanes.add(0, None, "orders", None) == Fragment(0, None, "orders", "")
    assert lanes.add(0, None, None, "{}") == Fragment(0, None, None, "{}")
    assert lanes.calls() == (CallRequest("a", "search_orders", "{}"),)


def test_an_index_that_is_used_again_with_another_name_begins_a_call() -> None:
    lanes = Lanes()
    lanes.add(0, None, "one", "{}")
    lanes.add(0, None, "two", "{}")
    assert [call.name for call in lanes.calls()] == ["one", "two"]


def test_a_lone_fragment_is_a_call_without_a_name() -> None:
    lanes = Lanes()
    lanes.add(None, None, None, "{}")
    assert lanes.calls() == (CallRequest("call-1", "", "{}"),)
