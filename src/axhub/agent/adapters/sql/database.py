"""One database: SQLite or PostgreSQL, with short transactions (agent/L8).

Nothing here waits for long: a database that does not answer is `StoreUnavailableError` within `PATIENCE_SECONDS`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar

from sqlalchemy import Table, create_engine, event
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.engine import URL, Connection, Engine, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from axhub.agent.adapters.sql.faults import is_busy, is_unavailable
from axhub.agent.ports.runs import StoreUnavailableError

__all__ = ["PATIENCE_SECONDS", "Database", "Once"]

PATIENCE_SECONDS: Final = 2.0
"""How long a transaction may take, with all waiting for connections and locks."""
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_NO_ADDRESS: Final = (
    "the database's address cannot be used: write sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME, "
    "with %XX for each of / : @ ? in a name or password"
)
_AWAY: Final = "the database does not answer as it should"
_BEGIN: Final = "axhub_begin"
_APPLICATION: Final = "axhub_application"
_BUSY_MILLIS: Final = 1_000
"""How long the stores wait for another process at a time; the application's transactions wait once, as long in all."""
_LOCK_SHARE, _STATEMENT_SHARE = 0.75, 0.95
"""Of the patience: PostgreSQL gives up a little before its caller does, and says why."""
_IDLE_TRANSACTION_MILLIS: Final = "10000"

T = TypeVar("T")


class Once:
    """An INSERT that does nothing where a row with the same keys is there."""

    def __init__(self, table: Table, **values: Any) -> None:
        """Take the table, and the values that are expressions; all others are parameters."""
        self._on_sqlite = sqlite_insert(table).values(values).on_conflict_do_nothing()
        self._on_postgresql = postgresql_insert(table).values(values).on_conflict_do_nothing()

    def execute(self, connection: Connection, parameters: Mapping[str, Any]) -> bool:
        """Say whether the row was inserted."""
        is_sqlite = connection.dialect.name == "sqlite"
        made = self._on_sqlite if is_sqlite else self._on_postgresql
        return connection.execute(made, parameters).rowcount > 0


class _LostConnectionError(Exception):
    """The connection broke before the commit was asked for, so nothing has happened."""


