"""A tool's transaction commits only while its call is this process's (agent/I2, agent/L6)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from axhub.agent.adapters.sql.database import PATIENCE_SECONDS, Database
from axhub.agent.ports.running import running, running_call
from axhub.agent.ports.runs import LostLeaseError, StoreUnavailableError
from support import agent_stores
from support.agent_stores import DATABASES, LEASE, Stores, opened_database, over

pytestmark = pytest.mark.req("agent/I2", "agent/L6")


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path, PATIENCE_SECONDS) as made:
        yield made


@pytest.fixture
async def stores(database: Database) -> Stores:
    return over(database)


async def _transaction(database: Database) -> str:
    async with database.transaction():
        return "done"


async def test_a_call_that_runs_may_change_something(database: Database, stores: Stores) -> None:
    _, call = await agent_stores.running(stores)
    with running(call.id):
        assert await _transaction(database) == "done"
    assert running_call() is None


async def test_a_call_that_was_taken_over_may_not(database: Database, stores: Stores) -> None:
    _, call = await agent_stores.running(stores)
    await stores.pass_time(LEASE + 1)
    assert await stores.runs.take_over(LEASE) is not None
    with running(call.id), pytest.raises(LostLeaseError):
        await _transaction(database)
    assert await _transaction(database) == "done", "who runs no call is nobody's business"


async def test_no_call_is_taken_over_while_its_transaction_is_open(database: Database, stores: Stores) -> None:
    _, call = await agent_stores.running(stores)
    await stores.pass_time(LEASE + 1)
    with running(call.id):
        async with database.transaction():
            with pytest.raises(StoreUnavailableError):
                await stores.runs.take_over(LEASE)
    assert await stores.runs.take_over(LEASE) is not None


async def test_each_task_runs_its_own_call() -> None:
    async def seen(name: str) -> str | None:
        with running(name):
            await asyncio.sleep(0)
            return running_call()

    assert list(await asyncio.gather(seen("a"), seen("b"))) == ["a", "b"]
