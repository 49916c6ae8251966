"""The schema: made step by step, the same as the tables say, by one replica at a time; and an audit nobody changes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import TextClause, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from axhub.agent.adapters.sql import migrations, tables
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.migrations import VERSION_TABLE, upgrade
from axhub.agent.adapters.sql.migrations.versions import revision_0001
from support import postgres
from support.agent_stores import DATABASES, Stores, entry, new_run, opened_database, over

pytestmark = pytest.mark.req("ops/O7")

SQLITE: Final = ["SELECT type, name, sql FROM sqlite_master WHERE type <> 'trigger' AND sql IS NOT NULL"]
COLUMNS: Final = "table_name, column_name, data_type, character_maximum_length, is_nullable, column_default"
CONSTRAINT: Final = "conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
POSTGRESQL: Final = [
    f"SELECT {COLUMNS} FROM information_schema.columns WHERE table_schema = 'public'",
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    f"SELECT {CONSTRAINT} FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
]
CHANGES: Final = [
    "UPDATE agent_audit SET body = 'x'",
    "DELETE FROM agent_audit",
    "DELETE FROM agent_audit WHERE seq > 1",
]
OTHER_CHANGES: Final = {
    "sqlite": "INSERT OR REPLACE INTO agent_audit SELECT tenant_id, seq, 'x', previous, hash FROM agent_audit",
    "postgresql": "TRUNCATE agent_audit",
}


@asynccontextmanager
async def _empty(kind: str, folder: Path) -> AsyncIterator[str]:
    if kind == "postgresql":
        async with postgres.database() as url:
            yield url
    else:
        yield f"sqlite:///{folder / 'empty.sqlite3'}"


@asynccontextmanager
async def _databases(url: str, count: int) -> AsyncIterator[list[Database]]:
    made = [Database(url) for _ in range(count)]
    try:
        yield made
    finally:
        await asyncio.gather(*(one.close() for one in made))


def _schema(connection: Connection) -> list[list[str]]:
    """Return everything that the database knows of its tables, but for the table of the revision."""
    asked = POSTGRESQL if connection.dialect.name == "postgresql" else SQLITE
    found = [_rows(connection, statement) for statement in asked]
    return [[" ".join(row.split()) for row in rows if VERSION_TABLE not in row] for rows in found]


def _rows(connection: Connection, statement: str) -> list[str]:
    return sorted(
        repr(tuple(row)).replace("\\n", " ").replace("\\t", " ") for row in connection.exec_driver_sql(statement)
    )


@pytest.mark.parametrize("kind", DATABASES)
async def test_the_steps_make_the_tables_that_the_stores_use(kind: str, tmp_path: Path) -> None:
    async with opened_database(kind, tmp_path) as migrated:
        stepwise = await migrated.read(_schema)
    async with _empty(kind, tmp_path) as url, _databases(url, 1) as (database,):
        await database.write(tables.metadata.create_all)
        at_once = await database.read(_schema)
    assert stepwise == at_once
    assert len(stepwise[0]) > len(tables.metadata.tables)


@pytest.mark.parametrize("kind", DATABASES)
async def test_replicas_that_start_at_once_wait_for_each_other(kind: str, tmp_path: Path) -> None:
    async with _empty(kind, tmp_path) as url, _databases(url, 4) as databases:
        await asyncio.gather(*map(upgrade, databases))
        await upgrade(databases[0])
        found = await databases[0].read(lambda one: one.exec_driver_sql(f"SELECT * FROM {VERSION_TABLE}").all())
        assert [tuple(row) for row in found] == [("0001",)]
        assert (await over(databases[1]).runs.begin(new_run())).run.version == 1


@pytest.mark.parametrize("kind", DATABASES)
async def test_tables_of_the_application_are_left_alone(kind: str, tmp_path: Path) -> None:
    async with _empty(kind, tmp_path) as url, _databases(url, 1) as (database,):
        await database.write(lambda one: one.exec_driver_sql("CREATE TABLE alembic_version (version_num text)"))
        await database.write(lambda one: one.exec_driver_sql("INSERT INTO alembic_version VALUES ('theirs')"))
        await upgrade(database)
        left = await database.read(lambda one: one.exec_driver_sql("SELECT * FROM alembic_version").all())
        assert [tuple(row) for row in left] == [("theirs",)]


def test_the_steps_are_one_line_and_lie_within_the_package() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    assert script.get_heads() == ["0001"]
    assert [step.down_revision for step in script.walk_revisions()] == [None]


def test_nobody_throws_the_audit_away_by_a_command() -> None:
    with pytest.raises(NotImplementedError):
        revision_0001.downgrade()


async def _with_two_entries(stores: Stores) -> None:
    begun = await stores.runs.begin(new_run())
    await stores.runs.end(begun.run, "Done.", None, [entry(begun.run), entry(begun.run)])


def _execute(statement: TextClause, connection: Connection) -> None:
    connection.execute(statement)


async def _changes(database: Database, statements: Sequence[str]) -> list[str]:
    """Return what the database says to each of some statements."""
    said = []
    for statement in map(text, statements):
        with pytest.raises(DBAPIError) as told:
            await database.write(partial(_execute, statement))
        said.append(str(told.value))
    return said


@pytest.mark.req("agent/I3")
@pytest.mark.parametrize("kind", DATABASES)
async def test_what_stands_in_the_audit_is_neither_changed_nor_removed(kind: str, tmp_path: Path) -> None:
    async with opened_database(kind, tmp_path) as database:
        stores = over(database)
        await _with_two_entries(stores)
        before = await stores.entries()
        said = await _changes(database, [*CHANGES, OTHER_CHANGES[kind]])
        assert all("agent_audit is append-only" in one for one in said)
        assert await stores.entries() == before
        assert len(before) == 2
