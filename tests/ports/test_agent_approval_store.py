"""The port `RunStore`: what every store promises about calls that wait for a person, and about decisions."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from axhub.agent.domain.approval import Decider, Decision, DecisionFault
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import (
    CallResult,
    ResultKind,
    Usage,
    UserMessage,
)
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.ports.runs import (
    Decided,
    LostLeaseError,
    NotWaitingError,
    Settled,
    TooManyPendingError,
)
from support.agent_stores import (
    ANY_NUMBER,
    BOSS,
    LEASE,
    OWNER,
    STORES,
    Person,
    Stores,
    claimed,
    entry,
    held,
    new_call,
    new_run,
    opened,
    proposals,
    response,
)


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def _decide(
    stores: Stores, approval_id: str, decision: Decision = Decision.APPROVE, by: Decider = BOSS
) -> Decided:
    return await stores.runs.decide(approval_id, decision, "because", by, may_decide_own=False)


@pytest.mark.req("agent/R1")
async def test_a_waiting_run_is_stored_whole_and_can_go_on_anywhere(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    counters = Counters(model_turns=1, calls={"refund_order": 1}, same={"x": 1}, usage=Usage(5, 7), worked_seconds=0.5)
    asked, other = new_call(CallState.WAITING), new_call(CallState.PROPOSED, position=1)
    message = replace(response([asked, other]), text="One moment.", provider={"signature": "s"})
    told = proposals(begun.run, [asked, other])
    run = replace(begun.run, policy_version="8", approval_policy_version="a1")
    (view,) = await stores.runs.hold(run, message, [asked, other], counters, told, 60, ANY_NUMBER)
    assert (view.id, view.tool, view.arguments, view.sha256) == (
        asked.id,
        "refund_order",
        {"order_id": "ORD-1"},
        "5" * 64,
    )
    assert (view.requester, view.state, view.decision) == ("u1", CallState.WAITING, None)
    assert await stores.runs.approvals("t1", 10) == (view,)
    assert await stores.runs.approvals("t2", 10) == ()
    assert await stores.runs.claim_ready(LEASE) is None
    decided = await _decide(stores, view.id)
    assert (decided.fault, decided.is_run_ready) == (None, True)
    again = await claimed(stores)
    run = again.run
    assert (run.turn, run.counters, run.offered, run.actor) == (message, counters, begun.run.offered, OWNER)
    assert (run.agent, run.policy_version, run.trace_id) == ("support", "8", "trace")
    assert run.approval_policy_version == "a1"
    assert run.calls == (
        replace(asked, state=CallState.APPROVED, comment="because", proposed_sha256="5" * 64),
        replace(other, proposed_sha256="5" * 64),
    )
    assert again.history == (UserMessage("Refund it."),)
    assert await stores.runs.claim_ready(LEASE) is None


@pytest.mark.req("agent/R3")
async def test_a_partial_decision_lets_nothing_run(stores: Stores) -> None:
    _, (first, second) = await held(stores, 2)
    assert not (await _decide(stores, first.id)).is_run_ready
    assert await stores.runs.claim_ready(LEASE) is None
    assert [one.id for one in await stores.runs.approvals("t1", 10)] == [second.id]
    assert (await _decide(stores, second.id, Decision.DENY)).is_run_ready
    begun = await claimed(stores)
    assert [(one.state, one.comment) for one in begun.run.calls] == [
        (CallState.APPROVED, "because"),
        (CallState.DENIED, "because"),
    ]


@pytest.mark.req("agent/R3")
async def test_a_decision_counts_once(stores: Stores) -> None:
    _, (view,) = await held(stores)
    first = await _decide(stores, view.id, Decision.DENY)
    again = await _decide(stores, view.id, Decision.DENY, replace(BOSS, user_id="other"))
    assert again == replace(first, is_run_ready=False)
    assert again.approval is not None
    assert again.approval.approver == "boss"
    other = await _decide(stores, view.id, Decision.APPROVE)
    assert other.fault is DecisionFault.ALREADY_DECIDED
    decided = [one for one in await stores.entries() if '"call_decided"' in one.body]
    assert len(decided) == 1


@pytest.mark.req("agent/R3")
async def test_of_many_decisions_at_once_one_counts(stores: Stores) -> None:
    _, (view,) = await held(stores)
    tried = [_decide(stores, view.id, decision) for decision in [Decision.APPROVE, Decision.DENY] * 5]
    came = await asyncio.gather(*tried)
    assert [one.is_run_ready for one in came].count(True) == 1
    assert {one.fault for one in came} == {None, DecisionFault.ALREADY_DECIDED}
    assert [one.fault for one in came].count(None) == 5


@pytest.mark.parametrize(
    ("decider", "fault", "is_shown"),
    [
        (Decider("boss", "t2", frozenset({"approver"})), DecisionFault.NOT_FOUND, False),
        (Decider("boss", "t1", frozenset()), DecisionFault.NOT_APPROVER, False),
        (Decider("u1", "t1", frozenset({"approver"})), DecisionFault.OWN_REQUEST, True),
    ],
)
async def test_who_may_not_decide_changes_nothing(
    stores: Stores, decider: Decider, fault: DecisionFault, is_shown: bool
) -> None:
    begun, (view,) = await held(stores)
    decided = await _decide(stores, view.id, by=decider)
    assert (decided.fault, decided.approval) == (fault, view if is_shown else None)
    assert (await stores.runs.run(begun.run.id, OWNER)).approvals == (view,)


async def test_an_approval_that_is_nowhere_is_not_found(stores: Stores) -> None:
    assert await _decide(stores, "nowhere") == Decided(DecisionFault.NOT_FOUND, None)


@pytest.mark.req("agent/R2", "agent/R4")
async def test_what_nobody_decided_in_time_expires_and_the_run_goes_on(stores: Stores) -> None:
    _, (view,) = await held(stores, seconds=60)
    assert await stores.runs.expire() == 0
    await stores.pass_time(61)
    late = await _decide(stores, view.id)
    assert late.fault is DecisionFault.EXPIRED
    assert await stores.runs.expire() == 1
    assert await stores.runs.approvals("t1", 10) == ()
    assert (await _decide(stores, view.id)).fault is DecisionFault.EXPIRED
    begun = await claimed(stores)
    assert [one.state for one in begun.run.calls] == [CallState.EXPIRED]
    assert AuditAction.CALL_EXPIRED in (await stores.entries())[-1].body


@pytest.mark.req("agent/R2")
async def test_an_approval_that_is_too_old_when_the_run_goes_on_has_expired(stores: Stores) -> None:
    _, (view,) = await held(stores, seconds=60)
    await _decide(stores, view.id)
    await stores.pass_time(61)
    begun = await claimed(stores)
    assert [one.state for one in begun.run.calls] == [CallState.EXPIRED]
    assert AuditAction.CALL_EXPIRED in (await stores.entries())[-1].body


@pytest.mark.req("agent/R4")
async def test_a_withdrawn_run_runs_nothing_and_frees_its_conversation(stores: Stores) -> None:
    begun, (first, second) = await held(stores, 2)
    await _decide(stores, first.id)
    view = await stores.runs.withdraw(begun.run.id, OWNER)
    assert view.state is RunState.WITHDRAWN
    assert [one.state for one in view.approvals] == [CallState.WITHDRAWN] * 2
    assert (await _decide(stores, second.id)).fault is DecisionFault.WITHDRAWN
    assert await stores.runs.claim_ready(LEASE) is None
    assert await stores.runs.approvals("t1", 10) == ()
    assert await stores.runs.expire() == 0
    with pytest.raises(NotWaitingError):
        await stores.runs.withdraw(begun.run.id, OWNER)
    await stores.runs.begin(new_run(begun.run.conversation_id))


@pytest.mark.req("agent/R3")
async def test_of_many_processes_one_gets_a_ready_run(stores: Stores) -> None:
    _, (view,) = await held(stores)
    await _decide(stores, view.id)
    came = await asyncio.gather(*(stores.runs.claim_ready(LEASE) for _ in range(8)))
    assert [one is not None for one in came].count(True) == 1


@pytest.mark.parametrize("known", [CallState.DENIED, CallState.APPROVED], ids=["as stored", "stale"])
async def test_a_call_that_had_its_result_keeps_its_state_when_its_response_is_settled(
    stores: Stores, known: CallState
) -> None:
    begun, (view,) = await held(stores)
    await _decide(stores, view.id, Decision.DENY)
    again = await claimed(stores)
    (call,) = again.run.calls
    told = CallResult("r0", "refund_order", ResultKind.DENIED, "A person refused it.")
    settled = replace(call, state=known, result=told)
    await stores.runs.settle(again.run, response([call]), [Settled(settled, None)], Counters(), (), LEASE)
    shown = await stores.runs.run(begun.run.id, OWNER)
    assert [one.state for one in shown.approvals] == [CallState.DENIED]
    assert shown.results == ((told,) if known is CallState.DENIED else ())


@pytest.mark.req("agent/L2")
async def test_a_run_that_stops_keeps_its_results_and_gives_up_what_has_not_run(stores: Stores) -> None:
    _, (view, other) = await held(stores, 2)
    await _decide(stores, view.id)
    await _decide(stores, other.id)
    begun = await claimed(stores)
    await stores.runs.end(begun.run, None, StopReason.INTERRUPTED, [entry(begun.run, outcome="interrupted")])
    shown = await stores.runs.run(begun.run.id, OWNER)
    assert (shown.state, shown.reason, shown.answer) == (RunState.STOPPED, StopReason.INTERRUPTED, "")
    assert [one.state for one in shown.approvals] == [CallState.FAILED] * 2
    assert (await stores.runs.conversation(begun.run.conversation_id, OWNER)).messages == (("user", "Refund it."),)
    with pytest.raises(LostLeaseError):
        await stores.runs.end(begun.run, "Again.", None, ())


@pytest.mark.req("threat/T30")
async def test_more_calls_of_one_person_than_may_wait_do_not_and_nothing_of_them_is_stored(stores: Stores) -> None:
    await held(stores, 2, most=3)
    begun = await stores.runs.begin(new_run())
    calls = [new_call(CallState.WAITING, position=position) for position in range(2)]
    with pytest.raises(TooManyPendingError):
        await stores.runs.hold(
            begun.run, response(calls), calls, Counters(model_turns=1), [entry(begun.run, reference="mine")], 60, 3
        )
    assert len(await stores.runs.approvals("t1", 10)) == 2
    view = await stores.runs.run(begun.run.id, OWNER)
    assert (view.state, view.approvals) == (RunState.RUNNING, ())
    assert [one for one in await stores.entries() if "mine" in one.body] == []
    one = [new_call(CallState.WAITING), new_call(CallState.PROPOSED, position=1)]
    await stores.runs.hold(begun.run, response(one), one, Counters(), (), 60, 3)
    assert len(await stores.runs.approvals("t1", 10)) == 3


@pytest.mark.req("threat/T30")
async def test_what_others_wait_for_or_what_waits_no_more_does_not_count(stores: Stores) -> None:
    await held(stores, 3, actor=Person("u2", "t1"))
    await held(stores, 3, actor=Person("u1", "t2"))
    _, (decided, _) = await held(stores, 2, most=2)
    withdrawn, _ = await held(stores, most=3)
    with pytest.raises(TooManyPendingError):
        await held(stores, most=3)
    await _decide(stores, decided.id, Decision.DENY)
    await stores.runs.withdraw(withdrawn.run.id, OWNER)
    await held(stores, 2, most=3)
    with pytest.raises(TooManyPendingError):
        await held(stores, most=3)
    await stores.pass_time(61)
    await held(stores, 3, most=3)


@pytest.mark.req("threat/T30")
async def test_runs_of_one_person_at_the_same_moment_do_not_pass_the_bound_together(stores: Stores) -> None:
    came = await asyncio.gather(*(held(stores, 2, most=5) for _ in range(8)), return_exceptions=True)
    assert sorted(type(one).__name__ for one in came) == [*["TooManyPendingError"] * 6, *["tuple"] * 2]
    assert len(await stores.runs.approvals("t1", 99)) == 4


@pytest.mark.req("threat/T30")
async def test_who_lost_a_run_is_told_that_first(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    await stores.runs.end(begun.run, "Done.", None, ())
    calls = [new_call(CallState.WAITING)]
    with pytest.raises(LostLeaseError):
        await stores.runs.hold(begun.run, response(calls), calls, Counters(), (), 60, 0)
