"""A shop with the demonstration's orders, on each kind of database; PostgreSQL's address comes from the environment."""

import os
import secrets
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import create_async_engine

from axhub.agent.adapters.sql.database import Database
from axhub.agent.ports.turns import Turns
from order_service.adapters.persistence.migrations import upgrade
from order_service.adapters.persistence.seed import seed
from order_service.config import LOCAL, read_settings
from order_service.main import OrderService, build

POSTGRES = "ORDERS_TEST_POSTGRES"
"""Address of a server on which databases may be made: `postgresql://user@host/postgres`."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
async def origin(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[URL]:
    """Return the address of a database with all tables and the demonstration's orders, to be copied for each test."""
    if request.param == "sqlite":
        made = URL.create("sqlite", database=str(tmp_path_factory.mktemp("origin") / "orders.sqlite3"))
        await _filled(made)
        yield made
        return
    server = os.environ.get(POSTGRES)
    if not server:
        pytest.skip(f"{POSTGRES} names no PostgreSQL")
    async with _made(make_url(server), "template0") as made:
        await _filled(made)
        yield made


@pytest.fixture
async def url(origin: URL, tmp_path: Path) -> AsyncIterator[str]:
    """Return the address of a database of the test's own."""
    if origin.drivername == "sqlite":
        copied = shutil.copy(str(origin.database), tmp_path / "orders.sqlite3")
        yield f"sqlite:///{copied}"
        return
    async with _made(origin.set(database="postgres"), str(origin.database)) as made:
        yield made.render_as_string(hide_password=False)


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """Return it, open."""
    made = Database(url, patience_seconds=20)
    yield made
    await made.close()


@pytest.fixture
async def with_model(database: Database) -> AsyncIterator[Callable[[Turns | None], OrderService]]:
    """Return what builds the service as `main` does for the profile `local`, with a model; its tasks do not run."""
    made: list[OrderService] = []

    def made_with(turns: Turns | None) -> OrderService:
        url = database.engine.url.set(drivername="sqlite" if database.is_sqlite else "postgresql")
        address = url.render_as_string(hide_password=False)
        settings = read_settings({"ORDER_SERVICE_DATABASE_URL": address}, LOCAL)
        made.append(build(settings, turns=turns, database=Database(address, patience_seconds=20)))
        return made[-1]

    yield made_with
    for service in made:
        await service.agent.drain()
        await service.database.close()


@pytest.fixture
async def service(with_model: Callable[[Turns | None], OrderService]) -> OrderService:
    """Return the service with the model of the demonstration."""
    return with_model(None)


async def _filled(url: URL) -> None:
    made = Database(url.render_as_string(hide_password=False), patience_seconds=20)
    await upgrade(made)
    await seed(made)
    await made.close()


@asynccontextmanager
async def _made(server: URL, template: str) -> AsyncIterator[URL]:
    """Make a database of a template, and drop it at the end."""
    name = f"orders_{secrets.token_hex(8)}"
    await _told(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield server.set(database=name)
    finally:
        await _told(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _told(server: URL, statement: str) -> None:
    made = create_async_engine(server.set(drivername="postgresql+asyncpg"), isolation_level="AUTOCOMMIT")
    try:
        async with made.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await made.dispose()
