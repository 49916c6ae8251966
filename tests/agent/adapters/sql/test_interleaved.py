"""Two transactions of PostgreSQL in each other's way, step by step: what only a lock, or another look, keeps right."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import URL, Connection
from sqlalchemy.ext.asyncio import create_async_engine

from axhub.agent.adapters.sql import idempotency
from axhub.agent.adapters.sql.chain import lock
from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.once import Known, Seen
from axhub.agent.ports.runs import TooManyPendingError
from support import postgres
from support.agent_stores import BOSS, entry, held, new_call, new_run, over, response

pytestmark = postgres.NEEDED


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    async with postgres.database(migrated=True) as url:
        made = Database(url, patience_seconds=20)
        yield made
        await made.close()


WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")


async def _waits(database: Database, task: "asyncio.Task[object]") -> bool:
    """Return whether a task comes to wait for a lock, or ends without."""
    while not task.done():
        if await database.read(lambda connection: connection.execute(WAITING).scalar_one()):
            return True
        await asyncio.sleep(0.01)
    return False


@pytest.mark.req("threat/T30")
async def test_who_counts_what_waits_counts_what_another_one_is_just_storing(database: Database) -> None:
    stores = over(database)
    _, (closed,) = await held(stores)
    await stores.runs.decide(closed.id, Decision.DENY, "", BOSS, may_decide_own=False)
    begun = await stores.runs.begin(new_run())
    calls = [new_call(CallState.WAITING)]
    told = [entry(begun.run, calls[0])]
    async with database.transaction() as connection:
        await connection.run_sync(lock, "t1")
        holding = asyncio.create_task(stores.runs.hold(begun.run, response(calls), calls, Counters(), told, 60, 1))
        assert await _waits(database, holding)
        await connection.execute(text("UPDATE agent_approval SET is_open = TRUE"))
    with pytest.raises(TooManyPendingError):
        await holding
    assert [one.id for one in await stores.runs.approvals("t1", 9)] == [closed.id]


@pytest.mark.req("agent/I1")
async def test_a_key_that_is_removed_before_it_is_looked_at_is_free(database: Database) -> None:
    stores = over(database)
    await stores.once.begin("t1", "k", "f", 30.0)
    await stores.once.finish("t1", "k", "{}")
    looked = 0

    def remove(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        nonlocal looked
        looked += statement.startswith("SELECT")
        if looked == 1:
            elsewhere = threading.Thread(target=_execute, args=(database.engine.url, "DELETE FROM agent_idempotency"))
            elsewhere.start()
            elsewhere.join()

    def begin(connection: Connection) -> Known:
        event.listen(connection, "before_cursor_execute", remove)
        return idempotency.begin_once(connection, "t1", "k", "other", owner="other", lease_seconds=30.0)

    assert await database.write(begin) == Known(Seen.FIRST)
    assert looked == 1


def _execute(url: URL, statement: str) -> None:
    """Execute a statement in a connection, a loop and a thread of its own."""

    async def execute() -> None:
        engine = create_async_engine(url)
        async with engine.begin() as connection:
            await connection.execute(text(statement))
        await engine.dispose()

    asyncio.run(execute())
