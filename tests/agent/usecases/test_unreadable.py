"""Rows that cannot be read, damaged or of another version, keep no others from being recovered, and are made known."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.records import RunRecord
from axhub.agent.domain.runs import RunState
from axhub.agent.main import Agent, Effects, build_agent
from axhub.agent.ports.effects import Noted
from axhub.agent.testing import FixedClock, NumberedIds, RecordingObserver, ScriptedTurns
from support.agent_stores import (
    BOSS,
    DATABASES,
    LEASE,
    Person,
    Stores,
    done,
    held,
    opened_database,
    over,
    response,
    running,
)
from support.agents import SETTINGS

pytestmark = pytest.mark.req("agent/R1", "agent/I2")

DAMAGE = [
    ("agent_run", "actor", '{"who": "old"}'),
    ("agent_run", "actor", "{"),
    ("agent_run", "offered", "[]"),
    ("agent_run", "counters", '{"calls": 7}'),
    ("agent_run", "turn", "not json"),
    ("agent_call", "request_id", "{"),
    ("agent_call", "result", '{"kind": "wonderful"}'),
]


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path) as made:
        yield made


def _agent(stores: Stores, observer: RecordingObserver) -> Agent[Any, Person]:
    effects = Effects(FixedClock(), NumberedIds(), observer)
    return build_agent(turns=ScriptedTurns(), sources=[], store=stores.runs, settings=SETTINGS, effects=effects)


async def _damage(database: Database, run: RunRecord[Person], table: str, column: str, value: object) -> None:
    rows = tables.metadata.tables[table]
    of = rows.c.id if table == "agent_run" else rows.c.run_id
    edited = update(rows).where(of == run.id).values({column: value})
    await database.write(lambda connection: connection.execute(edited))


async def _states(database: Database) -> dict[str, str]:
    """Return in which states all runs and calls are."""

    def work(connection: Connection) -> dict[str, str]:
        both = [select(one.c.id, one.c.state) for one in (tables.run, tables.call)]
        return {row.id: row.state for one in both for row in connection.execute(one)}

    return await database.read(work)


def _noted(observer: RecordingObserver) -> list[dict[str, str | float]]:
    return [facts for what, facts in observer.notes if what is Noted.UNREADABLE]


@pytest.mark.parametrize(("table", "column", "value"), DAMAGE)
async def test_a_damaged_run_of_a_dead_process_is_passed_over_and_the_others_go_on(
    database: Database, table: str, column: str, value: str
) -> None:
    stores, observer = over(database), RecordingObserver()
    agent = _agent(stores, observer)
    pairs = [await running(stores, f"k{number}") for number in range(3)]
    damaged, _ = pairs[0]
    await _damage(database, damaged, table, column, value)
    await stores.pass_time(LEASE + 1)
    assert await agent.recover.once()
    states = await _states(database)
    assert [states[run.id] for run, _ in pairs] == [RunState.RUNNING, RunState.READY, RunState.READY]
    assert [states[call.id] for _, call in pairs] == [CallState.RUNNING, CallState.UNKNOWN, CallState.UNKNOWN]
    assert _noted(observer) == [{"run": damaged.id, "reason": "damaged"}]
    lost = [one for one in await stores.entries() if '"outcome":"UNKNOWN"' in one.body]
    assert len(lost) == 2


async def test_a_damaged_run_is_told_once_and_goes_on_when_it_is_mended(database: Database) -> None:
    stores, observer = over(database), RecordingObserver()
    agent = _agent(stores, observer)
    run, call = await running(stores)
    await _damage(database, run, "agent_run", "offered", "[]")
    for _ in range(6):
        await stores.pass_time(LEASE + 1)
        assert not await agent.recover.once()
        assert not await agent.recover.once(), "it comes again only when its new lease is over"
    assert len(_noted(observer)) == len(observer.faults) == 1
    await _damage(database, run, "agent_run", "offered", "{}")
    await stores.pass_time(LEASE + 1)
    assert await agent.recover.once(), "that it could not be read was no attempt"
    states = await _states(database)
    assert (states[run.id], states[call.id]) == (RunState.READY, CallState.UNKNOWN)


async def test_a_process_that_was_only_slow_goes_on_with_a_run_that_another_one_cannot_read(
    database: Database,
) -> None:
    stores = over(database)
    agent = _agent(stores, RecordingObserver())
    run, call = await running(stores)
    await _damage(database, run, "agent_run", "actor", '{"of": "a newer application"}')
    await stores.pass_time(LEASE + 1)
    assert not await agent.recover.once()
    assert await stores.runs.renew(run, LEASE)
    await stores.runs.settle(run, response([call]), [done(call)], Counters(), (), LEASE)
    assert (await _states(database))[call.id] == CallState.DONE


@pytest.mark.parametrize(("table", "column", "value"), DAMAGE)
async def test_a_damaged_run_keeps_no_decision_and_no_expiry_from_others(
    database: Database, table: str, column: str, value: str
) -> None:
    stores, observer = over(database), RecordingObserver()
    agent = _agent(stores, observer)
    damaged, (first,) = await held(stores, seconds=60)
    other, (view,) = await held(stores, seconds=60)
    await _damage(database, damaged.run, table, column, value)
    assert (await stores.runs.decide(first.id, Decision.APPROVE, "", BOSS, may_decide_own=False)).fault is None
    await stores.pass_time(61)
    assert await agent.recover.once()
    states = await _states(database)
    assert (states[view.id], states[other.run.id]) == (CallState.EXPIRED, RunState.READY)


async def test_an_approval_whose_arguments_are_damaged_hides_no_other_and_expires(database: Database) -> None:
    stores = over(database)
    damaged, (first,) = await held(stores, seconds=60)
    _, (view,) = await held(stores, seconds=600)
    await _damage(database, damaged.run, "agent_call", "arguments", "{")
    assert [one.id for one in await stores.runs.approvals("t1", 9)] == [view.id]
    await stores.pass_time(61)
    assert await stores.runs.expire() == 1
    assert (await _states(database))[first.id] == CallState.EXPIRED


@pytest.mark.parametrize(("table", "column", "value"), [*DAMAGE, ("agent_message", "body", "{")])
async def test_a_ready_run_that_is_damaged_keeps_no_other_from_going_on(
    database: Database, table: str, column: str, value: str
) -> None:
    stores, observer = over(database), RecordingObserver()
    agent = _agent(stores, observer)
    runs = []
    for _ in range(2):
        begun, (view,) = await held(stores)
        await stores.runs.decide(view.id, Decision.DENY, "", BOSS, may_decide_own=False)
        await stores.pass_time(1)
        runs.append(begun.run)
    for run in runs[:1]:
        await _damage(database, run, table, column, value)
    outcome = await agent.resume.next()
    assert outcome is not None
    assert outcome.run_id == runs[1].id
    assert await agent.resume.next() is None
    assert _noted(observer) == [{"run": runs[0].id, "reason": "damaged"}]


async def test_unknown_calls_of_damaged_runs_keep_no_others_from_being_looked_up(database: Database) -> None:
    stores, observer = over(database), RecordingObserver()
    agent = _agent(stores, observer)
    pairs = [await running(stores, f"k{number}") for number in range(3)]
    await stores.pass_time(LEASE + 1)
    await agent.recover.once()
    observer.faults.clear()
    await _damage(database, pairs[0][0], "agent_run", "actor", "{")
    await _damage(database, pairs[1][0], "agent_call", "request_id", "{")
    await stores.pass_time(60)
    await agent.recover.once()
    assert sorted(str(facts["run"]) for facts in _noted(observer)) == sorted(run.id for run, _ in pairs[:2])
    looked_up = [error for error in observer.faults.values() if isinstance(error, LookupError)]
    assert len(looked_up) == 1, "no source has the tool, and the one that can be read was looked up"


async def test_a_run_of_a_newer_version_that_waits_for_a_process_is_made_known(database: Database) -> None:
    stores, observer = over(database), RecordingObserver()
    agent = _agent(stores, observer)
    newer, _ = await running(stores)
    await _damage(database, newer, "agent_run", "schema_version", 2)
    await agent.recover.once()
    assert _noted(observer) == [], "its own process may be working on it"
    await stores.pass_time(LEASE + 1)
    for _ in range(3):
        assert not await agent.recover.once()
    assert _noted(observer) == [{"run": newer.id, "reason": "newer_version"}]
    assert (await _states(database))[newer.id] == RunState.RUNNING
