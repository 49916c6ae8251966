"""Events in the transaction of what happened, until a relay has published them (agent/I4)."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.sql import ColumnElement

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.codec import text_of
from axhub.agent.adapters.sql.database import Database
from axhub.agent.ports.events import Event, OutboxItem

__all__ = ["SqlOutbox", "add_event"]


def _open(columns: Any) -> tuple[ColumnElement[bool], ...]:
    return columns.published_at.is_(None), columns.dead_at.is_(None)


_BOX: Final = tables.outbox.c
_ADD: Final = insert(tables.outbox).values(created_at=NOW, next_at=NOW)
_OLDER: Final = tables.outbox.alias("older")
_BEFORE: Final = (_OLDER.c.aggregate == _BOX.aggregate, _OLDER.c.seq < _BOX.seq, *_open(_OLDER.c))
_DUE: Final = (
    select(_BOX.seq)
    .where(*_open(_BOX), _BOX.next_at <= NOW, ~select(_OLDER.c.seq).where(*_BEFORE).exists())
    .order_by(_BOX.seq)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True, of=tables.outbox)
)
_LEASE: Final = (
    update(tables.outbox)
    .where(_BOX.seq.in_(bindparam("seqs", expanding=True)))
    .values(next_at=in_millis("lease"), attempts=_BOX.attempts + 1)
    .returning(tables.outbox)
)
_OF_EVENT: Final = update(tables.outbox).where(_BOX.id == bindparam("event"))
_PUBLISHED: Final = _OF_EVENT.values(published_at=NOW)
_UNSENT: Final = _OF_EVENT.where(_BOX.published_at.is_(None))
_DEAD: Final = _UNSENT.values(dead_at=NOW)
_LATER: Final = _UNSENT.values(next_at=in_millis("pause"))
_UNTRIED: Final = _UNSENT.where(_BOX.attempts == bindparam("known")).values(next_at=NOW, attempts=_BOX.attempts - 1)
_LAG: Final = select(NOW - _BOX.created_at).where(*_open(_BOX)).order_by(_BOX.seq).limit(1)


def add_event(connection: Connection, event: Event) -> None:
    """Store an event in the caller's transaction: it leaves if and only if that commits."""
    row = {"id": event.id, "aggregate": event.aggregate, "type": event.type, "payload": text_of(event.payload)}
    connection.execute(_ADD, row)


class SqlOutbox:
    """See `ports.events.OutboxStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, most: int, lease_seconds: float) -> tuple[OutboxItem, ...]:
        """See `OutboxStore`."""

        def work(connection: Connection) -> tuple[OutboxItem, ...]:
            seqs = list(connection.execute(_DUE, {"most": most}).scalars())
            if not seqs:
                return ()
            taken = connection.execute(_LEASE, {"seqs": seqs, "lease": millis(lease_seconds)})
            return tuple(_item(row) for row in sorted(taken, key=lambda row: row.seq))

        return await self._database.write(work)

    async def published(self, event_id: str) -> None:
        """See `OutboxStore`."""
        await self._change(_PUBLISHED, event=event_id)

    async def failed(self, event_id: str, retry_in: float | None) -> None:
        """See `OutboxStore`."""
        if retry_in is None:
            await self._change(_DEAD, event=event_id)
        else:
            await self._change(_LATER, event=event_id, pause=millis(retry_in))

    async def give_back(self, items: Sequence[OutboxItem]) -> None:
        """See `OutboxStore`."""
        rows = [{"event": one.event.id, "known": one.attempts} for one in items]

        def work(connection: Connection) -> None:
            if rows:
                connection.execute(_UNTRIED, rows)

        return await self._database.write(work)

    async def lag_seconds(self) -> float:
        """See `OutboxStore`."""

        def work(connection: Connection) -> float:
            return (connection.execute(_LAG).scalar() or 0) / 1000

        return await self._database.read(work)

    async def _change(self, change: Any, **parameters: str | int) -> None:
        def work(connection: Connection) -> None:
            connection.execute(change, parameters)

        return await self._database.write(work)


def _item(row: Any) -> OutboxItem:
    return OutboxItem(Event(row.id, row.aggregate, row.type, json.loads(row.payload)), row.attempts)
