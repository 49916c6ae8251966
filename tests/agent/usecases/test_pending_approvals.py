"""A person may not have any number of calls waiting: approvers would stop reading (threat/T30)."""

from dataclasses import replace

import pytest

from axhub.agent.domain.messages import ResultKind
from axhub.agent.domain.outcomes import Answered
from axhub.agent.ports.effects import Noted
from axhub.agent.testing import call, calls
from support.agents import APPROVER, SETTINGS, Probe, Worlds, reader


@pytest.mark.req("threat/T30")
async def test_a_person_for_whom_too_much_waits_already_gets_a_refusal_and_nothing_is_held(worlds: Worlds) -> None:
    search, refund = reader(), Probe()
    batch = calls(
        call("search_orders", order_id="A"), call("refund_order", order_id="B"), call("refund_order", order_id="C")
    )
    first = [calls(call("refund_order", order_id=order)) for order in "AB"]
    world = await worlds.make(
        *first,
        batch,
        "Decide first.",
        batch,
        "Other person.",
        tools=[search, refund],
        settings=replace(SETTINGS, pending_approvals=3),
    )
    waiting = [await world.held() for _ in first]
    answered = await world.ask()
    assert isinstance(answered, Answered)
    assert [one.kind for one in world.told()] == [ResultKind.OK, ResultKind.ERROR, ResultKind.ERROR]
    assert world.told()[1].text.startswith("Too many calls of this person wait for an approval already")
    assert (len(search.calls), refund.calls) == (1, [])
    assert len(await world.agent.decide.pending(APPROVER)) == 2
    entries = [one for one in await world.audit() if one["run_id"] == answered.run_id]
    assert [(one["action"], one["tool"], one["outcome"]) for one in entries] == [
        ("call_intended", "search_orders", ""),
        ("call_ended", "search_orders", "DONE"),
        ("call_rejected", "refund_order", "too_many_pending"),
        ("call_rejected", "refund_order", "too_many_pending"),
        ("run_ended", "", "answered"),
    ]
    assert [facts["reason"] for what, facts in world.observer.notes if what is Noted.REJECTED] == [
        "too_many_pending",
        "too_many_pending",
    ]
    await world.approve_all(waiting[0])
    await world.held()
