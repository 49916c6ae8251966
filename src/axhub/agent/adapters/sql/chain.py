"""Appends to the audit in the caller's transaction, and reads it (agent/I3)."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from sqlalchemy import bindparam, insert, select, tuple_, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.clock import NOW
from axhub.agent.adapters.sql.database import Database, Once
from axhub.agent.domain.audit import GENESIS, AuditEntry, ChainedEntry, Head, chained
from axhub.agent.domain.moments import moment

__all__ = ["SqlAuditTrail", "append"]

_PAGE: Final = 1_000

_AUDIT: Final = tables.audit.c
_HEAD: Final = tables.audit_head.c
_OF_TENANT: Final = _HEAD.tenant_id == bindparam("tenant")
_LOCK_HEAD: Final = select(_HEAD.seq, _HEAD.hash, NOW.label("now")).where(_OF_TENANT).with_for_update()
_MOVE_HEAD: Final = update(tables.audit_head).where(_OF_TENANT)
_BEGIN: Final = Once(tables.audit_head)
_ADD: Final = insert(tables.audit)
_LATER: Final = tuple_(_AUDIT.tenant_id, _AUDIT.seq) > tuple_(bindparam("tenant"), bindparam("after"))
_NEXT: Final = select(tables.audit).where(_LATER).order_by(_AUDIT.tenant_id, _AUDIT.seq).limit(_PAGE)
_HEADS: Final = select(tables.audit_head).where(_HEAD.seq > 0).order_by(_HEAD.tenant_id)


def append(connection: Connection, entries: Sequence[AuditEntry]) -> None:
    """Add entries to their tenants' chains, in this transaction: they are there if and only if it commits.

    Replicas that append for one tenant wait for each other at the row of its head.
    """
    for tenant_id in sorted({entry.tenant_id for entry in entries}):
        _append_for(connection, tenant_id, [one for one in entries if one.tenant_id == tenant_id])


def _append_for(connection: Connection, tenant_id: str, entries: Sequence[AuditEntry]) -> None:
    seq, hash_, now = _head(connection, tenant_id)
    at = moment(now, "milliseconds")
    rows = []
    for entry in entries:
        one = chained(tenant_id, seq + 1, replace(entry, at=at).body(), hash_)
        seq, hash_ = one.seq, one.hash
        rows.append({"tenant_id": tenant_id, "seq": seq, "body": one.body, "previous": one.previous, "hash": hash_})
    connection.execute(_ADD, rows)
    connection.execute(_MOVE_HEAD, {"tenant": tenant_id, "seq": seq, "hash": hash_})


def _head(connection: Connection, tenant_id: str) -> tuple[int, str, int]:
    """Return where a tenant's chain ends and the time, with its head locked; begin a chain where there is none."""
    wanted = {"tenant": tenant_id}
    found = connection.execute(_LOCK_HEAD, wanted).one_or_none()
    if found is None:
        _BEGIN.execute(connection, {"tenant_id": tenant_id, "seq": 0, "hash": GENESIS})
        found = connection.execute(_LOCK_HEAD, wanted).one()
    return found.seq, found.hash, found.now


class SqlAuditTrail:
    """See `ports.audit.AuditTrail`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def entries(self) -> AsyncIterator[ChainedEntry]:
        """See `AuditTrail`; a page at a time, so that the memory does not grow with the audit."""
        tenant_id, seq = "", 0
        while True:
            page = await self._database.read(partial(_page, tenant_id, seq))
            for entry in page:
                yield entry
            if len(page) < _PAGE:
                return
            tenant_id, seq = page[-1].tenant_id, page[-1].seq

    async def heads(self) -> tuple[Head, ...]:
        """See `AuditTrail`."""

        def work(connection: Connection) -> tuple[Head, ...]:
            return tuple(Head(row.tenant_id, row.seq, row.hash) for row in connection.execute(_HEADS))

        return await self._database.read(work)


def _page(tenant_id: str, seq: int, connection: Connection) -> list[ChainedEntry]:
    """Return the entries that follow one."""
    return [_entry(row) for row in connection.execute(_NEXT, {"tenant": tenant_id, "after": seq})]


def _entry(row: Any) -> ChainedEntry:
    return ChainedEntry(row.tenant_id, row.seq, row.body, row.previous, row.hash)