class Database:
    """Runs transactions; one a process and database.

    A transaction of the stores is one plain function. On SQLite it runs in a thread of its own, with one change of
    threads a transaction where an asynchronous driver has several a statement; SQLite has one writer anyway. A
    transaction that has begun goes on when its caller is cancelled.
    """

    def __init__(self, url: str, *, pool_size: int = 5, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """Take the address; nothing is connected yet.

        Args:
            url: `sqlite:///orders.sqlite3` or `postgresql://user:password@host/name`.
            pool_size: connections that are kept; PostgreSQL only.
            patience_seconds: how long a transaction may take, with all waiting for connections and locks.

        Raises:
            ValueError: it is neither; the text shows nothing of it, as a password may stand there.
        """
        made, self._patience_seconds = _with_driver(_address(url)), patience_seconds
        self.is_sqlite: Final = made.get_backend_name() == "sqlite"
        options: dict[str, Any] = {"hide_parameters": True}  # values stand in no error text
        if not self.is_sqlite:
            bounds = {"timeout": patience_seconds, "command_timeout": patience_seconds}
            options |= {"connect_args": {"server_settings": _postgres_settings(patience_seconds), **bounds}}
            options |= {"pool_size": pool_size, "pool_timeout": patience_seconds}
        self.engine: AsyncEngine = create_async_engine(made, **options)
        event.listen(self.engine.sync_engine, "handle_error", _tell)
        self._guard: Callable[[Connection], None] | None = None
        self._under_way: set[asyncio.Future[Any]] = set()
        self._is_closed = False
        self._plain: Engine | None = None
        self._thread: ThreadPoolExecutor | None = None
        if self.is_sqlite:
            self._plain = create_engine(made.set(drivername="sqlite"), hide_parameters=True)
            self._thread = ThreadPoolExecutor(1, "axhub-sqlite")
            for engine, millis in ((self.engine.sync_engine, patience_seconds * 1000), (self._plain, _BUSY_MILLIS)):
                event.listen(engine, "connect", partial(_prepare, int(millis)))
                event.listen(engine, "begin", _begin)

    def guarded_by(self, guard: Callable[[Connection], None]) -> None:
        """Let a function look at each transaction of the application's as it begins; it refuses one by raising."""
        self._guard = guard

    async def write(self, work: Callable[[Connection], T], *, seconds: float | None = None) -> T:
        """Run a function in a transaction that changes something; if it raises, nothing has changed.

        It may be run twice, if the connection breaks the first time.

        Raises:
            StoreUnavailableError: the database is away, full, locked or too slow; `seconds` say how slow.
        """
        return await self._run(work, "IMMEDIATE", self._patience_seconds if seconds is None else seconds)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a function in a transaction that changes nothing.

        Raises:
            StoreUnavailableError: as above.
        """
        return await self._run(work, "DEFERRED", self._patience_seconds)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction for the application's own tables; committed at the end of the block, or rolled back.

        The functions of this package that take a connection run in it by `connection.run_sync`. A tool's is refused
        once another process has taken its call over, if the run store was given the same `Database`.

        Raises:
            LostLeaseError: the call that this task runs is another process's now; nothing has happened.
            StoreUnavailableError: the database is away, full, locked or too slow for one of the statements.
        """
        async with AsyncExitStack() as stack:
            connection = await self._connected(stack)
            async with connection.begin():
                if self._guard is not None:
                    await connection.run_sync(self._guard)
                yield connection

    async def _connected(self, stack: AsyncExitStack) -> AsyncConnection:
        """Return a connection whose errors `_tell` looks at; those of the application are nobody's business here."""
        try:
            connection = await stack.enter_async_context(self.engine.connect())
        except Exception as error:
            if _is_away(error):
                raise StoreUnavailableError(_AWAY) from error
            raise
        return await connection.execution_options(**{_APPLICATION: True})

    async def close(self) -> None:
        """Close every connection, when what is under way has ended."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=self._patience_seconds)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience_seconds):
                await self.engine.dispose()
        if self._plain is not None and self._thread is not None and not self._is_closed:
            self._is_closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._plain.dispose)
            self._thread.shutdown(wait=False)

    async def _run(self, work: Callable[[Connection], T], kind: str, seconds: float) -> T:
        if self._plain is None:
            under_way: asyncio.Future[T] = asyncio.create_task(self._on_postgresql(work))
        else:
            in_thread = partial(_on_sqlite, self._plain, work, kind, monotonic() + seconds)
            under_way = asyncio.get_running_loop().run_in_executor(self._thread, in_thread)
        self._under_way.add(under_way)
        under_way.add_done_callback(self._ended)
        done, _ = await asyncio.wait({under_way}, timeout=seconds)
        if not done:
            under_way.cancel()
            raise StoreUnavailableError(f"the database did not answer within {seconds:g} s")
        try:
            return under_way.result()
        except Exception as error:
            if _is_away(error):
                raise StoreUnavailableError(_AWAY) from error
            raise

    def _ended(self, under_way: asyncio.Future[Any]) -> None:
        self._under_way.discard(under_way)
        if not under_way.cancelled():
            under_way.exception()  # nobody may be waiting for it any more

    async def _on_postgresql(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction, again if the connection turns out to be broken: one is not asked before each use."""
        for is_last in (False, True):
            try:
                async with self.engine.connect() as connection:
                    return await connection.run_sync(_in_transaction, work)
            except _LostConnectionError:
                if is_last:
                    raise
        raise AssertionError  # pragma: no cover -- the loop returns or raises


def _on_sqlite(engine: Engine, work: Callable[[Connection], T], kind: str, until: float) -> T:
    """Run a transaction, waiting for other processes until a moment after which nothing may begin any more."""
    while True:
        try:
            with engine.connect().execution_options(**{_BEGIN: kind}) as connection:
                return _in_transaction(connection, work, until)
        except DBAPIError as error:
            if not is_busy(error) or monotonic() >= until:
                raise


def _in_transaction(connection: Connection, work: Callable[[Connection], T], until: float | None = None) -> T:
    with closing(connection.begin()) as transaction:
        if until is not None and monotonic() >= until:
            raise TimeoutError
        try:
            result = work(connection)
        except DBAPIError as error:
            if error.connection_invalidated:
                raise _LostConnectionError from error
            raise
        transaction.commit()
        return result


def _is_away(error: Exception) -> bool:
    return isinstance(error, _LostConnectionError) or is_unavailable(error)


def _tell(context: ExceptionContext) -> None:
    """Replace an error that lies in the database where it is raised, in a transaction of the application's."""
    of_application = context.connection is not None and context.connection.get_execution_options().get(_APPLICATION)
    error = context.sqlalchemy_exception or context.original_exception
    if not isinstance(context.original_exception, Exception):
        return  # a task that is told to end while it waits for the driver: no fault of the database's
    if of_application and (context.is_disconnect or is_unavailable(error)):
        raise StoreUnavailableError(_AWAY) from context.original_exception


def _address(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # a port that is no number is of the second kind
        raise ValueError(_NO_ADDRESS) from None


def _with_driver(url: URL) -> URL:
    driver = _DRIVERS.get(url.get_backend_name())
    if driver is None or (driver.startswith("sqlite") and url.host):
        raise ValueError(_NO_ADDRESS)
    return url.set(drivername=driver)


def _postgres_settings(patience_seconds: float) -> dict[str, str]:
    return {
        "lock_timeout": f"{patience_seconds * 1000 * _LOCK_SHARE:.0f}",
        "statement_timeout": f"{patience_seconds * 1000 * _STATEMENT_SHARE:.0f}",
        "idle_in_transaction_session_timeout": _IDLE_TRANSACTION_MILLIS,
    }


def _prepare(busy_millis: int, connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={busy_millis}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Any) -> None:
    kind = connection.get_execution_options().get(_BEGIN, "IMMEDIATE")
    connection.exec_driver_sql(f"BEGIN {kind}")
