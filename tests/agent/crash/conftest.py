"""Databases of the order service and processes of it that may die."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence.migrations import upgrade
from support import postgres
from support.agent_stores import DATABASES
from support.crash_service import Server, servers


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Server, ...]]:
    with servers(2) as made:
        yield made


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite file with all tables."""
    file = tmp_path_factory.mktemp("crash") / "orders.sqlite3"
    asyncio.run(_with_tables(f"sqlite:///{file}"))  # an async fixture would keep its event loop for all later tests
    return file


async def _with_tables(url: str) -> None:
    database = Database(url, patience_seconds=20)
    await upgrade(database)
    await database.close()


@pytest.fixture(params=DATABASES)
async def url(request: pytest.FixtureRequest, empty_file: Path, tmp_path: Path) -> AsyncIterator[str]:
    """Return the address of a database with all tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{shutil.copy(empty_file, tmp_path / 'orders.sqlite3')}"
        return
    async with postgres.database(migrated=True) as made:
        yield made


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    made = Database(url, patience_seconds=20)
    await upgrade(made)
    yield made
    await made.close()
