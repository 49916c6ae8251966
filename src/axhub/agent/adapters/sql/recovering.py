"""The part of the run store for runs that no process works on: ready ones, and those of dead processes (agent/I2)."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import ReturningUpdate

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.base import Base
from axhub.agent.adapters.sql.chain import append, proposed
from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.codec import SCHEMA_VERSION, text_of
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.records import Begun, CallRecord, RunRecord
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import RunEvent, RunState
from axhub.agent.ports.runs import Lost, LostCall, Unreadable
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Recovering"]

A = TypeVar("A", bound=Actor)
T = TypeVar("T")

_DOUBLED: Final = 10
"""How often the pause between two looks at a call grows."""
_RUN: Final = tables.run.c
_CALL: Final = tables.call.c
_IS_READABLE: Final = _RUN.schema_version <= SCHEMA_VERSION
"""A run that a newer version of ours has stored is left to that."""


def _stands(column: ColumnElement[str], state: StrEnum) -> ColumnElement[bool]:
    """Return the condition of a state, written out: an index of that state alone serves no parameter."""
    return column == literal_column(f"'{state.value}'")


def _taking(due: Select[Any], attempts: Any) -> ReturningUpdate[Any]:
    """Return the statement that takes the first of some runs that no other process takes at this moment."""
    first = due.where(_IS_READABLE).limit(1).with_for_update(skip_locked=True).scalar_subquery()
    values = {"state": RunState.RUNNING, "version": _RUN.version + 1, "lease_until": in_millis("lease")}
    return update(tables.run).where(_RUN.id == first).values(**values, attempts=attempts).returning(tables.run)


_CLAIM: Final = _taking(
    select(_RUN.id).where(_stands(_RUN.state, RunState.READY)).order_by(_RUN.created_at),
    _RUN.attempts,
)
_TAKE_OVER: Final = _taking(
    select(_RUN.id).where(_stands(_RUN.state, RunState.RUNNING), _RUN.lease_until <= NOW).order_by(_RUN.lease_until),
    _RUN.attempts + 1,
)
_NEWER: Final = (
    select(_RUN.id)
    .where(_stands(_RUN.state, RunState.READY), ~_IS_READABLE)
    .union_all(select(_RUN.id).where(_stands(_RUN.state, RunState.RUNNING), _RUN.lease_until <= NOW, ~_IS_READABLE))
    .limit(bindparam("most"))
)
_PASS_OVER: Final = (
    update(tables.run).where(_RUN.id == bindparam("run")).values(version=_RUN.version - 1, attempts=_RUN.attempts - 1)
)
"""Leaves a run as it was, but for its lease."""
_SAID: Final = tables.approval.c
_IS_FOR_A_PERSON: Final = or_(_CALL.needs_approval, _SAID.id.is_not(None))
_NOT_APPROVED: Final = (
    select(_CALL.id)
    .join(tables.approval, _SAID.call_id == _CALL.id, isouter=True)
    .where(
        _CALL.run_id == bindparam("run"),
        or_(_CALL.state == CallState.APPROVED, and_(_CALL.state == CallState.PROPOSED, _IS_FOR_A_PERSON)),
        or_(
            _SAID.decision.is_distinct_from(Decision.APPROVE.value),
            _SAID.expires_at <= NOW,
            _SAID.tenant_id != bindparam("tenant"),
            _SAID.requester != bindparam("requester"),
        ),
    )
)
"""Calls that would run now, and whose approval was given too long ago, never, or for somebody else: such a row was
edited."""
_WOULD_RUN: Final = frozenset({CallState.PROPOSED, CallState.APPROVED})
_EXPIRE: Final = (
    update(tables.call)
    .where(_CALL.id.in_(bindparam("ids", expanding=True)))
    .values(state=after(CallState.APPROVED, CallEvent.EXPIRE))
)
_PAUSE: Final = literal_column("5000", BigInteger).bitwise_lshift(
    case((_CALL.looks < _DOUBLED, _CALL.looks), else_=_DOUBLED)
)
"""How long after a look the next one is due, in milliseconds."""
_DOUBTFUL: Final = (
    select(tables.call)
    .join(tables.run, _RUN.id == _CALL.run_id)
    .where(_stands(_CALL.state, CallState.UNKNOWN), _IS_READABLE)
    .where(or_(_CALL.looked_at.is_(None), _CALL.looked_at <= NOW - _PAUSE))
    .order_by(_CALL.looked_at.is_not(None), _CALL.looked_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True, of=tables.call)
)
_LOOK: Final = (
    update(tables.call)
    .where(_CALL.id.in_(bindparam("ids", expanding=True)))
    .values(looked_at=NOW, looks=_CALL.looks + 1)
)
_RUNS: Final = select(tables.run).where(_RUN.id.in_(bindparam("ids", expanding=True)))
_RESOLVE: Final = update(tables.call).where(_CALL.id == bindparam("call"), _CALL.state == CallState.UNKNOWN)


class Recovering(Base[A]):
    """See `ports.runs.RunStore`."""

    async def claim_ready(self, lease_seconds: float) -> Begun[A] | Unreadable | None:
        """See `RunStore`."""

        def work(connection: Connection) -> Begun[A] | Unreadable | None:
            row = _taken(connection, _CLAIM, lease_seconds)
            begun = None if row is None else _read(row.id, partial(self._begun, connection, row))
            if not isinstance(begun, Begun):
                return begun
            return _as_proposed(connection, self._without_late(connection, begun))

        return await self._database.write(work)

    def _without_late(self, connection: Connection, begun: Begun[A]) -> Begun[A]:
        """Let calls of a run expire whose approval is too old by now, or was never given (agent/R2)."""
        run = begun.run
        own = {"run": run.id, "tenant": run.actor.tenant_id, "requester": run.actor.user_id}
        late = connection.execute(_NOT_APPROVED, own).scalars().all()
        if not late:
            return begun
        connection.execute(_EXPIRE, {"ids": list(late)})
        calls = tuple(replace(one, state=CallState.EXPIRED) if one.id in late else one for one in run.calls)
        append(connection, [entry_of(run, AuditAction.CALL_EXPIRED, one) for one in calls if one.id in late])
        return replace(begun, run=replace(run, calls=calls))

    async def take_over(self, lease_seconds: float) -> Lost[A] | Unreadable | None:
        """See `RunStore`."""

        def work(connection: Connection) -> Lost[A] | Unreadable | None:
            row = _taken(connection, _TAKE_OVER, lease_seconds)
            if row is None:
                return None
            run = _read(row.id, lambda: self._codec.run(row, self._calls(connection, row)))
            if isinstance(run, Unreadable):
                connection.execute(_PASS_OVER, {"run": row.id})
                return run
            lost = self._lost(connection, run)
            calls = tuple(_as_lost(one) if one.id in lost else one for one in run.calls)
            return Lost(replace(run, calls=calls))

        return await self._database.write(work)

    async def give_back(self, run: RunRecord[A]) -> None:
        """See `RunStore`."""

        def work(connection: Connection) -> None:
            self._move(connection, run, RunEvent.RECOVER)

        return await self._database.write(work)

    async def newer(self, most: int) -> tuple[str, ...]:
        """See `RunStore`."""

        def work(connection: Connection) -> tuple[str, ...]:
            return tuple(connection.execute(_NEWER, {"most": most}).scalars())

        return await self._database.read(work)

    async def unknown(self, most: int) -> tuple[LostCall[A] | Unreadable, ...]:
        """See `RunStore`."""

        def work(connection: Connection) -> tuple[LostCall[A] | Unreadable, ...]:
            rows = connection.execute(_DOUBTFUL, {"most": most}).all()
            if not rows:
                return ()
            connection.execute(_LOOK, {"ids": [row.id for row in rows]})
            found = connection.execute(_RUNS, {"ids": list({row.run_id for row in rows})})
            runs = {row.id: _read(row.id, partial(self._codec.run, row)) for row in found}
            return tuple(self._lost_call(runs[row.run_id], row) for row in rows)

        return await self._database.write(work)

    def _lost_call(self, run: RunRecord[A] | Unreadable, row: Row[Any]) -> LostCall[A] | Unreadable:
        if isinstance(run, Unreadable):
            return run
        call = _read(run.id, lambda: self._codec.call(row))
        return call if isinstance(call, Unreadable) else LostCall(run, call)

    async def resolve(
        self, call: CallRecord, event: CallEvent, audit: AuditEntry, full: FullResult | None = None
    ) -> None:
        """See `RunStore`."""
        state = after(CallState.UNKNOWN, event)
        known = {"call": call.id, "state": state, "result": None if call.result is None else text_of(call.result)}

        def work(connection: Connection) -> None:
            if connection.execute(_RESOLVE, known).rowcount == 1:
                self._keep(connection, audit.tenant_id, audit.user_id, [full])
                append(connection, [audit])

        return await self._database.write(work)


def _read(run_id: str, reading: Callable[[], T]) -> T | Unreadable:
    """Return what was read, or why it cannot be: one such row must not keep all others from being taken."""
    try:
        return reading()
    except DBAPIError:
        raise
    except Exception as error:  # noqa: BLE001 -- the application's codec may raise anything
        return Unreadable(run_id, error)


def _as_proposed(connection: Connection, begun: Begun[A]) -> Begun[A]:
    """Say of each call that would run how it was proposed, by the audit (agent/R2)."""
    run = begun.run
    about = proposed(connection, run, [one for one in run.calls if one.state in _WOULD_RUN])
    calls = tuple(replace(one, proposed_sha256=about.get(one.id, "")) for one in run.calls)
    return replace(begun, run=replace(run, calls=calls))


def _as_lost(one: CallRecord) -> CallRecord:
    return replace(one, state=CallState.UNKNOWN, reference=one.id)


def _taken(connection: Connection, taking: ReturningUpdate[Any], lease_seconds: float) -> Row[Any] | None:
    row: Row[Any] | None = connection.execute(taking, {"lease": millis(lease_seconds)}).one_or_none()
    return row
