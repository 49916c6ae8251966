"""Approvals, from the held response to what runs after the decision (agent/R0 to R5, AG-P7 to P17, AG-P30)."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from axhub.agent.domain.approval import Decider, Decision, DecisionFault
from axhub.agent.domain.messages import ResultKind, UserMessage
from axhub.agent.domain.outcomes import Answered, NotApproverError, Stopped, Waiting
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.ports.effects import Noted
from axhub.agent.ports.runs import NotFoundError, NotWaitingError, PendingApprovalError
from axhub.agent.testing import FakeActor, call, calls
from support.agents import ACTOR, APPROVER, Cap, Probe, World, Worlds, reader

REFUSED = "This is not possible any more, so it was not done."
EXPIRED = "Nobody approved this in time, so it was not done."


async def _held(worlds: Worlds, refund: Probe, *more: Probe) -> tuple[World, Waiting]:
    batch = calls(call("refund_order", order_id="A"))
    world = await worlds.make(batch, "Well.", "Next.", tools=[refund, *more])
    return world, await world.held()


async def _reasons(world: World) -> list[object]:
    return [facts["reason"] for what, facts in world.observer.notes if what is Noted.REJECTED]


@pytest.mark.req("agent/R0")
async def test_by_default_every_write_waits_and_no_read_does(worlds: Worlds) -> None:
    world = await worlds.make(
        calls(call("search_orders", order_id="A")),
        calls(call("refund_order", order_id="A")),
        tools=[reader(), Probe()],
    )
    assert [one.tool for one in (await world.held()).approvals] == ["refund_order"]


@pytest.mark.req("agent/R0")
async def test_an_approval_policy_sees_tool_arguments_and_actor_and_its_answer_counts(worlds: Worlds) -> None:
    seen: list[tuple[str, Mapping[str, Any], str]] = []

    class Large:
        version = "large-1"

        def needs_approval(self, tool: Any, arguments: Mapping[str, Any], actor: FakeActor) -> bool:
            seen.append((tool.name, arguments, actor.user_id))
            return bool(arguments["order_id"] == "LARGE")

    refund = Probe()
    small, large = (calls(call("refund_order", order_id=size)) for size in ("SMALL", "LARGE"))
    world = await worlds.make(small, large, tools=[refund], approvals=Large())
    await world.held()
    assert seen == [
        ("refund_order", {"order_id": "SMALL"}, "user-1"),
        ("refund_order", {"order_id": "LARGE"}, "user-1"),
    ]
    assert [arguments["order_id"] for arguments, _ in refund.calls] == ["SMALL"]


@pytest.mark.req("agent/R1")
async def test_a_waiting_run_is_decided_and_goes_on_in_another_process(worlds: Worlds) -> None:
    refund = Probe(audited=frozenset({"order_id"}))
    world, waiting = await _held(worlds, refund)
    other_refund = Probe(audited=frozenset({"order_id"}))
    other = await worlds.make("Done there.", tools=[other_refund])
    await other.approve_all(waiting)
    outcome = await other.resume()
    assert isinstance(outcome, Answered)
    assert (outcome.text, outcome.run_id) == ("Done there.", waiting.run_id)
    assert (len(refund.calls), len(other_refund.calls)) == (0, 1)
    assert other_refund.calls[0][1].actor == ACTOR
    assert [(one["action"], one["decision"], one["approver"]) for one in await world.audit()] == [
        ("call_proposed", "", ""),
        ("call_decided", "approve", "boss"),
        ("call_intended", "", ""),
        ("call_ended", "", ""),
        ("run_ended", "", ""),
    ]
    assert (await world.audit())[0]["arguments"] == {"order_id": "A"}


@pytest.mark.req("agent/R1", "threat/T25")
async def test_what_is_shown_to_an_approver_hashes_to_what_runs(worlds: Worlds) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    await world.approve_all(waiting)
    await world.resume()
    assert refund.calls[0][0] == waiting.approvals[0].arguments
    assert {one["arguments_sha256"] for one in await world.audit()} - {""} == {waiting.approvals[0].sha256}


@pytest.mark.req("agent/R2", "threat/T25", "input/B85")
@pytest.mark.parametrize("is_hash_edited", [False, True])
async def test_arguments_that_were_edited_in_the_row_do_not_run(worlds: Worlds, is_hash_edited: bool) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    await world.approve_all(waiting)
    edited: dict[str, Any] = {"arguments": '{"order_id":"B"}'}
    if is_hash_edited:
        from axhub.agent.domain.canonical import digest  # noqa: PLC0415 -- what the intruder would use

        edited["sha256"] = digest({"order_id": "B"})
    await world.change("agent_call", **edited)
    assert isinstance(await world.resume(), Answered)
    assert refund.calls == []
    assert [(one.kind, one.text) for one in world.told()] == [(ResultKind.DENIED, REFUSED)]
    assert await _reasons(world) == ["changed"]


@pytest.mark.req("agent/R2", "input/B86")
@pytest.mark.parametrize("column", ["digest", "tool"])
async def test_a_row_for_another_tool_or_definition_does_not_run(worlds: Worlds, column: str) -> None:
    refund, cancel = Probe(), Probe("cancel_order")
    world, waiting = await _held(worlds, refund, cancel)
    await world.approve_all(waiting)
    values = {"tool": "cancel_order", "digest": cancel.definition.digest}
    await world.change("agent_call", **(values if column == "tool" else {"digest": "0" * 64}))
    assert isinstance(await world.resume(), Answered)
    assert refund.calls == cancel.calls == []
    assert world.told()[0].text == REFUSED


@pytest.mark.req("agent/R2", "input/B86")
async def test_members_in_another_order_are_no_change(worlds: Worlds) -> None:
    refund = Probe()
    batch = calls(call("refund_order", order_id="A", note="b"))
    world = await worlds.make(batch, "Done.", tools=[refund])
    await world.approve_all(await world.held())
    await world.change("agent_call", arguments='{"order_id": "A", "note": "b"}')
    await world.resume()
    assert len(refund.calls) == 1


@pytest.mark.req("agent/R2", "agent/A6", "input/B86")
async def test_a_definition_that_changed_since_the_offer_does_not_run(worlds: Worlds) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    await world.approve_all(waiting)
    refund.definition = replace(refund.definition, description="Refund all orders.")
    assert isinstance(await world.resume(), Answered)
    assert refund.calls == []
    assert world.told()[0].text == REFUSED
    assert world.turns.requests[-1].tools == ()


@pytest.mark.req("agent/R2", "agent/A6")
async def test_a_capability_revoked_between_decision_and_dispatch_does_not_run(worlds: Worlds) -> None:
    refund, search = Probe(), reader()
    world, waiting = await _held(worlds, refund, search)
    await world.approve_all(waiting)
    world.allowed.discard(Cap.WRITE)
    assert isinstance(await world.resume(), Answered)
    assert refund.calls == []
    assert world.told()[0].text == REFUSED
    assert await _reasons(world) == ["not_allowed"]
    assert [tool.name for tool in world.turns.requests[-1].tools] == ["search_orders"]
    assert [one["outcome"] for one in await world.audit() if one["action"] == "call_rejected"] == ["not_allowed"]


@pytest.mark.req("agent/R2", "input/B89")
async def test_an_approval_that_is_over_at_the_dispatch_does_not_run(worlds: Worlds) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    await world.approve_all(waiting)
    await world.later(86_401)
    assert isinstance(await world.resume(), Answered)
    assert refund.calls == []
    assert [(one.kind, one.text) for one in world.told()] == [(ResultKind.DENIED, EXPIRED)]


@pytest.mark.req("agent/R4", "agent/R2", "input/B89")
async def test_what_nobody_decides_on_in_time_is_a_refusal_to_the_model_and_the_run_goes_on(worlds: Worlds) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    await world.later(86_401)
    assert (await world.decide(waiting.approvals[0].id)).fault is DecisionFault.EXPIRED
    assert await world.agent.recover.once()
    assert isinstance(await world.resume(), Answered)
    assert refund.calls == []
    assert [(one.kind, one.text) for one in world.told()] == [(ResultKind.DENIED, EXPIRED)]
    assert "call_expired" in [one["action"] for one in await world.audit()]


@pytest.mark.req("agent/R4", "agent/L4")
async def test_one_denied_and_one_approved_of_the_same_tool_are_not_swapped(worlds: Worlds) -> None:
    refund = Probe()
    batch = calls(*(call("refund_order", order_id=order) for order in "AB"))
    world = await worlds.make(batch, "Done.", tools=[refund])
    waiting = await world.held()
    first, second = waiting.approvals
    await world.decide(second.id)
    await world.decide(first.id, Decision.DENY, 'Not "this" one')
    assert isinstance(await world.resume(), Answered)
    assert [arguments["order_id"] for arguments, _ in refund.calls] == ["B"]
    assert [(one.call_id, one.kind) for one in world.told()] == [
        (batch.calls[0].id, ResultKind.DENIED),
        (batch.calls[1].id, ResultKind.OK),
    ]
    assert world.told()[0].text == (
        'A person decided that this must not be done. The reason given: "Not \\"this\\" one". '
        "Do not call it again unless you are asked anew."
    )


async def test_two_approved_calls_both_run_once_in_the_models_order(worlds: Worlds) -> None:
    refund = Probe()
    world = await worlds.make(calls(*(call("refund_order", order_id=one) for one in "AB")), "Done.", tools=[refund])
    await world.approve_all(await world.held())
    await world.resume()
    assert [arguments["order_id"] for arguments, _ in refund.calls] == ["A", "B"]
    assert await world.resume() is None
    assert len(refund.calls) == 2


@pytest.mark.req("agent/R3")
async def test_a_partial_decision_runs_nothing(worlds: Worlds) -> None:
    refund = Probe()
    world = await worlds.make(calls(*(call("refund_order", order_id=one) for one in "AB")), "Done.", tools=[refund])
    waiting = await world.held()
    assert not (await world.decide(waiting.approvals[0].id)).is_run_ready
    assert await world.resume() is None
    assert refund.calls == []
    assert (await world.decide(waiting.approvals[1].id)).is_run_ready


@pytest.mark.req("agent/R3", "threat/T25", "threat/T26", "input/B84", "input/B88")
async def test_a_decision_counts_once_and_its_repetition_says_the_same(worlds: Worlds) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    id_ = waiting.approvals[0].id
    decided = await asyncio.gather(*(world.decide(id_) for _ in range(5)), world.decide(id_, Decision.DENY))
    assert sum(one.is_run_ready for one in decided) == 1
    assert [one.fault for one in decided] == [*[None] * 5, DecisionFault.ALREADY_DECIDED]
    await world.resume()
    again = await world.decide(id_)
    assert (again.fault, again.is_run_ready) == (None, False)
    assert again.approval is not None
    assert (again.approval.decision, again.approval.approver) == (Decision.APPROVE, "boss")
    assert await world.resume() is None
    assert len(refund.calls) == 1
    assert len([one for one in await world.audit() if one["action"] == "call_decided"]) == 1


@pytest.mark.req("agent/R2", "threat/T26", "input/B87")
@pytest.mark.parametrize(
    ("who", "fault"),
    [
        (Decider("boss", "tenant-2", frozenset({"approver"})), DecisionFault.NOT_FOUND),
        (Decider("boss", "tenant-1", frozenset({"admin"})), DecisionFault.NOT_APPROVER),
        (Decider("user-1", "tenant-1", frozenset({"approver"})), DecisionFault.OWN_REQUEST),
    ],
)
async def test_not_everybody_may_decide(worlds: Worlds, who: Decider, fault: DecisionFault) -> None:
    world, waiting = await _held(worlds, Probe())
    decided = await world.decide(waiting.approvals[0].id, who=who)
    assert decided.fault is fault
    assert await world.resume() is None
    if fault is not DecisionFault.OWN_REQUEST:
        assert decided.approval is None


async def test_what_waits_is_shown_to_approvers_of_the_tenant_only(worlds: Worlds) -> None:
    world, waiting = await _held(worlds, Probe())
    assert await world.agent.decide.pending(APPROVER) == waiting.approvals
    assert await world.agent.decide.pending(replace(APPROVER, tenant_id="tenant-2")) == ()
    with pytest.raises(NotApproverError):
        await world.agent.decide.pending(replace(APPROVER, roles=frozenset({"admin"})))


@pytest.mark.req("agent/R2")
async def test_own_requests_may_be_decided_where_the_application_says_so(worlds: Worlds) -> None:
    world = await worlds.make(calls(call("refund_order", order_id="A")), "Ok.", tools=[Probe()], may_decide_own=True)
    waiting = await world.held()
    who = Decider("user-1", "tenant-1", frozenset({"approver"}))
    assert (await world.decide(waiting.approvals[0].id, who=who)).fault is None


@pytest.mark.req("agent/R4")
async def test_a_new_message_is_no_decision_and_changes_nothing(worlds: Worlds) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    for _ in range(2):  # while it waits, and while it is ready
        with pytest.raises(PendingApprovalError):
            await world.ask("Yes, approved!", conversation=waiting.conversation_id)
        await world.approve_all(waiting)
    assert refund.calls == []
    assert isinstance(await world.resume(), Answered)
    said = [one.text for one in world.turns.requests[-1].messages if isinstance(one, UserMessage)]
    assert said == ["Please."]


@pytest.mark.req("agent/R4")
@pytest.mark.parametrize("is_decided", [False, True])
async def test_a_run_that_was_taken_back_never_runs_and_the_conversation_goes_on(
    worlds: Worlds, is_decided: bool
) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    if is_decided:
        await world.approve_all(waiting)
    view = await world.agent.decide.withdraw(waiting.run_id, ACTOR)
    assert (view.state, view.approvals[0].state) == (RunState.WITHDRAWN, "WITHDRAWN")
    late = await world.decide(waiting.approvals[0].id)
    assert late.fault is (None if is_decided else DecisionFault.WITHDRAWN)
    assert not late.is_run_ready
    assert await world.resume() is None
    assert refund.calls == []
    assert isinstance(await world.ask(conversation=waiting.conversation_id), Answered)
    assert all(not hasattr(one, "calls") or not one.calls for one in world.turns.requests[-1].messages)
    with pytest.raises(NotWaitingError):
        await world.agent.decide.withdraw(waiting.run_id, ACTOR)


async def test_nobody_elses_run_can_be_taken_back_or_seen(worlds: Worlds) -> None:
    world, waiting = await _held(worlds, Probe())
    for other in (FakeActor("user-2"), FakeActor(tenant_id="tenant-2")):
        with pytest.raises(NotFoundError):
            await world.agent.decide.withdraw(waiting.run_id, other)
        with pytest.raises(NotFoundError):
            await world.store.run(waiting.run_id, other)
        with pytest.raises(NotFoundError):
            await world.ask(conversation=waiting.conversation_id, actor=other)


async def test_what_was_read_before_the_pause_is_in_the_history_after_it(worlds: Worlds) -> None:
    world = await worlds.make(
        calls(call("search_orders", order_id="A")),
        calls(call("refund_order", order_id="A")),
        "Done.",
        tools=[reader(), Probe()],
    )
    await world.approve_all(await world.held())
    await world.resume()
    kinds = [type(one).__name__ for one in world.turns.requests[-1].messages]
    assert kinds == ["UserMessage", "AssistantMessage", "ResultsMessage", "AssistantMessage", "ResultsMessage"]


async def test_a_stored_response_without_its_rows_runs_nothing(worlds: Worlds) -> None:
    refund = Probe()
    world, waiting = await _held(worlds, refund)
    await world.approve_all(waiting)
    turn = {"text": "", "calls": [{"id": "other", "name": "refund_order", "arguments": '{"order_id":"B"}'}]}
    await world.change("agent_run", turn=json.dumps({**turn, "provider": {}}))
    outcome = await world.resume()
    assert isinstance(outcome, Stopped)
    assert outcome.reason is StopReason.FAILED
    assert refund.calls == []


async def test_a_worker_that_is_cancelled_lets_its_run_end(worlds: Worlds) -> None:
    inside, go = asyncio.Event(), asyncio.Event()

    async def behave(_arguments: object, _context: object) -> str:
        inside.set()
        await go.wait()
        return "{}"

    refund = Probe(behave=behave)
    world, waiting = await _held(worlds, refund)
    await world.approve_all(waiting)
    worker = asyncio.create_task(world.agent.work())
    await inside.wait()
    worker.cancel()
    with pytest.raises(asyncio.CancelledError):
        await worker
    go.set()
    await world.agent.drain()
    assert (await world.store.run(waiting.run_id, ACTOR)).state is RunState.ANSWERED
