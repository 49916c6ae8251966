"""What is removed from the database when it is old, a batch in a transaction."""

from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, Table, bindparam, delete, or_, select
from sqlalchemy.engine import Connection
from sqlalchemy.sql.dml import Delete

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.clock import in_millis, millis
from axhub.agent.adapters.sql.database import Database
from axhub.agent.ports.retention import Spent

__all__ = ["SqlRetention"]

_BOX: Final = tables.outbox.c
_KEY: Final = tables.idempotency.c
_FULL: Final = tables.full_result.c
_BEFORE: Final = in_millis("ago")


class _Removal(NamedTuple):
    find: Select[Any]
    """The keys of the oldest rows; those that another process removes at this moment are left to it."""
    remove: Delete
    """One of them."""


def _removal(table: Table, age: ColumnElement[int], *conditions: ColumnElement[bool]) -> _Removal:
    key = list(table.primary_key.columns)
    old = select(*key).where(age <= _BEFORE, *conditions).order_by(age).limit(bindparam("most"))
    one = (column == bindparam(f"its_{column.name}") for column in key)
    return _Removal(old.with_for_update(skip_locked=True), delete(table).where(*one))


_REMOVALS: Final = {
    Spent.PUBLISHED_EVENTS: _removal(tables.outbox, _BOX.published_at, _BOX.dead_at.is_(None)),
    Spent.REQUEST_KEYS: _removal(
        tables.idempotency, _KEY.created_at, or_(_KEY.response.is_not(None), _KEY.locked_until <= _BEFORE)
    ),
    Spent.FULL_RESULTS: _removal(tables.full_result, _FULL.created_at),
}


class SqlRetention:
    """See `ports.retention.RetentionStore`."""

    def __init__(self, database: Database) -> None:
        """Take the database in which the run store, the outbox and the keys of requests stand."""
        self._database = database

    async def remove(self, what: Spent, older_than_seconds: float, most: int) -> int:
        """See `RetentionStore`."""
        removal, wanted = _REMOVALS[what], {"ago": -millis(older_than_seconds), "most": most}

        def work(connection: Connection) -> int:
            rows = connection.execute(removal.find, wanted).mappings().all()
            keys = [{f"its_{name}": value for name, value in row.items()} for row in rows]
            if keys:
                connection.execute(removal.remove, keys)  # one by one: no plan of a long list reads a table whole
            return len(keys)

        return await self._database.write(work)
