"""Two processes on one database that want the same at the same moment."""

from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.audit import verify
from axhub.agent.ports.retention import Spent
from support.agent_contender import Contenders, add_events, contenders
from support.agent_stores import BOSS, DATABASES, LEASE, Stores, held, migrated_url, new_run, over, running


class _Shared:
    """Stores of this process, and where other processes find the same."""

    def __init__(self, url: str, pair: Contenders) -> None:
        self.url = url
        self.pair = pair
        self.database = Database(url, patience_seconds=20)
        self.stores: Stores = over(self.database)


@pytest.fixture(scope="module")
def pair() -> Iterator[Contenders]:
    with contenders(2) as made:
        yield made


@pytest.fixture(params=DATABASES)
async def shared(request: pytest.FixtureRequest, tmp_path: Path, pair: Contenders) -> AsyncIterator[_Shared]:
    async with migrated_url(request.param, tmp_path) as url:
        made = _Shared(url, pair)
        yield made
        await made.database.close()


def _once(lists: Iterable[list[str]]) -> list[str]:
    """Return what all processes got together, in order; of nothing two may have got the same."""
    found = sorted(one for got in lists for one in got)
    assert len(found) == len(set(found))
    return found


@pytest.mark.req("agent/R3")
async def test_a_decision_is_taken_once(shared: _Shared) -> None:
    ids = [(await held(shared.stores))[1][0].id for _ in range(25)]
    approving, denying = await shared.pair.contend(shared.url, ["decide", "approve", *ids], ["decide", "deny", *ids])
    assert {*approving, *denying} == {None, "already_decided"}
    assert all((one is None) != (other is None) for one, other in zip(approving, denying, strict=True))
    decided = [one for one in await shared.stores.entries() if '"call_decided"' in one.body]
    assert len(decided) == len(ids)


@pytest.mark.req("agent/R3")
async def test_a_run_that_is_ready_is_taken_up_once(shared: _Shared) -> None:
    runs = []
    for _ in range(15):
        begun, (view,) = await held(shared.stores)
        runs.append(begun.run.id)
        await shared.stores.runs.decide(view.id, Decision.APPROVE, "", BOSS, may_decide_own=False)
    assert _once(await shared.pair.contend(shared.url, ["claim"], ["claim"])) == sorted(runs)


@pytest.mark.req("agent/I2")
async def test_a_run_of_a_dead_process_is_taken_over_once(shared: _Shared) -> None:
    runs = [(await running(shared.stores, f"k{number}"))[0].id for number in range(15)]
    await shared.stores.pass_time(LEASE + 1)
    assert _once(await shared.pair.contend(shared.url, ["take_over"], ["take_over"])) == sorted(runs)


@pytest.mark.req("agent/I1")
async def test_of_two_writes_with_one_key_one_runs(shared: _Shared) -> None:
    keys = [f"k{number}" for number in range(15)]
    one, other = await shared.pair.contend(shared.url, ["intend", "a", *keys], ["intend", "b", *keys])
    assert [sum(pair) for pair in zip(one, other, strict=True)] == [1] * len(keys)


@pytest.mark.req("agent/I3")
async def test_the_chain_of_a_tenant_stays_whole(shared: _Shared) -> None:
    await shared.pair.contend(shared.url, ["append", "a", "10"], ["append", "b", "10"])
    entries = await shared.stores.entries()
    assert len(entries) == 20
    assert list(verify(entries, await shared.stores.trail.heads())) == []


async def test_a_conversation_is_answered_by_one(shared: _Shared) -> None:
    begun = await shared.stores.runs.begin(new_run())
    talk = begun.run.conversation_id
    await shared.stores.runs.end(begun.run, "Hello.", None, ())
    came: list[Any] = await shared.pair.contend(shared.url, ["begin", "a", talk, "5"], ["begin", "b", talk, "5"])
    assert sorted(one for got in came for one in got) == ["Begun", *["RunInProgressError"] * 9]


@pytest.mark.req("agent/I4")
async def test_events_leave_once_and_in_order(shared: _Shared) -> None:
    names = [f"{name}{number}" for number in range(4) for name in "abcdef"]
    await add_events(shared.stores, *names)
    await shared.stores.pass_time(1)
    left = await shared.pair.contend(shared.url, ["relay"], ["relay"])
    assert _once(left) == sorted(names)
    assert all(_is_in_order(got) for got in left)


def _is_in_order(got: list[str]) -> bool:
    return all(
        [one for one in got if one[0] == name] == sorted(one for one in got if one[0] == name) for name in "abcdef"
    )


@pytest.mark.req("threat/T30")
async def test_calls_that_wait_do_not_pass_the_bound_together(shared: _Shared) -> None:
    waiting = await shared.pair.contend(shared.url, ["hold", "a", "10", "7"], ["hold", "b", "10", "7"])
    assert sum(waiting) == 7
    assert len(await shared.stores.runs.approvals("t1", 99)) == 7
    assert list(verify(await shared.stores.entries(), await shared.stores.trail.heads())) == []


@pytest.mark.req("agent/I4")
async def test_old_events_are_removed_once(shared: _Shared) -> None:
    await add_events(shared.stores, *(f"{name}{number}" for number in range(10) for name in "abcdef"))
    await shared.pair.contend(shared.url, ["relay"], ["relay"])
    await shared.stores.pass_time(3601)
    asked = ["remove", "published_events", "3600", "7"]
    assert sum(await shared.pair.contend(shared.url, asked, asked)) == 60
    assert await shared.stores.retention.remove(Spent.PUBLISHED_EVENTS, 3600, 9) == 0
