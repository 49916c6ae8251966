"""A `RepeatStore` in one SQLite file: it outlives the process, and all processes of a host share it (rule/TK804).

A key is taken by one statement, so of any number of callers one runs. Whoever is killed between taking a key and noting
the answer leaves it without an answer: nobody knows what became of that call, and a person has to look.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from axhub.toolkit.ports import Stored

__all__ = ["SqliteRepeatStore"]

_BUSY_SECONDS: Final = 4.0
"""How long a statement waits for another process; below the time that a service gives the note of an answer."""
_OWNER_ONLY: Final = 0o600
"""Answers may hold personal data."""
_TABLE: Final = """\
CREATE TABLE IF NOT EXISTS calls (
  tool TEXT NOT NULL,
  key TEXT NOT NULL,
  begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  answer BLOB,
  digest TEXT,
  PRIMARY KEY (tool, key)
) WITHOUT ROWID"""
_COLUMNS: Final = "SELECT name FROM pragma_table_info('calls')"
_ADD_DIGEST: Final = "ALTER TABLE calls ADD COLUMN digest TEXT"
_TAKE: Final = "INSERT INTO calls (tool, key, digest) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_FIND: Final = "SELECT answer, digest FROM calls WHERE tool = ? AND key = ?"
_NOTE: Final = """\
INSERT INTO calls (tool, key, answer) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET answer = excluded.answer"""
_GIVE_BACK: Final = "DELETE FROM calls WHERE tool = ? AND key = ? AND answer IS NULL"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Entry:
    answer: bytes | None
    digest: str | None


class SqliteRepeatStore:
    """A `RepeatStore` in a file of this host.

    ```python
    app = ToolService("claim_tools", provide={RepeatStore: SqliteRepeatStore("/var/lib/claim-tools/repeats.sqlite3")})
    ```

    The file has to be on a disk of the host, not on a network share, and every process of the service on that host uses
    the same one. Replicas on several hosts need one store for all of them: put the organisation's database behind the
    port `RepeatStore`, and have it pass the port's suite.

    Nothing is ever deleted; the column `begun` (UTC) says what is old enough to be. SQLite runs in a thread of its own,
    so the event loop is not blocked.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take the file's path; nothing is opened before the first use, or the start of the service.

        Args:
            path: made with its table if there is none; its folder has to exist.
        """
        self._path = Path(path)
        self._database: sqlite3.Connection | None = None
        self._worker: ThreadPoolExecutor | None = None

    async def __aenter__(self) -> Self:
        """Open the file, so that a service that cannot use it does not start.

        Raises:
            OSError: it cannot be opened or is no database; the message names it.
        """
        await self._run(self._connected)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        await self._run(self._close)
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.shutdown(wait=False)

    async def begin(self, tool: str, key: str, digest: str | None = None) -> Stored | None:
        """Take the key, or return what is stored under it; a caller that is cancelled meanwhile has not taken it."""
        taking = self._submit(lambda: self._begin(tool, key, digest))
        try:
            return await asyncio.wrap_future(taking)
        except asyncio.CancelledError:
            self._submit(lambda: self._undo(taking, tool, key))
            raise

    async def finish(self, tool: str, key: str, answer: bytes) -> None:
        """Store the answer of a call that ran."""
        await self._run(lambda: self._connected().execute(_NOTE, (tool, key, answer)))

    async def release(self, tool: str, key: str) -> None:
        """Give a key back, unless it has an answer."""
        await self._run(lambda: self._connected().execute(_GIVE_BACK, (tool, key)))

    def _submit(self, work: Callable[[], _T]) -> "Future[_T]":
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="repeat-store")
        return self._worker.submit(work)

    async def _run(self, work: Callable[[], _T]) -> _T:
        return await asyncio.wrap_future(self._submit(work))

    def _connected(self) -> sqlite3.Connection:
        """Return the open database; only the worker's thread comes here."""
        if self._database is None:
            try:
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, _OWNER_ONLY))
                self._database = _open(self._path)
            except (OSError, sqlite3.Error) as error:
                reason = error.strerror if isinstance(error, OSError) else str(error)
                raise OSError(f"the repeat store {self._path} cannot be used: {reason}") from error
        return self._database

    def _close(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            database.close()

    def _begin(self, tool: str, key: str, digest: str | None) -> _Entry | None:
        database = self._connected()
        while database.execute(_TAKE, (tool, key, digest)).rowcount == 0:
            found = database.execute(_FIND, (tool, key)).fetchone()
            if found is not None:  # else it was given back between the two: take it
                return _Entry(*found)
        return None

    def _undo(self, taking: "Future[_Entry | None]", tool: str, key: str) -> None:
        """Give a key back that was taken for nobody; runs after `_begin`, in the same thread."""
        if not taking.cancelled() and taking.exception() is None and taking.result() is None:
            self._connected().execute(_GIVE_BACK, (tool, key))


def _open(path: Path) -> sqlite3.Connection:
    # isolation_level=None: each statement is a transaction of its own, and it is on the disk when it returns.
    database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute(_TABLE)
        _complete(database)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _complete(database: sqlite3.Connection) -> None:
    """Add what a file lacks that an earlier version made."""
    if ("digest",) in database.execute(_COLUMNS).fetchall():
        return
    try:
        database.execute(_ADD_DIGEST)
    except sqlite3.OperationalError:
        if ("digest",) not in database.execute(_COLUMNS).fetchall():  # else another process was faster
            raise
