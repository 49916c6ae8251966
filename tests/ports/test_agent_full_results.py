"""The port `RunStore`: wholes of results that were cut, for the actor whose run it was and for nobody else (AG-P27)."""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from axhub.agent.domain.calls import CallEvent, CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import CallResult, ResultKind
from axhub.agent.domain.records import CallRecord
from axhub.agent.domain.results import FullResult
from axhub.agent.ports.runs import LostLeaseError, NotFoundError, Settled
from support.agent_stores import (
    LEASE,
    OWNER,
    STORES,
    Person,
    Stores,
    doubtful,
    entry,
    new_call,
    new_run,
    opened,
    response,
    running,
    taken_over,
)

pytestmark = pytest.mark.req("agent/L7")

LONG = "환불 \0 😀" * 100_000


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


def _full(call: CallRecord, text: str | None = LONG) -> FullResult:
    encoded = LONG.encode()
    return FullResult(call.id, len(encoded), hashlib.sha256(encoded).hexdigest(), text)


def _cut(call: CallRecord, text: str | None = LONG) -> Settled:
    result = CallResult(call.request_id, call.tool, ResultKind.OK, "환불 [cut]", call.id)
    return Settled(replace(call, state=CallState.DONE, result=result), CallEvent.SUCCEED, _full(call, text))


async def _is_kept(stores: Stores, full_id: str) -> bool:
    try:
        await stores.runs.full_result(full_id, OWNER)
    except NotFoundError:
        return False
    return True


@pytest.mark.parametrize("text", [LONG, None])
async def test_the_whole_is_read_by_the_reference_that_stands_in_the_result(stores: Stores, text: str | None) -> None:
    begun = await stores.runs.begin(new_run())
    call = new_call(CallState.PROPOSED)
    run = await stores.runs.settle(begun.run, response([call]), [_cut(call, text)], Counters(), (), LEASE)
    (result,) = (await stores.runs.run(run.id, OWNER)).results
    assert result.text == "환불 [cut]"
    assert await stores.runs.full_result(result.full_id, OWNER) == _full(call, text)


@pytest.mark.parametrize("stranger", [Person("u2", "t1"), Person("u1", "t2")])
async def test_nobody_else_reads_it(stores: Stores, stranger: Person) -> None:
    begun = await stores.runs.begin(new_run())
    call = new_call(CallState.PROPOSED)
    await stores.runs.settle(begun.run, response([call]), [_cut(call)], Counters(), (), LEASE)
    with pytest.raises(NotFoundError):
        await stores.runs.full_result(call.id, stranger)
    with pytest.raises(NotFoundError):
        await stores.runs.full_result("nowhere", OWNER)


async def test_of_a_result_that_was_not_cut_nothing_is_kept_beside(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    calls = [new_call(CallState.PROPOSED, position=position) for position in range(2)]
    settled = [_cut(calls[0]), replace(_cut(calls[1]), full=None)]
    await stores.runs.settle(begun.run, response(calls), settled, Counters(), (), LEASE)
    assert [await _is_kept(stores, one.id) for one in calls] == [True, False]


async def test_it_is_stored_with_the_outcome_also_of_a_run_that_was_lost(stores: Stores) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    await taken_over(stores)
    with pytest.raises(LostLeaseError):
        await stores.runs.settle(run, response([call]), [_cut(call)], Counters(), (), LEASE)
    assert await _is_kept(stores, call.id)


async def test_it_is_not_stored_where_another_outcome_is_known_already(stores: Stores) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    await taken_over(stores)
    (lost,) = await doubtful(stores)
    nothing = replace(lost.call, result=CallResult("r0", "refund_order", ResultKind.ERROR, "Nothing."))
    await stores.runs.resolve(nothing, CallEvent.FIND_NOTHING, entry(run, call))
    with pytest.raises(LostLeaseError):
        await stores.runs.settle(run, response([call]), [_cut(call)], Counters(), (), LEASE)
    assert not await _is_kept(stores, call.id)


async def test_what_was_looked_up_is_kept_too_and_once(stores: Stores) -> None:
    run, call = await running(stores)
    await stores.pass_time(LEASE + 1)
    await taken_over(stores)
    (lost,) = await doubtful(stores)
    known = replace(lost.call, result=_cut(call).call.result)
    for _ in range(2):
        await stores.runs.resolve(known, CallEvent.FIND_DONE, entry(run, call), _full(call))
    assert (await stores.runs.full_result(call.id, OWNER)).text == LONG
    with pytest.raises(LostLeaseError):
        await stores.runs.settle(run, response([call]), [_cut(call, None)], Counters(), (), LEASE)
    assert (await stores.runs.full_result(call.id, OWNER)).text == LONG
