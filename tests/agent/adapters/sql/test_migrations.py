"""The schema: made step by step, the same as the tables say, by one replica at a time; and an audit nobody changes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import TextClause, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from axhub.agent.adapters.sql import migrations, tables
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.migrations import VERSION_TABLE, upgrade
from axhub.agent.adapters.sql.migrations.versions import revision_0001, revision_0002
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.audit import GENESIS, chained, verify
from axhub.agent.domain.messages import UserMessage
from axhub.agent.domain.once import Known, Seen
from axhub.agent.ports.retention import Spent
from support import postgres
from support.agent_stores import BOSS, DATABASES, Stores, claimed, entry, new_run, opened_database, over

pytestmark = pytest.mark.req("ops/O7")

_COLUMN: Final = 'c.name, c.type, c."notnull", c.dflt_value, c.pk'
SQLITE: Final = [
    f"SELECT t.name, {_COLUMN} FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'",
    "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type NOT IN ('table', 'trigger')",
    "SELECT t.name, f.* FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'",
]
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
_BODY: Final = '{"action":"run_ended"}'
_FIRST: Final = chained("t1", 1, _BODY, GENESIS)
_LATER: Final = 9_000_000_000_000
_ACTOR: Final = '{"user":"u1","tenant":"t1","roles":[]}'
_OFFERED: Final = '{"refund_order":"d1"}'
_TURN: Final = '{"text":"","calls":[{"id":"r0","name":"refund_order","arguments":"{}"}],"provider":{}}'
_COUNTERS: Final = (
    '{"model_turns":1,"calls":{},"same":{},"usage":{"input_tokens":1,"output_tokens":1},"worked_seconds":1.5}'
)
STORED: Final = {
    "agent_conversation": "'c', 't1', 'u1', 'r', 1",
    "agent_run": f"'r', 'c', 't1', 'u1', 'a', '{_ACTOR}', 'WAITING', 2, '{_OFFERED}', '7', '', '{_COUNTERS}',"
    f" '{_TURN}', NULL, NULL, 0, NULL, 1, 1",
    "agent_message": "'c', 1, 'r', 'user', '{\"text\":\"환불해 주세요\"}'",
    "agent_call": "'a', 'r', 1, 0, '\"r0\"', 'refund_order', 'd1', '{\"order_id\":\"ORD-1\"}', 'h',"
    " 'WAITING', NULL, TRUE, NULL, '', NULL",
    "agent_approval": f"'a', 'a', 'r', 't1', 'u1', 1, {_LATER}, NULL, '', '', NULL, TRUE",
    "agent_audit": f"'t1', 1, '{_BODY}', '{GENESIS}', '{_FIRST.hash}'",
    "agent_audit_head": f"'t1', 1, '{_FIRST.hash}'",
    "agent_outbox": "1, 'e1', 'o', 'x', '{}', 1, 1, 1, 1, NULL), (2, 'e2', 'o', 'x', '{}', 1, 0, 1, NULL, NULL",
    "agent_idempotency": "'t1:u1:refund', 'k', 'f', '{}', NULL, 1",
}
"""Rows as the first version has written them."""
HEAD_CHANGES: Final = [
    "UPDATE agent_audit_head SET seq = 0",
    "UPDATE agent_audit_head SET seq = 1",
    "UPDATE agent_audit_head SET seq = 9",
    "UPDATE agent_audit_head SET hash = '00'",
    "UPDATE agent_audit_head SET tenant_id = 't9'",
    "DELETE FROM agent_audit_head",
]
OTHER_HEAD_CHANGES: Final = {
    "sqlite": "INSERT OR REPLACE INTO agent_audit_head VALUES ('t1', 0, 'x')",
    "postgresql": "TRUNCATE agent_audit_head",
}
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
    made = [Database(url, patience_seconds=20) for _ in range(count)]
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
        assert [tuple(row) for row in found] == [("0002",)]
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
    assert script.get_heads() == ["0002"]
    assert [step.down_revision for step in script.walk_revisions()] == ["0001", None]


@pytest.mark.parametrize("revision", [revision_0001, revision_0002])
def test_nobody_throws_what_is_kept_away_by_a_command(revision: ModuleType) -> None:
    with pytest.raises(NotImplementedError):
        revision.downgrade()


def _first_tables(connection: Connection) -> None:
    """Bring a database to the first revision, with what a process of that version has stored."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "0001")
    for table, values in STORED.items():
        connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({values})")


@pytest.mark.parametrize("kind", DATABASES)
async def test_what_the_version_before_has_stored_goes_on(kind: str, tmp_path: Path) -> None:
    async with _empty(kind, tmp_path) as url, _databases(url, 1) as (database,):
        await database.write(_first_tables, seconds=30)
        await upgrade(database)
        upgraded = await database.read(_schema)
        stores = over(database)
        (view,) = await stores.runs.approvals("t1", 9)
        assert (await stores.runs.decide(view.id, Decision.APPROVE, "", BOSS, may_decide_own=False)).is_run_ready
        begun = await claimed(stores)
        assert begun.history == (UserMessage("환불해 주세요"),)
        assert [one.arguments for one in begun.run.calls] == ['{"order_id":"ORD-1"}']
        assert await stores.once.begin("t1:u1:refund", "k", "f", 30.0) == Known(Seen.SAME, "{}")
        assert [await stores.retention.remove(what, 60, 9) for what in Spent] == [1, 1, 0]
        (item,) = await stores.outbox.claim(9, 30)
        assert item.event.id == "e2"
        await stores.runs.end(begun.run, "Done.", None, [entry(begun.run)])
        assert list(verify(await stores.entries(), await stores.trail.heads())) == []
    async with opened_database(kind, tmp_path) as made_at_once:
        assert upgraded == await made_at_once.read(_schema)


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


@pytest.mark.req("agent/I3")
@pytest.mark.parametrize("kind", DATABASES)
async def test_where_a_chain_ends_is_moved_to_its_next_entry_and_nowhere_else(kind: str, tmp_path: Path) -> None:
    async with opened_database(kind, tmp_path) as database:
        stores = over(database)
        await _with_two_entries(stores)
        before = await stores.trail.heads()
        said = await _changes(database, [*HEAD_CHANGES, OTHER_HEAD_CHANGES[kind]])
        assert all("agent_audit_head follows agent_audit" in one for one in said)
        assert await stores.trail.heads() == before
        await _with_two_entries(stores)
        assert [one.seq for one in await stores.trail.heads()] == [4]
