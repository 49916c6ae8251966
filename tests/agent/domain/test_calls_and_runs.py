"""The lives of calls and runs as tables, and business keys (agent/I1, agent/I2, agent/R4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.agent.domain.calls import (
    BLOCKING,
    TRANSITIONS,
    CallEvent,
    CallState,
    IllegalEventError,
    after,
    business_key,
)
from axhub.agent.domain.runs import ACTIVE, RUN_TRANSITIONS, RunEvent, RunState, run_after

S, E = CallState, CallEvent
CALLS = {
    S.PROPOSED: {
        E.HOLD: S.WAITING,
        E.DISPATCH: S.RUNNING,
        E.REFUSE: S.FAILED,
        E.WITHDRAW: S.WITHDRAWN,
    },
    S.WAITING: {E.APPROVE: S.APPROVED, E.DENY: S.DENIED, E.WITHDRAW: S.WITHDRAWN, E.EXPIRE: S.EXPIRED},
    S.APPROVED: {E.DISPATCH: S.RUNNING, E.REFUSE: S.FAILED, E.WITHDRAW: S.WITHDRAWN, E.EXPIRE: S.EXPIRED},
    S.RUNNING: {E.SUCCEED: S.DONE, E.FAIL: S.FAILED, E.LOSE: S.UNKNOWN},
    S.UNKNOWN: {E.FIND_DONE: S.DONE, E.FIND_NOTHING: S.FAILED},
}
"""Written out a second time, by hand: whoever changes the life of a call changes it twice."""
RUNS = {
    RunState.RUNNING: {
        RunEvent.HOLD: RunState.WAITING,
        RunEvent.ANSWER: RunState.ANSWERED,
        RunEvent.STOP: RunState.STOPPED,
        RunEvent.RECOVER: RunState.READY,
    },
    RunState.WAITING: {RunEvent.DECIDED: RunState.READY, RunEvent.WITHDRAW: RunState.WITHDRAWN},
    RunState.READY: {RunEvent.RESUME: RunState.RUNNING, RunEvent.WITHDRAW: RunState.WITHDRAWN},
}


@pytest.mark.req("agent/I1", "agent/I2")
@pytest.mark.parametrize("state", CallState)
@pytest.mark.parametrize("event", CallEvent)
def test_every_event_in_every_state_of_a_call(state: CallState, event: CallEvent) -> None:
    expected = CALLS.get(state, {}).get(event)
    if expected is not None:
        assert after(state, event) is expected
        return
    with pytest.raises(IllegalEventError) as refused:
        after(state, event)
    assert str(refused.value) == f"a call that is {state.value} cannot {event.value}"
    assert (refused.value.state, refused.value.event) == (state, event)


@pytest.mark.req("agent/I2")
def test_nothing_leads_back_to_a_call_that_runs() -> None:
    reached, new = set(), {S.DONE, S.FAILED, S.UNKNOWN, S.DENIED, S.EXPIRED, S.WITHDRAWN}
    while new:
        reached |= new
        new = {to for (state, _), to in TRANSITIONS.items() if state in reached} - reached
    assert reached.isdisjoint({S.RUNNING, S.PROPOSED, S.WAITING, S.APPROVED})


def test_what_blocks_a_key_may_have_taken_effect() -> None:
    assert sorted(BLOCKING) == sorted([S.RUNNING, S.UNKNOWN])


@pytest.mark.req("agent/R4")
@pytest.mark.parametrize("state", RunState)
@pytest.mark.parametrize("event", RunEvent)
def test_every_event_in_every_state_of_a_run(state: RunState, event: RunEvent) -> None:
    assert run_after(state, event) is RUNS.get(state, {}).get(event)


def test_a_conversation_is_busy_as_long_as_something_can_still_happen_to_its_run() -> None:
    assert sorted({state for state, _ in RUN_TRANSITIONS}) == sorted(ACTIVE)


@pytest.mark.req("agent/I1", "input/B92")
@given(
    *[
        st.tuples(
            st.text(min_size=1), st.from_regex(r"[a-z][a-z0-9_]{2,9}", fullmatch=True), st.text("ab:%A3", min_size=1)
        )
    ]
    * 2
)
def test_no_two_tenants_tools_or_requests_share_a_key(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    assert (business_key(*one) == business_key(*other)) == (one == other)


@pytest.mark.req("agent/I1")
def test_a_key_shows_whose_it_is_and_is_hashed_when_no_column_takes_it() -> None:
    assert business_key("t:1%", "refund_order", "ORD:1") == "t%3A1%25:refund_order:ORD:1"
    hashed = [business_key("t", "refund_order", own) for own in ("x" * 600, "nul \0", "nul \0\0")]
    assert [len(one) for one in hashed] == [64] * 3
    assert len(set(hashed)) == 3
    with pytest.raises(ValueError, match=r"^refund_order: key\(\) returned nothing$"):
        business_key("t", "refund_order", " ")
    with pytest.raises(ValueError, match=r"^refund_order: key\(\) returned half a character$"):
        business_key("t", "refund_order", "ORD\ud800")
