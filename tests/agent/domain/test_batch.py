"""A response judged whole, before anything of it runs (agent/L1, agent/L2, agent/A6, AG-G2, AG-G4)."""

import json
from typing import Any

import pytest

from axhub.agent.domain.batch import Accepted, Batch, Rejected, Rejection, check_batch
from axhub.agent.domain.limits import Counters, Limits
from axhub.agent.domain.messages import CallRequest, Usage
from axhub.agent.domain.runs import StopReason
from support.agents import Probe, reader

SEARCH, REFUND = reader(), Probe()
OFFERED = {one.definition.name: one for one in (SEARCH, REFUND)}
ALLOWED = {name: one.definition.digest for name, one in OFFERED.items()}
R = Rejection


def judged(
    *requests: tuple[str, str],
    allowed: dict[str, str] | None = None,
    counters: Counters | None = None,
    limits: Limits | None = None,
) -> Batch:
    numbered = [CallRequest(str(at), *one) for at, one in enumerate(requests)]
    now = ALLOWED if allowed is None else allowed
    asked = counters or Counters()
    return check_batch(numbered, OFFERED, now, asked, limits or Limits(), lambda tool, _: tool.effect == "write")


def reasons(batch: Batch) -> list[Rejection | None]:
    return [one.reason if isinstance(one, Rejected) else None for one in batch.items]


@pytest.mark.req("agent/L1", "threat/T24", "input/B79", "input/B80")
@pytest.mark.parametrize(
    ("name", "arguments", "reason", "text"),
    [
        ("search_orders", '{"order_id": "A"}', None, None),
        ("Search_Orders", '{"order_id": "A"}', R.UNKNOWN_TOOL, "There is no such tool."),
        ("", "{}", R.UNKNOWN_TOOL, "There is no such tool."),
        ("search_orders", "", R.BAD_ARGUMENTS, "The arguments do not fit the schema: order_id: Field required."),
        ("search_orders", "[]", R.BAD_JSON, "The arguments are no usable JSON object: not an object."),
        ("search_orders", "{", R.BAD_JSON, "The arguments are no usable JSON object: Expecting property name"),
        (
            "search_orders",
            '{"order_id": "A", "order_id": "B"}',
            R.BAD_JSON,
            "The arguments are no usable JSON object: a name that stands twice.",
        ),
        (
            "refund_order",
            '{"order_id": "A", "tenant_id": "t-2"}',
            R.BAD_ARGUMENTS,
            "The arguments do not fit the schema: tenant_id: Extra inputs are not permitted.",
        ),
        (
            "refund_order",
            '{"order_id": "A", "Order_ID": "B"}',
            R.BAD_ARGUMENTS,
            "The arguments do not fit the schema: Order_ID: Extra inputs are not permitted.",
        ),
    ],
)
def test_why_one_call_does_not_run(name: str, arguments: str, reason: Rejection | None, text: str | None) -> None:
    batch = judged((name, arguments))
    (item,) = batch.items
    assert reasons(batch) == [reason]
    assert batch.stop is None
    if isinstance(item, Rejected):
        assert text is not None
        assert item.text.startswith(text)


@pytest.mark.req("agent/A6")
@pytest.mark.parametrize(
    ("allowed", "reason"),
    [({}, R.NOT_ALLOWED), ({"refund_order": "x" * 64}, R.CHANGED), (ALLOWED, None)],
)
def test_what_is_allowed_now_counts_with_the_definition_it_has_now(
    allowed: dict[str, str], reason: Rejection | None
) -> None:
    batch = judged(("refund_order", '{"order_id": "A"}'), allowed=allowed)
    assert reasons(batch) == [reason]
    assert all("refund" not in one.text for one in batch.items if isinstance(one, Rejected))


def test_what_is_accepted_is_canonical_and_hashed() -> None:
    (item,) = judged(("refund_order", '{ "order_id": "\\u0041", "note": "n" }')).items
    assert isinstance(item, Accepted)
    assert item.canonical == '{"note":"n","order_id":"A"}'
    assert json.loads(item.canonical) == item.arguments
    assert item.needs_approval


def test_a_response_is_held_if_one_good_call_needs_an_approval() -> None:
    read, write, bad = (
        ("search_orders", '{"order_id":"A"}'),
        ("refund_order", '{"order_id":"A"}'),
        ("refund_order", "{}"),
    )
    assert not judged(read, read).is_held
    assert judged(read, write, bad).is_held
    assert not judged(read, bad).is_held


