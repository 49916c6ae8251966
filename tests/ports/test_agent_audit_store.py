"""The port `AuditTrail`, and the appends of the run stores: chains stay whole, whoever appends at once."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from axhub.agent.domain.audit import GENESIS, verify
from axhub.agent.ports.runs import LostLeaseError
from support.agent_stores import STORES, Person, Stores, entry, new_run, opened, running


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def _ended(stores: Stores, number: int, tenant_id: str = "t1") -> None:
    begun = await stores.runs.begin(new_run(actor=Person("u1", tenant_id)))
    entries = [entry(begun.run, reference=f"{number}-{part}") for part in "ab"]
    await stores.runs.end(begun.run, "Done.", None, entries)


async def test_there_is_nothing_before_something_happened(stores: Stores) -> None:
    assert await stores.entries() == []
    assert await stores.trail.heads() == ()


@pytest.mark.req("agent/I3")
async def test_entries_of_a_tenant_follow_each_other_with_the_time_of_the_store(stores: Stores) -> None:
    await _ended(stores, 1)
    first, second = await stores.entries()
    assert (first.seq, first.previous, second.seq, second.previous) == (1, GENESIS, 2, first.hash)
    assert [json.loads(one.body)["reference"] for one in (first, second)] == ["1-a", "1-b"]
    moment = json.loads(first.body)["at"]
    assert moment.endswith("+00:00")
    assert len(moment) == len("2026-01-01T00:00:00.000+00:00")
    (head,) = await stores.trail.heads()
    assert (head.tenant_id, head.seq, head.hash) == ("t1", 2, second.hash)


@pytest.mark.req("agent/I3")
async def test_each_tenant_has_a_chain_of_its_own(stores: Stores) -> None:
    for number, tenant_id in enumerate(["t2", "t1", "t2"]):
        await _ended(stores, number, tenant_id)
    found = [(one.tenant_id, one.seq) for one in await stores.entries()]
    assert found == [("t1", 1), ("t1", 2), ("t2", 1), ("t2", 2), ("t2", 3), ("t2", 4)]
    assert [(one.tenant_id, one.seq) for one in await stores.trail.heads()] == [("t1", 2), ("t2", 4)]


@pytest.mark.req("agent/I3")
async def test_a_chain_stays_whole_when_many_append_at_once(stores: Stores) -> None:
    await asyncio.gather(*(_ended(stores, number) for number in range(20)))
    entries = await stores.entries()
    assert [one.seq for one in entries] == list(range(1, 41))
    assert list(verify(entries, await stores.trail.heads())) == []
    told = [json.loads(one.body)["reference"] for one in entries]
    assert all(first.split("-")[0] == second.split("-")[0] for first, second in zip(told[::2], told[1::2], strict=True))


@pytest.mark.req("agent/I3")
async def test_an_entry_is_there_exactly_if_what_it_tells_of_is(stores: Stores) -> None:
    run, call = await running(stores)
    stale = replace(run, version=run.version - 1)
    before = await stores.entries()
    with pytest.raises(LostLeaseError):
        await stores.runs.end(stale, "Done.", None, [entry(stale, call)])
    assert await stores.entries() == before
