"""Transactions: whole or not at all, and a database that does not answer is one error, soon."""

import asyncio
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from axhub.agent.adapters.sql.database import PATIENCE_SECONDS, Database
from axhub.agent.ports.runs import StoreUnavailableError
from support import postgres
from support.agent_stores import DATABASES, opened_database
from support.ports import free_ports

SOON: float = PATIENCE_SECONDS + 1.5
"""Within this a call has ended, in whatever state the database is; the rest is what a busy machine takes."""
ADD = text("INSERT INTO agent_audit_head (tenant_id, seq, hash) VALUES (:name, 0, 'h')")
COUNT = text("SELECT count(*) FROM agent_audit_head")


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path, PATIENCE_SECONDS) as made:
        yield made


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database("sqlite", tmp_path, PATIENCE_SECONDS) as made:
        yield made


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    """A server of its own, as it is stopped and hangs here."""
    made = postgres.start()
    yield made
    made.stop()


def _added(connection: Connection, name: str = "one") -> None:
    connection.execute(ADD, {"name": name})


def _many_added(connection: Connection) -> None:
    for number in range(500):
        _added(connection, f"{number}" * 200)


def _count(connection: Connection) -> int:
    found: int = connection.execute(COUNT).scalar_one()
    return found


def _add_twice(connection: Connection) -> None:
    _added(connection)
    _added(connection)


async def _transaction(database: Database, work: Callable[[Connection], object]) -> None:
    async with database.transaction() as connection:
        await connection.run_sync(work)


async def _refused(database: Database) -> str:
    """Return what a write says that must fail soon."""
    async with asyncio.timeout(SOON):
        with pytest.raises(StoreUnavailableError) as told:
            await database.write(_added)
    return str(told.value)


async def test_a_function_that_raises_has_changed_nothing(database: Database) -> None:
    with pytest.raises(IntegrityError) as told:
        await database.write(_add_twice)
    assert "one" not in str(told.value).replace("agent_audit_head.tenant_id", "")
    assert await database.read(_count) == 0


async def test_a_statement_that_is_wrong_is_no_fault_of_the_database(database: Database) -> None:
    with pytest.raises(DBAPIError, match="nowhere"):
        await database.read(lambda connection: connection.execute(text("SELECT * FROM nowhere")))


async def test_an_applications_transaction_is_whole_too(database: Database) -> None:
    async with database.transaction() as connection:
        await connection.run_sync(_added)
    with pytest.raises(IntegrityError):
        await _transaction(database, _add_twice)
    assert await database.read(_count) == 1


@pytest.mark.parametrize("error", [FileNotFoundError("of theirs"), TimeoutError("of theirs"), KeyError("of theirs")])
async def test_an_applications_own_errors_stay_what_they_are(database: Database, error: Exception) -> None:
    def work(connection: Connection) -> None:
        _added(connection)
        raise error

    with pytest.raises(type(error), match="of theirs"):
        await _transaction(database, work)
    assert await database.read(_count) == 0


async def test_a_caller_that_goes_away_stops_no_transaction(database: Database) -> None:
    writing = asyncio.create_task(database.write(_added))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await database.close()
    again = Database(database.engine.url.render_as_string(hide_password=False), patience_seconds=20)
    assert await again.read(_count) == 1
    await again.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "orders.sqlite3",
        "/var/orders.sqlite3",
        "mysql://localhost/x",
        "oracle://localhost/x",
        "://",
        "postgresql:/u:hidden@h/x",
        "postgresql://u:hidden@h:port/x",
        "postgresql://u:hidden@h:54 32/x",
        "sqlite://orders.sqlite3",
    ],
)
def test_an_address_that_is_none_is_refused_with_its_mend_and_without_its_text(url: str) -> None:
    with pytest.raises(ValueError, match=r"write sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME") as told:
        Database(url, patience_seconds=20)
    assert type(told.value) is ValueError
    assert "hid" not in str(told.value)
    assert told.value.__suppress_context__ or told.value.__context__ is None


