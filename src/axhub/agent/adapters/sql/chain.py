"""Appends to the audit in the caller's transaction, and reads it (agent/I3)."""

import logging
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import and_, bindparam, func, insert, select, tuple_, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.clock import NOW
from axhub.agent.adapters.sql.database import Database, Once
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import GENESIS, AuditEntry, ChainedEntry, Head, chained
from axhub.agent.domain.moments import moment
from axhub.agent.domain.records import CallRecord, RunRecord
from axhub.agent.usecases.auditing import proposed_hash

__all__ = ["SqlAuditTrail", "append", "lock", "proposed"]

A = TypeVar("A", bound=Actor)

_PAGE: Final = 1_000
_LAST_SEQ: Final = 2**63 - 1
_LOG: Final = logging.getLogger("axhub.agent")

_AUDIT: Final = tables.audit.c
_HEAD: Final = tables.audit_head.c
_OF_TENANT: Final = _HEAD.tenant_id == bindparam("tenant")
_LAST: Final = select(func.max(_AUDIT.seq)).where(_AUDIT.tenant_id == bindparam("tenant")).scalar_subquery()
_LOCK_HEAD: Final = (
    select(_HEAD.seq, _HEAD.hash, NOW.label("now"), _LAST.label("last"))
    .where(_OF_TENANT)
    .with_for_update(of=tables.audit_head)
)
_ENTRY: Final = select(_AUDIT.seq, _AUDIT.hash).where(
    _AUDIT.tenant_id == bindparam("tenant"), _AUDIT.seq == bindparam("last")
)
_MOVE_HEAD: Final = update(tables.audit_head).where(_OF_TENANT)
_BEGIN: Final = Once(tables.audit_head)
_ADD: Final = insert(tables.audit)
_LATER: Final = tuple_(_AUDIT.tenant_id, _AUDIT.seq) > tuple_(bindparam("tenant"), bindparam("after"))
_NEXT: Final = select(tables.audit).where(_LATER).order_by(_AUDIT.tenant_id, _AUDIT.seq).limit(_PAGE)
_CALL: Final = tables.call.c
_PROPOSED: Final = (
    select(_CALL.id, _AUDIT.body)
    .join(tables.audit, and_(_AUDIT.tenant_id == bindparam("tenant"), _AUDIT.seq == _CALL.proposed_seq))
    .where(_CALL.run_id == bindparam("run"))
)
_BEFORE: Final = (
    select(_AUDIT.seq, _AUDIT.body)
    .where(_AUDIT.tenant_id == bindparam("tenant"), _AUDIT.seq < bindparam("before"))
    .order_by(_AUDIT.seq.desc())
    .limit(_PAGE)
)
_HEADS: Final = select(tables.audit_head).where(_HEAD.seq > 0).order_by(_HEAD.tenant_id)


def append(connection: Connection, entries: Sequence[AuditEntry]) -> Mapping[str, int]:
    """Add entries to their tenants' chains, in this transaction: they are there if and only if it commits.

    Replicas that append for one tenant wait for each other at the row of its head.

    Returns:
        By the id of each call that they are about, the number of the last entry about it.
    """
    places: dict[str, int] = {}
    for tenant_id in sorted({entry.tenant_id for entry in entries}):
        places |= _append_for(connection, tenant_id, [one for one in entries if one.tenant_id == tenant_id])
    return places


def lock(connection: Connection, tenant_id: str) -> None:
    """Let no other transaction append for a tenant before this one ends: what is looked at now is what is stored."""
    _head(connection, tenant_id)


def proposed(connection: Connection, run: RunRecord[A], calls: Collection[CallRecord]) -> dict[str, str]:
    """Return the hashes of the arguments with which calls of a run were proposed, as the audit has them, by id.

    A call that was held says where its proposal stands. Of another one, and of one that a version before has held, the
    newest entry that is one is looked for.
    """
    stored = connection.execute(_PROPOSED, {"run": run.id, "tenant": run.actor.tenant_id})
    bodies = {row.id: row.body for row in stored}
    found = {one.id: proposed_hash(bodies[one.id], run, one) for one in calls if one.id in bodies}
    missing = [one for one in calls if one.id not in bodies]
    return found | _newest(connection, run, missing)


def _newest(connection: Connection, run: RunRecord[A], missing: list[CallRecord]) -> dict[str, str]:
    """Walk an audit from its end until each call is found; they are of the last hours, as a rule."""
    found: dict[str, str] = {}
    before = _LAST_SEQ
    while left := [one for one in missing if one.id not in found]:
        page = connection.execute(_BEFORE, {"tenant": run.actor.tenant_id, "before": before}).all()
        for row in page:
            found = {one.id: hash_ for one in left if (hash_ := proposed_hash(row.body, run, one))} | found
        if len(page) < _PAGE:
            break
        before = page[-1].seq
    return found


def _append_for(connection: Connection, tenant_id: str, entries: Sequence[AuditEntry]) -> dict[str, int]:
    seq, hash_, now = _head(connection, tenant_id)
    at = moment(now, "milliseconds")
    rows: list[dict[str, Any]] = []
    for entry in entries:
        one = chained(tenant_id, seq + 1, replace(entry, at=at).body(), hash_)
        seq, hash_ = one.seq, one.hash
        rows.append({"tenant_id": tenant_id, "seq": seq, "body": one.body, "previous": one.previous, "hash": hash_})
    connection.execute(_ADD, rows)
    connection.execute(_MOVE_HEAD, {"tenant": tenant_id, "seq": seq, "hash": hash_})
    return {entry.call_id: row["seq"] for entry, row in zip(entries, rows, strict=True)}


def _head(connection: Connection, tenant_id: str) -> tuple[int, str, int]:
    """Return where a tenant's chain ends and the time, with its head locked; begin a chain where there is none."""
    wanted = {"tenant": tenant_id}
    found = connection.execute(_LOCK_HEAD, wanted).one_or_none()
    if found is None:
        _BEGIN.execute(connection, {"tenant_id": tenant_id, "seq": 0, "hash": GENESIS})
        found = connection.execute(_LOCK_HEAD, wanted).one()
    if found.last is None or found.last <= found.seq:
        return found.seq, found.hash, found.now
    _LOG.error("audit head set back: %d, the last entry of this chain is %d", found.seq, found.last)
    end = connection.execute(_ENTRY, {**wanted, "last": found.last}).one()  # nothing is lost: what stands there counts
    return end.seq, end.hash, found.now


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
