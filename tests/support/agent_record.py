"""All that a database says of what an agent did: its rows, and an audit that hangs together."""

import json
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from sqlalchemy import Table, select
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables as agent_tables
from axhub.agent.adapters.sql.chain import SqlAuditTrail
from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.audit import verify
from order_service.adapters.persistence import tables

__all__ = ["Record", "record_of"]

_TABLES: Final = {
    "runs": agent_tables.run,
    "calls": agent_tables.call,
    "approvals": agent_tables.approval,
    "messages": agent_tables.message,
    "outbox": agent_tables.outbox,
    "orders": tables.order,
}


@dataclass(frozen=True)
class Record:
    """The rows, as they stand at one moment."""

    runs: list[Any]
    calls: list[Any]
    approvals: list[Any]
    messages: list[Any]
    outbox: list[Any]
    orders: list[Any]
    audit: list[dict[str, Any]]
    """Each tenant's entries, in order."""


async def record_of(database: Database) -> Record:
    """Return what stands in a database; fail if its audit does not verify."""
    rows = {name: await database.read(partial(_rows, table)) for name, table in _TABLES.items()}
    trail = SqlAuditTrail(database)
    entries = [one async for one in trail.entries()]
    assert list(verify(entries, await trail.heads())) == []
    return Record(audit=[json.loads(one.body) for one in entries], **rows)


def _rows(table: Table, connection: Connection) -> list[Any]:
    return list(connection.execute(select(table)))