async def test_a_file_that_another_process_keeps_locked_is_unavailable_soon_for_all(file: Database) -> None:
    other = sqlite3.connect(str(file.engine.url.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    said = await asyncio.gather(*(_refused(file) for _ in range(4)))
    assert set(said) <= {"the database did not answer within 2 s", "the database does not answer as it should"}
    async with asyncio.timeout(SOON):
        with pytest.raises(StoreUnavailableError):
            await _transaction(file, _added)
    assert await file.read(_count) == 0, "reading goes on"
    other.execute("COMMIT")
    other.close()
    await file.write(lambda connection: _added(connection, "later"))
    assert await file.read(_count) == 1, "what was refused does not happen afterwards"


@pytest.mark.parametrize("seconds", [0.2, 1.3])
async def test_a_file_that_is_locked_for_less_than_the_patience_is_waited_for_by_all(
    file: Database, seconds: float
) -> None:
    other = sqlite3.connect(str(file.engine.url.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    asyncio.get_running_loop().call_later(seconds, other.execute, "COMMIT")
    await asyncio.gather(_transaction(file, _added), file.write(lambda connection: _added(connection, "two")))
    assert await file.read(_count) == 2
    other.close()


async def test_a_full_file_is_unavailable_until_there_is_room(file: Database) -> None:
    def no_room(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    await file.read(no_room)
    with pytest.raises(StoreUnavailableError):
        await file.write(_many_added)
    await file.read(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count=100000").scalar())
    await file.write(_added)
    assert await file.read(_count) == 1


async def test_a_file_that_cannot_be_opened_or_is_none_of_sqlites_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, but long enough to look at" * 50, encoding="utf-8")
    for path in (tmp_path / "nowhere" / "file", tmp_path / "text"):
        database = Database(f"sqlite:///{path}", patience_seconds=20)
        await _refused(database)
        await database.close()


@postgres.NEEDED
async def test_a_server_that_is_not_there_is_unavailable() -> None:
    url = f"postgresql://postgres:secret@127.0.0.1:{free_ports(1)[0]}/orders"
    database = Database(url, patience_seconds=20)
    assert "secret" not in await _refused(database)
    with pytest.raises(StoreUnavailableError):
        await _transaction(database, _added)
    await database.close()


@postgres.NEEDED
async def test_a_database_that_is_not_there_is_unavailable(server: postgres.Server) -> None:
    database = Database(server.url("nowhere"), patience_seconds=20)
    await _refused(database)
    await database.close()


@postgres.NEEDED
@pytest.mark.parametrize("code", ["53100", "53200", "57P01", "40P01", "25006"])
async def test_a_server_that_says_that_it_cannot_now_is_unavailable(server: postgres.Server, code: str) -> None:
    async with postgres.database(server, migrated=True) as url:
        database = Database(url, patience_seconds=20)
        said = f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$"
        with pytest.raises(StoreUnavailableError):
            await database.write(lambda connection: connection.execute(text(said)))
        await database.close()


@postgres.NEEDED
async def test_a_row_that_stays_locked_is_unavailable_soon(server: postgres.Server) -> None:
    async with postgres.database(server, migrated=True) as url:
        database, other = Database(url, patience_seconds=PATIENCE_SECONDS), Database(url, patience_seconds=20)
        async with other.transaction() as connection:
            await connection.run_sync(_added)
            await _refused(database)
        assert await database.read(_count) == 1
        await database.close()
        await other.close()


@postgres.NEEDED
async def test_a_server_that_hangs_is_unavailable_soon_and_comes_back(server: postgres.Server) -> None:
    async with postgres.database(server, migrated=True) as url:
        database = Database(url, pool_size=2, patience_seconds=PATIENCE_SECONDS)
        other = Database(url, patience_seconds=PATIENCE_SECONDS)
        await other.read(_count)
        await asyncio.gather(*(database.read(_count) for _ in range(2)))
        server.signal(signal.SIGSTOP)
        try:
            assert await _refused(database) == "the database did not answer within 2 s"
            await asyncio.gather(*(_refused(database) for _ in range(3)))
            async with asyncio.timeout(2 * SOON):
                with pytest.raises(StoreUnavailableError):
                    await _transaction(database, _count)
                await other.close()
        finally:
            server.signal(signal.SIGCONT)
        async with asyncio.timeout(30):
            while True:
                try:
                    await database.write(lambda connection: _added(connection, "later"))
                    break
                except StoreUnavailableError:
                    await asyncio.sleep(0.1)
        await database.close()


@postgres.NEEDED
async def test_connections_that_broke_while_they_were_idle_are_not_noticed(server: postgres.Server) -> None:
    async with postgres.database(server, migrated=True) as url:
        database, other = Database(url, patience_seconds=20), Database(url, patience_seconds=20)
        await asyncio.gather(*(database.read(_count) for _ in range(4)))
        end = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        await other.write(lambda connection: connection.execute(end).all())
        await database.write(_added)
        assert await database.read(_count) == 1
        await database.close()
        await other.close()


@postgres.NEEDED
async def test_a_task_that_is_told_to_end_in_a_statement_ends_and_blames_no_database(server: postgres.Server) -> None:
    async with postgres.database(server, migrated=True) as url:
        database = Database(url, patience_seconds=20)
        begun = asyncio.Event()

        async def sleep() -> None:
            async with database.transaction() as connection:
                begun.set()
                await connection.execute(text("SELECT pg_sleep(1.5)"))

        sleeping = asyncio.create_task(sleep())
        await begun.wait()
        await asyncio.sleep(0.2)
        sleeping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sleeping
        assert await database.read(_count) == 0
        await database.close()
