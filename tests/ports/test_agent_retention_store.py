"""The port `RetentionStore`: what is old and done is removed in batches, and nothing else is."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from axhub.agent.domain.calls import CallEvent, CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import CallResult, ResultKind
from axhub.agent.domain.once import Known, Seen
from axhub.agent.domain.results import FullResult
from axhub.agent.ports.events import Event
from axhub.agent.ports.retention import Spent
from axhub.agent.ports.runs import NotFoundError, Settled
from support.agent_stores import LEASE, OWNER, STORES, Stores, entry, held, new_call, new_run, opened, response

AGE = 3600.0


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def _publish(stores: Stores, *names: str) -> None:
    """Add events and let them leave."""
    for name in names:
        await stores.add_event(Event(name, name, "order.refunded", {}))
        await stores.outbox.claim(100, 30)
        await stores.outbox.published(name)


async def _finish(stores: Stores, *keys: str) -> None:
    """Take keys, and answer their requests."""
    for key in keys:
        await stores.once.begin("t1:refund", key, "f", 30.0)
        await stores.once.finish("t1:refund", key, "{}")


async def _cut(stores: Stores, count: int) -> list[str]:
    """Store results that were cut; return where their wholes are."""
    calls = [new_call(CallState.PROPOSED, position=position) for position in range(count)]
    run = (await stores.runs.begin(new_run())).run
    settled = [
        Settled(
            replace(one, state=CallState.DONE, result=CallResult(one.request_id, one.tool, ResultKind.OK, "", one.id)),
            CallEvent.SUCCEED,
            FullResult(one.id, 4, "0" * 64, "text"),
        )
        for one in calls
    ]
    await stores.runs.settle(run, response(calls), settled, Counters(), [entry(run)], LEASE)
    return [one.id for one in calls]


async def _seen(stores: Stores, key: str) -> Seen:
    known: Known = await stores.once.begin("t1:refund", key, "other", 30.0)
    return known.seen


@pytest.mark.req("agent/I4")
async def test_events_that_left_long_ago_are_removed_oldest_first_and_those_of_late_are_not(stores: Stores) -> None:
    await _publish(stores, "a", "b", "c")
    await stores.pass_time(AGE + 1)
    await _publish(stores, "d")
    assert await stores.retention.remove(Spent.PUBLISHED_EVENTS, AGE, 2) == 2
    assert await stores.retention.remove(Spent.PUBLISHED_EVENTS, AGE, 2) == 1
    assert await stores.retention.remove(Spent.PUBLISHED_EVENTS, AGE, 2) == 0
    await stores.pass_time(AGE + 1)
    assert await stores.retention.remove(Spent.PUBLISHED_EVENTS, AGE, 2) == 1


@pytest.mark.req("agent/I4")
async def test_events_that_wait_and_dead_ones_are_never_removed(stores: Stores) -> None:
    for name in ("dead", "waits"):
        await stores.add_event(Event(name, name, "order.refunded", {}))
    await stores.outbox.claim(9, 30)
    await stores.outbox.failed("dead", None)
    await stores.pass_time(1000 * AGE)
    assert await stores.retention.remove(Spent.PUBLISHED_EVENTS, AGE, 9) == 0
    (item,) = await stores.outbox.claim(9, 30)
    assert item.event.id == "waits"
    await stores.outbox.published("waits")
    await stores.pass_time(AGE + 1)
    assert await stores.retention.remove(Spent.PUBLISHED_EVENTS, AGE, 9) == 1


@pytest.mark.req("agent/I1")
async def test_old_keys_are_free_again_and_those_of_late_are_not(stores: Stores) -> None:
    await _finish(stores, "old")
    await stores.pass_time(AGE + 1)
    await _finish(stores, "new")
    assert await stores.retention.remove(Spent.REQUEST_KEYS, AGE, 9) == 1
    assert [await _seen(stores, key) for key in ("old", "new")] == [Seen.FIRST, Seen.OTHER]


@pytest.mark.req("agent/I1")
async def test_the_key_of_a_request_that_is_being_done_is_kept_however_old_it_is(stores: Stores) -> None:
    await stores.once.begin("t1:refund", "slow", "f", 10 * AGE)
    await stores.once.begin("t1:refund", "dead", "f", 30.0)
    await stores.pass_time(5 * AGE)
    assert await stores.retention.remove(Spent.REQUEST_KEYS, AGE, 9) == 1
    assert [await _seen(stores, key) for key in ("slow", "dead")] == [Seen.OTHER, Seen.FIRST]


@pytest.mark.req("agent/L7")
async def test_wholes_of_results_are_removed_and_nothing_else_of_their_runs(stores: Stores) -> None:
    old = await _cut(stores, 3)
    await stores.pass_time(AGE + 1)
    new = await _cut(stores, 1)
    entries = await stores.entries()
    assert await stores.retention.remove(Spent.FULL_RESULTS, AGE, 99) == 3
    for one in old:
        with pytest.raises(NotFoundError):
            await stores.runs.full_result(one, OWNER)
    assert (await stores.runs.full_result(new[0], OWNER)).text == "text"
    assert await stores.entries() == entries


async def test_nothing_of_one_kind_is_removed_with_another_and_what_waits_for_people_stays(stores: Stores) -> None:
    await held(stores)
    await _publish(stores, "a")
    await _finish(stores, "b")
    await _cut(stores, 1)
    await stores.pass_time(50)
    for what in Spent:
        assert await stores.retention.remove(what, 100, 99) == 0
    for what in Spent:
        assert await stores.retention.remove(what, 1, 99) == 1
    assert len(await stores.runs.approvals("t1", 9)) == 1


async def test_several_at_once_remove_each_row_once(stores: Stores) -> None:
    await _finish(stores, *(f"k{number}" for number in range(40)))
    await stores.pass_time(AGE + 1)
    removed = 0
    while gone := sum(await asyncio.gather(*(stores.retention.remove(Spent.REQUEST_KEYS, AGE, 5) for _ in range(4)))):
        removed += gone
    assert removed == 40
