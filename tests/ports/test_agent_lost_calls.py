"""The port `RunStore`: calls whose outcome nobody knows: looked at, found out too late, or settled by a person."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from axhub.agent.domain.approval import Decider, Decision, DecisionFault
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallEvent, CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import CallResult, ResultKind
from axhub.agent.domain.settlement import Finding
from axhub.agent.ports.runs import LostLeaseError, Settled, Settlement
from support.agent_stores import (
    BOSS,
    LEASE,
    OWNER,
    STORES,
    Person,
    Stores,
    done,
    entry,
    held,
    new_call,
    new_run,
    opened,
    response,
    running,
    taken_over,
)

OTHER_BOSS = Decider("boss", "t2", BOSS.roles)
OWN_BOSS = Decider(OWNER.user_id, "t1", BOSS.roles)
NO_BOSS = Decider("u2", "t1", frozenset())


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def _unknown(stores: Stores, key: str = "t1:refund_order:ORD-1") -> str:
    """Let a call be lost; return its id."""
    _, call = await running(stores, key)
    await stores.pass_time(LEASE + 1)
    await taken_over(stores)
    return call.id


async def _settle(stores: Stores, call_id: str, finding: Finding = Finding.HAPPENED, by: Decider = BOSS) -> Settlement:
    return await stores.runs.settle_unknown(call_id, finding, by, may_decide_own=False)


async def _told(stores: Stores) -> list[tuple[str, str, str, str]]:
    """Return what the audit says of decisions: action, decision, who, outcome."""
    bodies = [json.loads(one.body) for one in await stores.entries()]
    return [(one["action"], one["decision"], one["approver"], one["outcome"]) for one in bodies if one["approver"]]


@pytest.mark.req("agent/L6")
async def test_looks_at_an_unknown_call_grow_apart_and_never_end(stores: Stores) -> None:
    await running(stores)
    await stores.pass_time(LEASE + 1)
    await taken_over(stores)
    assert len(await stores.runs.unknown(9)) == 1
    for pause in (10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 5120, 5120):
        await stores.pass_time(pause - 5)
        assert await stores.runs.unknown(9) == (), pause
        await stores.pass_time(5)
        assert len(await stores.runs.unknown(9)) == 1, pause


@pytest.mark.req("agent/L6", "agent/I3")
async def test_a_process_that_lost_its_run_audits_only_what_it_still_changes(stores: Stores) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    lost = await taken_over(stores)
    nothing = replace(lost.run.calls[0], result=CallResult("r0", "refund_order", ResultKind.ERROR, "No."))
    await stores.runs.resolve(nothing, CallEvent.FIND_NOTHING, entry(lost.run, call, action=AuditAction.CALL_ENDED))
    audit = [entry(run, call, action=AuditAction.CALL_ENDED, outcome="DONE")]
    with pytest.raises(LostLeaseError) as told:
        await stores.runs.settle(run, response([call]), [done(call)], Counters(), audit, LEASE)
    assert (told.value.run_id, told.value.late) == (run.id, (call.id,))
    actions = [json.loads(one.body)["action"] for one in await stores.entries()]
    assert actions == ["call_intended", "call_ended", "call_ended", "outcome_late"]
    (kept,) = (await stores.runs.run(run.id, OWNER)).results
    assert kept.text == "No."


@pytest.mark.req("agent/L6")
async def test_a_late_outcome_that_says_what_is_stored_is_no_contradiction(stores: Stores) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    lost = await taken_over(stores)
    found = replace(lost.run.calls[0], result=CallResult("r0", "refund_order", ResultKind.OK, "{}"))
    await stores.runs.resolve(found, CallEvent.FIND_DONE, entry(lost.run, call, action=AuditAction.CALL_ENDED))
    with pytest.raises(LostLeaseError) as told:
        await stores.runs.settle(run, response([call]), [done(call)], Counters(), [], LEASE)
    assert told.value.late == ()


@pytest.mark.req("agent/L6", "agent/I3")
async def test_what_a_process_that_lost_its_run_says_of_a_read_is_told_as_late(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    call = new_call(CallState.RUNNING)
    refused = new_call(CallState.PROPOSED, position=1)
    await stores.pass_time(LEASE + 1)
    await taken_over(stores)
    audit = [
        entry(begun.run, call),
        entry(begun.run, call, action=AuditAction.CALL_ENDED, outcome="DONE"),
        entry(begun.run, refused, action=AuditAction.CALL_REJECTED),
    ]
    settled = [done(call), Settled(replace(refused, state=CallState.FAILED), CallEvent.REFUSE)]
    with pytest.raises(LostLeaseError) as told:
        await stores.runs.settle(begun.run, response([call, refused]), settled, Counters(), audit, LEASE)
    assert told.value.late == (), "no write of it ran"
    assert [json.loads(one.body)["action"] for one in await stores.entries()] == ["call_intended", "outcome_late"]


@pytest.mark.req("agent/L6")
async def test_what_is_found_out_while_a_response_is_settled_stays(stores: Stores) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    lost = await taken_over(stores)
    found = replace(lost.run.calls[0], result=CallResult("r0", "refund_order", ResultKind.OK, '{"refunded":true}'))
    unknown = replace(lost.run.calls[0], result=CallResult("r0", "refund_order", ResultKind.UNKNOWN, "?"))
    await stores.runs.resolve(found, CallEvent.FIND_DONE, entry(run, call, action=AuditAction.CALL_ENDED))
    await stores.runs.settle(lost.run, response([call]), [Settled(unknown, None)], Counters(), [], LEASE)
    (kept,) = (await stores.runs.run(run.id, OWNER)).results
    assert (kept.kind, kept.text) == (ResultKind.OK, '{"refunded":true}')


@pytest.mark.req("agent/L6", "agent/I3")
@pytest.mark.parametrize(
    ("finding", "state", "kind"),
    [(Finding.HAPPENED, CallState.DONE, ResultKind.OK), (Finding.DID_NOT_HAPPEN, CallState.FAILED, ResultKind.ERROR)],
)
async def test_a_person_settles_an_unknown_call_once_and_its_key_is_free(
    stores: Stores, finding: Finding, state: CallState, kind: ResultKind
) -> None:
    call_id = await _unknown(stores)
    (shown,) = await stores.runs.doubtful("t1", 9)
    assert (shown.id, shown.tool, shown.arguments, shown.requester) == (
        call_id,
        "refund_order",
        {"order_id": "ORD-1"},
        "u1",
    )
    settled = await _settle(stores, call_id, finding)
    assert settled.fault is None
    assert settled.call is not None
    assert settled.call.state is state
    assert await _settle(stores, call_id, finding) == settled, "the same again gets the first outcome"
    other = Finding.HAPPENED if finding is Finding.DID_NOT_HAPPEN else Finding.DID_NOT_HAPPEN
    assert await _settle(stores, call_id, other) == Settlement(DecisionFault.ALREADY_DECIDED, None)
    assert await stores.runs.doubtful("t1", 9) == ()
    assert await _told(stores) == [("call_settled", finding.value, "boss", state.value)]
    (result,) = (await stores.runs.run(shown.run_id, OWNER)).results
    assert result.kind is kind
    await running(stores)


@pytest.mark.req("agent/L6", "agent/R2")
@pytest.mark.parametrize(
    ("who", "fault", "is_audited"),
    [
        (OTHER_BOSS, DecisionFault.NOT_FOUND, False),
        (NO_BOSS, DecisionFault.NOT_APPROVER, True),
        (OWN_BOSS, DecisionFault.OWN_REQUEST, True),
    ],
)
async def test_who_may_not_settles_nothing_and_who_tried_stands_in_the_audit(
    stores: Stores, who: Decider, fault: DecisionFault, is_audited: bool
) -> None:
    call_id = await _unknown(stores)
    assert await _settle(stores, call_id, by=who) == Settlement(fault, None)
    assert len(await stores.runs.doubtful("t1", 9)) == 1
    refused = [("decision_refused", "happened", who.user_id, fault.value)] if is_audited else []
    assert await _told(stores) == refused


@pytest.mark.req("agent/L6")
async def test_only_a_call_whose_outcome_is_unknown_is_settled(stores: Stores) -> None:
    _, (waiting,) = await held(stores)
    _, run = await running(stores)
    for id_ in (waiting.id, run.id, "nowhere", "nul\0", "half\ud83d"):
        assert await _settle(stores, id_) == Settlement(DecisionFault.NOT_FOUND, None)
    assert await stores.runs.doubtful("t1", 9) == ()


@pytest.mark.req("agent/L6")
async def test_calls_of_unknown_outcome_are_listed_by_tenant_oldest_first_and_bounded(stores: Stores) -> None:
    ids = [await _unknown(stores, f"k{number}") for number in range(3)]
    begun = await stores.runs.begin(new_run(actor=Person("u1", "t2")))
    call = new_call(CallState.RUNNING, key="other")
    await stores.runs.intend(begun.run, response([call]), [call], Counters(), [entry(begun.run, call)], LEASE)
    await stores.pass_time(LEASE + 1)
    while await stores.runs.take_over(LEASE) is not None:
        pass
    assert [one.id for one in await stores.runs.doubtful("t2", 9)] == [call.id]
    assert {one.id for one in await stores.runs.doubtful("t1", 9)} == set(ids)
    assert len(await stores.runs.doubtful("t1", 2)) == 2


@pytest.mark.req("agent/R2", "agent/I3")
@pytest.mark.parametrize(
    ("who", "fault"),
    [(NO_BOSS, DecisionFault.NOT_APPROVER), (OWN_BOSS, DecisionFault.OWN_REQUEST), (OTHER_BOSS, None)],
)
async def test_who_tried_to_decide_without_being_allowed_to_stands_in_the_audit(
    stores: Stores, who: Decider, fault: DecisionFault | None
) -> None:
    _, (view,) = await held(stores)
    await stores.runs.decide(view.id, Decision.APPROVE, "", who, may_decide_own=False)
    refused = [] if fault is None else [("decision_refused", "approve", who.user_id, fault.value)]
    assert await _told(stores) == refused, "nothing of another tenant's stands here"
    assert (await stores.runs.decide(view.id, Decision.APPROVE, "", BOSS, may_decide_own=False)).fault is None
