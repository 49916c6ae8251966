"""Which errors of drivers mean that the database is away, full, locked or too slow."""

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

__all__ = ["is_busy", "is_unavailable"]

_CLASSES: Final = frozenset({"08", "28", "3D", "40", "53", "57", "58"})
"""Of SQLSTATE: connection, refused, no such database, deadlock, no room, operator or time-out, system."""
_STATES: Final = frozenset({"25006", "25P03", "55P03"})
"""A replica that cannot be written, a transaction that idled too long, a lock that was not had in time."""
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_SQLITE: Final = _BUSY | {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}
_PRIMARY: Final = 0xFF
"""The bits of an extended result code of SQLite that are the primary one."""


def is_unavailable(error: BaseException) -> bool:
    """Say whether a transaction failed for a reason that lies in the database, not in what was asked of it."""
    if isinstance(error, OSError | PoolTimeoutError):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _is_state(error.orig) or _code(error.orig) in _SQLITE
    return _is_state(error)


def is_busy(error: DBAPIError) -> bool:
    """Say whether another process has SQLite's file."""
    return _code(error.orig) in _BUSY


def _is_state(error: BaseException | None) -> bool:
    state = getattr(error, "sqlstate", None)
    return isinstance(state, str) and (state[:2] in _CLASSES or state in _STATES)


def _code(error: BaseException | None) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return code & _PRIMARY if isinstance(code, int) else None
