"""What a database says of orders, runs, calls and their audit, and what of it has to fit together whatever broke."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Table, select
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables as agent_tables
from axhub.agent.adapters.sql.chain import SqlAuditTrail
from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.audit import verify
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.runs import ACTIVE
from order_service.adapters.persistence import tables

__all__ = ["Look", "left", "look"]

_OPEN: Final = {CallState.PROPOSED, CallState.WAITING, CallState.APPROVED, CallState.RUNNING, CallState.UNKNOWN}
_ENDED: Final = {state.value for state in set(CallState) - _OPEN}
_TABLES: Final = {
    "orders": tables.order,
    "payouts": tables.payout,
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
    payouts: list[Any]
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
        self.adds_up()
        intended = {one["arguments"].get("order_id") for one in self.audit if one["action"] == "call_intended"}
        assert self.refunded - intended == set()

    def is_at_rest(self) -> None:
        """Fail unless all has ended: runs, calls with one result each, intents with their outcome, events that left."""
        self.fits()
        self.is_settled()
        assert [one.state for one in self.runs if one.state in ACTIVE] == []
        assert {one.state for one in self.calls} <= _ENDED
        assert self._without_one_result() == []
        done = {json.loads(one.arguments)["order_id"] for one in self.calls if one.state == CallState.DONE}
        assert done == self.refunded
        steps = Counter((one["call_id"], one["action"]) for one in self.audit)
        self._each_has_one_end({call for call, action in steps if action == "call_intended"})
        assert {count for (_, action), count in steps.items() if action == "call_intended"} <= {1}

    def _each_has_one_end(self, intended: set[str]) -> None:
        """Fail unless each intended call has one known end, and was in doubt at most once before it.

        What a process says that had lost its run is told as late; a read of it, whose row was never stored, ends so.
        """
        told = Counter((one["call_id"], one["outcome"] == CallState.UNKNOWN) for one in self.audit if _is_end(one))
        stored = {one.id for one in self.calls}
        assert {call: told[call, False] for call in intended & stored if told[call, False] != 1} == {}
        assert {call for (call, is_doubt), count in told.items() if is_doubt and count > 1} == set()
        late = {one["call_id"] for one in self.audit if one["action"] == "outcome_late"}
        assert intended - stored - late == set()

    def adds_up(self) -> None:
        """Fail unless version, records, payouts and events of each order tell one story, whoever refunded it."""
        for order in self.orders:
            assert self._found(order.id) == self._told(order), order.id

    def is_settled(self) -> None:
        """Fail unless each refund was paid out or taken back, and every event has left."""
        self.adds_up()
        assert {one.state for one in self.payouts} <= {"PAID", "DECLINED"}
        assert [one.id for one in self.outbox if one.published_at is None] == []

    def _told(self, order: Any) -> tuple[list[str], list[str], list[str]]:
        """Return what there must be of an order that was taken back so often: keys, states of payouts, events."""
        back, is_refunded = order.declined_refunds, order.status == "REFUNDED"
        assert order.version == 1 + 2 * back + is_refunded, order.id
        keys = [
            f"refund:{order.id}" + (f":{number}" if number > 1 else "") for number in range(1, back + is_refunded + 1)
        ]
        events = ["order.refunded", "order.refund_declined"] * back
        if not is_refunded:
            return keys, ["DECLINED"] * back, events
        (last,) = (one.state for one in self.payouts if one.key == keys[-1])
        assert last != "DECLINED", order.id
        return (
            keys,
            ["DECLINED"] * back + [last],
            [*events, "order.refunded", *["order.refund_paid"] * (last == "PAID")],
        )

    def _found(self, order_id: str) -> tuple[list[str], list[str], list[str]]:
        rows = self._by_order
        keys = [one.key for one in rows["results"].get(order_id, [])]
        payouts = rows["payouts"].get(order_id, [])
        assert [one.key for one in payouts] == keys
        return keys, [one.state for one in payouts], [one.type for one in rows["outbox"].get(order_id, [])]

    @cached_property
    def _by_order(self) -> dict[str, dict[str, list[Any]]]:
        """Return rows of records, payouts and events, by the order that they are about, in their order."""
        return {
            "results": _grouped(self.results, lambda one: one.key.split(":")[1], lambda one: one.key),
            "payouts": _grouped(self.payouts, lambda one: one.order_id, lambda one: one.key),
            "outbox": _grouped(self.outbox, lambda one: json.loads(one.payload)["order_id"], lambda one: one.seq),
        }

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


def _is_end(entry: dict[str, Any]) -> bool:
    return entry["action"] in {"call_ended", "call_settled"}


async def look(database: Database) -> Look:
    """Return what stands in a database; its audit hangs together."""

    found = {name: await database.read(partial(_rows, table)) for name, table in _TABLES.items()}
    trail = SqlAuditTrail(database)
    entries = [one async for one in trail.entries()]
    assert list(verify(entries, await trail.heads())) == []
    return Look(audit=[json.loads(one.body) for one in entries], **found)


def _rows(table: Table, connection: Connection) -> list[Any]:
    return list(connection.execute(select(table)))


def _grouped(rows: list[Any], of: Callable[[Any], str], by: Callable[[Any], Any]) -> dict[str, list[Any]]:
    ordered = sorted(rows, key=lambda row: (of(row), by(row)))
    return {key: list(group) for key, group in groupby(ordered, key=of)}


def left(events: Path, kind: str = "order.refunded") -> dict[str, set[str]]:
    """Return the ids of events of a kind that have left, by order."""
    gone: dict[str, set[str]] = {}
    for line in events.read_text().splitlines():
        type_, order, id_ = line.split()
        if type_ == kind:
            gone.setdefault(order, set()).add(id_)
    return gone