@pytest.mark.req("agent/L2")
def test_identical_calls_are_counted_over_the_run_and_in_one_response() -> None:
    same = ("search_orders", '{"order_id":"A"}')
    batch = judged(same, same, same, ("search_orders", '{"order_id":"B"}'))
    assert reasons(batch) == [None, None, R.REPEATED, None]
    again = judged(same, counters=batch.counters)
    assert reasons(again) == [R.REPEATED]
    assert sum(again.counters.calls.values()) == 5


@pytest.mark.req("agent/L2", "input/B82")
def test_of_more_calls_than_a_run_has_left_none_is_looked_at() -> None:
    def never(*_: object) -> bool:
        raise AssertionError("a call was looked at")

    class Never(Probe):
        def read(self, arguments: object) -> Any:
            return never(arguments)

    many = [CallRequest(str(at), "refund_order", '{"order_id":"A"}') for at in range(20_000)]
    batch = check_batch(many, {"refund_order": Never()}, ALLOWED, Counters(), Limits(), never)
    assert (batch.stop, batch.items) == (StopReason.CALLS, ())
    used = Counters(calls={"search_orders": 19})
    assert check_batch(many[:2], OFFERED, ALLOWED, used, Limits(), never).stop is StopReason.CALLS
    room = Limits(calls_of_tool=20)
    assert check_batch(many[:1], OFFERED, ALLOWED, used, room, lambda *_: True).stop is None


@pytest.mark.req("agent/L2")
@pytest.mark.parametrize(
    ("limits", "stop"),
    [
        ({"calls": 3}, None),
        ({"calls": 2}, StopReason.CALLS),
        ({"calls_of_tool": 2}, None),
        ({"calls_of_tool": 1}, StopReason.CALLS_OF_TOOL),
    ],
)
def test_the_response_that_breaks_a_bound_does_not_run(limits: dict[str, int], stop: StopReason | None) -> None:
    batch = judged(
        ("search_orders", '{"order_id":"A"}'),
        ("search_orders", '{"order_id":"B"}'),
        ("no_such", "{}"),
        limits=Limits(**limits),
    )
    assert batch.stop is stop


@pytest.mark.req("agent/L2")
@pytest.mark.parametrize(
    ("counters", "stop"),
    [
        (Counters(), None),
        (Counters(model_turns=7, usage=Usage(99_999, 100_000), worked_seconds=119.9), None),
        (Counters(model_turns=8), StopReason.MODEL_TURNS),
        (Counters(usage=Usage(100_000, 100_000)), StopReason.TOKENS),
        (Counters(worked_seconds=120.0), StopReason.WALL_TIME),
    ],
)
def test_when_there_is_no_room_for_another_turn(counters: Counters, stop: StopReason | None) -> None:
    assert counters.breach(Limits()) is stop


def test_of_many_wrong_members_the_model_is_told_the_first_and_how_many_more() -> None:
    wrong: dict[str, Any] = {"x" * 400 + str(number): 1 for number in range(100)}
    (item,) = judged(("search_orders", json.dumps(wrong))).items
    assert isinstance(item, Rejected)
    assert len(item.text) < 3000
    assert item.text.endswith("; and 93 more.")


@pytest.mark.req("threat/T30")
def test_a_batch_that_may_not_wait_refuses_what_would_and_leaves_the_rest_as_it_is() -> None:
    batch = judged(
        ("search_orders", '{"order_id": "A"}'),
        ("refund_order", '{"order_id": "A"}'),
        ("nothing", "{}"),
        ("refund_order", '{"order_id": "B"}'),
    )
    assert batch.is_held
    let = batch.not_held()
    assert not let.is_held
    assert reasons(let) == [None, R.TOO_MANY_PENDING, R.UNKNOWN_TOOL, R.TOO_MANY_PENDING]
    assert [one.request for one in let.items] == [one.request for one in batch.items]
    assert (let.items[0], let.items[2]) == (batch.items[0], batch.items[2])
    assert let.counters == batch.counters
    refused = let.items[1]
    assert isinstance(refused, Rejected)
    assert refused.text == (
        "Too many calls of this person wait for an approval already, so this was not done. Do not call it again; say "
        "that some of them have to be decided first."
    )
