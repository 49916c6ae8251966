"""The port `RunStore`: what every store promises about conversations, runs and the calls of a process that may die."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from axhub.agent.domain.approval import Decider, Decision, DecisionFault
from axhub.agent.domain.audit import verify
from axhub.agent.domain.calls import CallEvent, CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import (
    AssistantMessage,
    CallResult,
    ResultKind,
    ResultsMessage,
    UserMessage,
)
from axhub.agent.domain.records import CallRecord
from axhub.agent.domain.runs import RunState
from axhub.agent.ports.runs import (
    Busy,
    Decided,
    Lost,
    LostLeaseError,
    NotFoundError,
    PendingApprovalError,
    RunInProgressError,
    Settled,
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
    done,
    doubtful,
    entry,
    held,
    new_call,
    new_run,
    opened,
    response,
    running,
    taken_over,
)

STRANGERS = [Person("u2", "t1"), Person("u1", "t2")]


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def _decide(
    stores: Stores, approval_id: str, decision: Decision = Decision.APPROVE, by: Decider = BOSS
) -> Decided:
    return await stores.runs.decide(approval_id, decision, "because", by, may_decide_own=False)


async def test_a_new_run_begins_with_the_message_of_the_person(stores: Stores) -> None:
    new = new_run()
    begun = await stores.runs.begin(new)
    assert begun.history == (UserMessage("Refund it."),)
    assert (begun.run.id, begun.run.conversation_id, begun.run.actor) == (new.id, new.conversation_id, OWNER)
    view = await stores.runs.run(new.id, OWNER)
    assert (view.state, view.answer, view.reason) == (RunState.RUNNING, "", None)


async def test_the_next_run_of_a_conversation_gets_what_was_said_and_called(stores: Stores) -> None:
    first = await stores.runs.begin(new_run())
    call = new_call(CallState.PROPOSED)
    run = await stores.runs.settle(first.run, response([call]), [done(call)], Counters(), (), LEASE)
    await stores.runs.end(run, "It is done.", None, ())
    again = await stores.runs.begin(new_run(run.conversation_id, message="Thanks."))
    assert again.history == (
        UserMessage("Refund it."),
        response([call]),
        ResultsMessage((CallResult("r0", "refund_order", ResultKind.OK, '{"status":"REFUNDED"}'),)),
        AssistantMessage("It is done."),
        UserMessage("Thanks."),
    )
    talk = await stores.runs.conversation(run.conversation_id, OWNER)
    assert talk.messages == (("user", "Refund it."), ("assistant", "It is done."), ("user", "Thanks."))


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_nothing_is_shown_or_given_to_others(stores: Stores, stranger: Person) -> None:
    begun, _ = await held(stores)
    run, talk = begun.run.id, begun.run.conversation_id
    with pytest.raises(NotFoundError):
        await stores.runs.begin(new_run(talk, actor=stranger))
    with pytest.raises(NotFoundError):
        await stores.runs.run(run, stranger)
    with pytest.raises(NotFoundError):
        await stores.runs.conversation(talk, stranger)
    with pytest.raises(NotFoundError):
        await stores.runs.withdraw(run, stranger)
    assert (await stores.runs.run(run, OWNER)).state is RunState.WAITING


@pytest.mark.req("agent/R4")
async def test_a_conversation_takes_no_message_while_it_works_or_waits(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    talk = begun.run.conversation_id
    with pytest.raises(RunInProgressError):
        await stores.runs.begin(new_run(talk))
    calls = [new_call(CallState.WAITING)]
    views = await stores.runs.hold(begun.run, response(calls), calls, Counters(), (), 60, ANY_NUMBER)
    with pytest.raises(PendingApprovalError):
        await stores.runs.begin(new_run(talk))
    await _decide(stores, views[0].id)
    with pytest.raises(PendingApprovalError):
        await stores.runs.begin(new_run(talk))


async def test_of_many_messages_at_once_one_begins_a_run(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    await stores.runs.end(begun.run, "Hello.", None, ())
    tried = [stores.runs.begin(new_run(begun.run.conversation_id)) for _ in range(8)]
    came = await asyncio.gather(*tried, return_exceptions=True)
    assert sorted(type(one).__name__ for one in came) == ["Begun", *["RunInProgressError"] * 7]


@pytest.mark.req("agent/I1")
async def test_a_key_that_has_not_ended_is_busy_until_it_has(stores: Stores) -> None:
    run, call = await running(stores)
    other = (await stores.runs.begin(new_run())).run
    same, read = new_call(CallState.RUNNING, key=call.key), new_call(CallState.RUNNING, position=1)
    kept, busy = await stores.runs.intend(other, response([same, read]), [same, read], Counters(), (), LEASE)
    assert busy == (Busy(same.id),)
    await stores.runs.settle(run, response([call]), [done(call)], Counters(), (), LEASE)
    refused = Settled(replace(same, state=CallState.FAILED), CallEvent.REFUSE)
    await stores.runs.settle(kept, response([same, read]), [refused, done(read)], Counters(), (), LEASE)
    await running(stores)


@pytest.mark.req("agent/I1")
async def test_of_two_calls_with_one_key_in_one_response_the_first_runs(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    calls = [new_call(CallState.RUNNING, position=position, key="k") for position in range(2)]
    _, busy = await stores.runs.intend(begun.run, response(calls), calls, Counters(), (), LEASE)
    assert busy == (Busy(calls[1].id),)


@pytest.mark.req("agent/I1")
async def test_of_many_intents_with_one_key_at_once_one_runs(stores: Stores) -> None:
    runs = [(await stores.runs.begin(new_run())).run for _ in range(6)]

    async def intend(number: int) -> int:
        call = new_call(CallState.RUNNING, key="k")
        found = await stores.runs.intend(runs[number], response([call]), [call], Counters(), (), LEASE)
        return len(found[1])

    assert sorted(await asyncio.gather(*map(intend, range(6)))) == [0, 1, 1, 1, 1, 1]


@pytest.mark.req("agent/I2")
async def test_a_run_whose_process_died_is_taken_over_once_and_its_call_is_unknown(stores: Stores) -> None:
    run, call = await running(stores)
    assert await stores.runs.take_over(LEASE) is None
    await stores.pass_time(LEASE + 1)
    came = [one for one in await asyncio.gather(*(stores.runs.take_over(LEASE) for _ in range(5))) if one is not None]
    assert len(came) == 1
    lost = came[0]
    assert isinstance(lost, Lost)
    assert (lost.run.id, lost.run.attempts, lost.run.turn) == (run.id, 1, response([call]))
    assert lost.run.calls == (replace(call, state=CallState.UNKNOWN, reference=call.id),)
    last = (await stores.entries())[-1].body
    assert '"action":"call_ended"' in last
    assert '"outcome":"UNKNOWN"' in last


@pytest.mark.req("agent/I2")
async def test_the_process_that_lost_a_run_changes_nothing_of_it_but_the_outcome_is_kept(stores: Stores) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    lost = await taken_over(stores)
    with pytest.raises(LostLeaseError):
        await stores.runs.end(run, "Done.", None, ())
    with pytest.raises(LostLeaseError):
        await stores.runs.intend(run, response([call]), [call], Counters(), (), LEASE)
    with pytest.raises(LostLeaseError):
        await stores.runs.settle(run, response([call]), [done(call)], Counters(), [entry(run, call)], LEASE)
    view = await stores.runs.run(run.id, OWNER)
    assert view.state is RunState.RUNNING
    assert [one.kind for one in view.results] == [ResultKind.OK]
    await stores.runs.give_back(lost.run)
    begun = await claimed(stores)
    assert begun.history == (UserMessage("Refund it."),)
    assert [one.state for one in begun.run.calls] == [CallState.DONE]
    assert list(verify(await stores.entries(), await stores.trail.heads())) == []


async def test_an_outcome_that_was_looked_up_is_not_overwritten_by_the_process_that_lost_the_run(
    stores: Stores,
) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    lost = await taken_over(stores)
    found = replace(lost.run.calls[0], result=CallResult("r0", "refund_order", ResultKind.OK, '"found"'))
    await stores.runs.resolve(found, CallEvent.FIND_DONE, entry(run, call))
    with pytest.raises(LostLeaseError):
        await stores.runs.settle(run, response([call]), [done(call, '"late"')], Counters(), (), LEASE)
    assert [one.text for one in (await stores.runs.run(run.id, OWNER)).results] == ['"found"']


async def test_a_renewed_lease_keeps_a_run(stores: Stores) -> None:
    run, _ = await running(stores)
    await stores.pass_time(LEASE - 1)
    assert await stores.runs.renew(run, LEASE)
    await stores.pass_time(2)
    assert await stores.runs.take_over(LEASE) is None


@pytest.mark.req("agent/I2")
async def test_the_process_that_lost_a_run_does_not_keep_it_from_the_next_one(stores: Stores) -> None:
    slow, _ = await running(stores)
    await stores.pass_time(LEASE + 1)
    await taken_over(stores)  # by a process that dies at once
    for _ in range(3):
        await stores.pass_time(LEASE / 2)
        assert not await stores.runs.renew(slow, LEASE)
    assert (await taken_over(stores)).run.attempts == 2


@pytest.mark.req("agent/I2")
async def test_a_lease_is_that_of_the_last_taker_whatever_it_has_stored_meanwhile(stores: Stores) -> None:
    slow, _ = await running(stores)
    await stores.pass_time(LEASE + 1)
    first = (await taken_over(stores)).run
    assert await stores.runs.renew(first, LEASE)
    await stores.runs.give_back(first)
    assert not await stores.runs.renew(first, LEASE)
    begun = (await claimed(stores)).run
    call = new_call(CallState.RUNNING, turn=2)
    await stores.runs.intend(begun, response([call]), [call], Counters(), (), LEASE)
    assert await stores.runs.renew(begun, LEASE)
    assert not await stores.runs.renew(slow, LEASE)


async def test_the_lease_of_a_run_that_nobody_works_on_is_not_renewed(stores: Stores) -> None:
    begun, _ = await held(stores)
    assert not await stores.runs.renew(begun.run, LEASE)
    await stores.pass_time(LEASE + 1)
    assert await stores.runs.take_over(LEASE) is None


@pytest.mark.req("agent/I2")
async def test_unknown_calls_are_looked_at_in_turn_and_block_their_key_until_they_are_resolved(stores: Stores) -> None:
    pairs = [await running(stores, f"k{number}") for number in range(3)]
    await stores.pass_time(LEASE + 1)
    while await stores.runs.take_over(LEASE) is not None:
        pass
    first = {one.call.id for one in await doubtful(stores, 2)}
    await stores.pass_time(1)
    second = [one.call.id for one in await doubtful(stores, 2)]
    assert len(second) == 1, "the others were looked at a moment ago"
    assert {*first, *second} == {call.id for _, call in pairs}
    await stores.pass_time(11)
    (lost,) = [one for one in await doubtful(stores) if one.call.key == "k0"]
    assert (lost.run.actor, lost.run.id) == (OWNER, pairs[0][0].id)
    known = replace(lost.call, result=CallResult("r0", "refund_order", ResultKind.ERROR, "It did not happen."))
    for _ in range(2):
        await stores.runs.resolve(known, CallEvent.FIND_NOTHING, entry(lost.run, lost.call, outcome="found_nothing"))
    assert len([one for one in await stores.entries() if "found_nothing" in one.body]) == 1
    await stores.pass_time(60)
    assert len(await stores.runs.unknown(9)) == 2
    await running(stores, "k0")


async def test_texts_that_a_database_does_not_like_are_stored(stores: Stores) -> None:
    odd = "nul \0 half \ud83d 한글 😀 ' ; --"
    begun = await stores.runs.begin(new_run(message=odd))
    calls = [replace(new_call(CallState.WAITING), request_id="\0")]
    (view,) = await stores.runs.hold(begun.run, AssistantMessage(odd), calls, Counters(), (), 60, ANY_NUMBER)
    await stores.runs.decide(view.id, Decision.APPROVE, odd, BOSS, may_decide_own=False)
    again = await claimed(stores)
    assert again.run.calls[0].request_id == "\0"
    await stores.runs.end(again.run, odd, None, ())
    assert "한글 😀 ' ; --" in (await stores.runs.run(begun.run.id, OWNER)).answer


@pytest.mark.req("agent/L4")
async def test_the_history_has_an_end_and_begins_with_a_person(stores: Stores) -> None:
    talk: str | None = None
    for number in range(120):
        begun = await stores.runs.begin(new_run(talk, message=f"{number}"))
        talk = begun.run.conversation_id
        await stores.runs.end(begun.run, "yes", None, ())
    begun = await stores.runs.begin(new_run(talk, message="last"))
    assert len(begun.history) == 201
    assert begun.history[0] == UserMessage("20")
    assert begun.history[-1] == UserMessage("last")


@pytest.mark.req("agent/L4")
async def test_a_run_that_is_longer_than_a_history_still_begins_with_what_was_asked(stores: Stores) -> None:
    run = (await stores.runs.begin(new_run())).run
    for turn in range(1, 105):
        call = new_call(CallState.PROPOSED, turn=turn)
        run = await stores.runs.settle(run, response([call]), [done(call)], Counters(), (), LEASE)
    last: list[CallRecord] = [new_call(CallState.WAITING, turn=105)]
    (view,) = await stores.runs.hold(run, response(last), last, Counters(), (), 60, ANY_NUMBER)
    await _decide(stores, view.id)
    again = await claimed(stores)
    assert again.history[0] == UserMessage("Refund it.")
    assert len(again.history) == 201
    assert [one.id for one in again.run.calls] == [last[0].id]


ODD = ["\ud83d", "nul \0"]


@pytest.mark.parametrize("odd", ODD)
async def test_what_no_row_can_be_named_is_not_found(stores: Stores, odd: str) -> None:
    begun, _ = await held(stores)
    asked = [
        stores.runs.begin(new_run(odd)),
        stores.runs.run(odd, OWNER),
        stores.runs.withdraw(odd, OWNER),
        stores.runs.conversation(odd, OWNER),
        stores.runs.full_result(odd, OWNER),
        stores.runs.run(begun.run.id, Person(odd, "t1")),
        stores.runs.conversation(begun.run.conversation_id, Person("u1", odd)),
    ]
    for one in asked:
        with pytest.raises(NotFoundError):
            await one
    assert await _decide(stores, odd) == Decided(DecisionFault.NOT_FOUND, None)
    assert await stores.runs.approvals(odd, 9) == ()


@pytest.mark.parametrize("odd", ODD)
async def test_odd_texts_of_a_run_and_of_results_are_stored_and_read(stores: Stores, odd: str) -> None:
    new = replace(new_run(message=odd), agent=odd, trace_id=odd, policy_version=odd)
    begun = await stores.runs.begin(new)
    call = new_call(CallState.PROPOSED)
    run = await stores.runs.settle(begun.run, response([call]), [done(call, odd)], Counters(), (), LEASE)
    await stores.runs.end(run, odd, None, ())
    view = await stores.runs.run(run.id, OWNER)
    assert len(view.answer) == len(view.results[0].text) == len(odd)
    talk = await stores.runs.conversation(run.conversation_id, OWNER)
    assert [len(text) for _, text in talk.messages] == [len(odd)] * 2
