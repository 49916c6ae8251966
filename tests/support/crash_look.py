"""What a database says of orders, runs, calls and their audit, and what of it has to fit together whatever broke."""

import json
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Table, select
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables as agent_tables
from axhub.agent.adapters.sql.chain import SqlAuditTrail
from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.audit import verify
from axhub.agent.domain.calls import SETTLED, CallState
from axhub.agent.domain.runs import ACTIVE
from order_service.adapters.persistence import tables

__all__ = ["Look", "left", "look"]

_TABLES: Final = {
    "orders": tables.order,
    "results": tables.result,
    "outbox": agent_tables.outbox,
    "calls": agent_tables.call,
    "runs": agent_tables.run,
    "messages": agent_tables.message,
}


@dataclass(frozen=True)
class Look:
    """All rows, as they stand at one moment."""

    orders: list[Any]
    results: list[Any]
    outbox: list[Any]
    calls: list[Any]
    runs: list[Any]
    messages: list[Any]
    audit: list[dict[str, Any]]

    @property
    def refunded(self) -> set[str]:
        """The orders that are."""
        return {one.id for one in self.orders if one.status == "REFUNDED"}

    def fits(self) -> None:
        """Fail unless each order was refunded once or not at all, and record, event and intent say the same."""
        assert {one.id: one.version for one in self.orders if one.version != 1} == dict.fromkeys(self.refunded, 2)
        assert sorted(one.key for one in self.results) == sorted(f"refund:{one}" for one in self.refunded)
        assert sorted(json.loads(one.payload)["order_id"] for one in self.outbox) == sorted(self.refunded)
        intended = {one["arguments"].get("order_id") for one in self.audit if one["action"] == "call_intended"}
        assert self.refunded - intended == set()

    def is_at_rest(self) -> None:
        """Fail unless all has ended: runs, calls with one result each, intents with their outcome, events that left."""
        self.fits()
        assert [one.state for one in self.runs if one.state in ACTIVE] == []
        assert {one.state for one in self.calls} <= {state.value for state in SETTLED - {CallState.UNKNOWN}}
        assert self._without_one_result() == []
        done = {json.loads(one.arguments)["order_id"] for one in self.calls if one.state == CallState.DONE}
        assert done == self.refunded
        steps = Counter((one["call_id"], one["action"]) for one in self.audit)
        assert [call for call, action in steps if action == "call_intended" and not steps[call, "call_ended"]] == []
        assert {count for (_, action), count in steps.items() if action == "call_intended"} <= {1}
        assert [one.id for one in self.outbox if one.published_at is None] == []

    def _without_one_result(self) -> list[str]:
        """Return the calls that do not have exactly one result in the history of their conversation."""
        wrong = [one.id for one in self.calls if one.result is None]
        asked: list[str] = []
        for one in sorted(self.messages, key=lambda row: (row.conversation_id, row.seq)):
            body = json.loads(one.body)
            if one.kind == "results":
                given = [result["call_id"] for result in body["results"]]
                wrong += [] if given == asked else [*asked, *given]
                asked = []
            else:
                wrong += asked
                asked = [call["id"] for call in body.get("calls", [])]
        return wrong + asked


async def look(database: Database) -> Look:
    """Return what stands in a database; its audit hangs together."""

    found = {name: await database.read(partial(_rows, table)) for name, table in _TABLES.items()}
    trail = SqlAuditTrail(database)
    entries = [one async for one in trail.entries()]
    assert list(verify(entries, await trail.heads())) == []
    return Look(audit=[json.loads(one.body) for one in entries], **found)


def _rows(table: Table, connection: Connection) -> list[Any]:
    return list(connection.execute(select(table)))


def left(events: Path) -> dict[str, set[str]]:
    """Return the ids of events that have left, by order."""
    gone: dict[str, set[str]] = {}
    for line in events.read_text().splitlines():
        order, id_ = line.split()
        gone.setdefault(order, set()).add(id_)
    return gone
