"""What the parts of the run store share."""

from collections.abc import Sequence
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Row, bindparam, func, insert, select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.chain import append
from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.codec import Codec, full_columns
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.guard import check_running
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.history import HISTORY, window
from axhub.agent.domain.messages import Message, UserMessage
from axhub.agent.domain.records import Begun, CallRecord, RunRecord
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import RunEvent, RunState, run_after
from axhub.agent.ports.runs import LostLeaseError
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Base"]

A = TypeVar("A", bound=Actor)

_RUN: Final = tables.run.c
_HELD: Final = (_RUN.id == bindparam("run"), _RUN.version == bindparam("known"), _RUN.state == RunState.RUNNING)
_MOVE: Final = update(tables.run).where(*_HELD)
_LEASE: Final = _MOVE.values(lease_until=in_millis("lease"))
_CALL: Final = tables.call.c
_LOSE: Final = (
    update(tables.call)
    .where(_CALL.run_id == bindparam("run"), _CALL.state == CallState.RUNNING)
    .values(state=after(CallState.RUNNING, CallEvent.LOSE), reference=_CALL.id)
    .returning(tables.call)
)
_TALK: Final = tables.conversation.c
_FREE: Final = (
    update(tables.conversation)
    .where(_TALK.id == bindparam("conversation"), _TALK.active_run_id == bindparam("run"))
    .values(active_run_id=None)
)
_SAID: Final = tables.message.c
_NEWEST: Final = (
    select(_SAID.kind, _SAID.body)
    .where(_SAID.conversation_id == bindparam("conversation"))
    .order_by(_SAID.seq.desc())
    .limit(bindparam("most"))
)
_ASKED: Final = _NEWEST.where(_SAID.kind == "user")
_EARLIER: Final = tables.message.alias("earlier")
_NEXT: Final = select(func.coalesce(func.max(_EARLIER.c.seq), 0) + 1).where(
    _EARLIER.c.conversation_id == bindparam("conversation")
)
_SAY: Final = insert(tables.message).values(seq=_NEXT.scalar_subquery())
_KEEP: Final = insert(tables.full_result).values(created_at=NOW)
_LAST_TURN: Final = select(_CALL.turn).where(_CALL.run_id == bindparam("run")).order_by(_CALL.turn.desc()).limit(1)
_CALLS: Final = (
    select(tables.call, tables.approval.c.comment)
    .join(tables.approval, tables.approval.c.call_id == _CALL.id, isouter=True)
    .where(_CALL.run_id == bindparam("run"), _CALL.turn == _LAST_TURN.scalar_subquery())
    .order_by(_CALL.position)
)


class Base(Generic[A]):
    """A database with a codec."""

    def __init__(self, database: Database, codec: Codec[A]) -> None:
        self._database = database
        database.guarded_by(check_running)
        self._codec = codec

    def _is_moved(
        self,
        connection: Connection,
        run: RunRecord[A],
        event: RunEvent | None,
        lease_seconds: float | None = None,
        **columns: Any,
    ) -> bool:
        """Change a run, if this process holds it: in that version, and in that state; say whether it does."""
        after = RunState.RUNNING if event is None else run_after(RunState.RUNNING, event)
        values = {"run": run.id, "known": run.version, "state": after, "version": run.version + 1, **columns}
        if lease_seconds is None:
            return connection.execute(_MOVE, {**values, "lease_until": None}).rowcount == 1
        return connection.execute(_LEASE, {**values, "lease": millis(lease_seconds)}).rowcount == 1

    def _move(
        self,
        connection: Connection,
        run: RunRecord[A],
        event: RunEvent | None,
        lease_seconds: float | None = None,
        **columns: Any,
    ) -> None:
        """Change a run that this process holds.

        Raises:
            LostLeaseError: it does not hold it any more.
        """
        if not self._is_moved(connection, run, event, lease_seconds, **columns):
            raise LostLeaseError(run.id)

    def _lost(self, connection: Connection, run: RunRecord[A]) -> frozenset[str]:
        """Let calls of a run that run, as far as is known, be of unknown outcome; return their ids (agent/I2)."""
        rows = connection.execute(_LOSE, {"run": run.id}).all()
        lost = [self._codec.audited_call(row) for row in rows]
        append(connection, [_end_of(run, one) for one in lost])
        return frozenset(one.id for one in lost)

    def _free(self, connection: Connection, conversation_id: str, run_id: str) -> None:
        """Let a conversation take messages again."""
        connection.execute(_FREE, {"conversation": conversation_id, "run": run_id})

    def _history(self, connection: Connection, conversation_id: str) -> tuple[Message, ...]:
        """Return what of a conversation a model is shown."""
        of = {"conversation": conversation_id}
        rows = connection.execute(_NEWEST, {**of, "most": HISTORY}).all()
        known = (self._codec.message(row) for row in reversed(rows))
        messages = [one for one in known if one is not None]
        asked = None
        if len(rows) == HISTORY and not any(isinstance(one, UserMessage) for one in messages):
            before = [self._codec.message(row) for row in connection.execute(_ASKED, {**of, "most": 1})]
            asked = next((one for one in before if isinstance(one, UserMessage)), None)
        return window(messages, asked)

    @staticmethod
    def _keep(connection: Connection, tenant_id: str, user_id: str, full: Sequence[FullResult | None]) -> None:
        """Keep the wholes of somebody's results that were cut."""
        rows = [full_columns(one, tenant_id, user_id) for one in full if one is not None]
        if rows:
            connection.execute(_KEEP, rows)

    def _append(self, connection: Connection, run: RunRecord[A], messages: Sequence[Message]) -> None:
        """Add messages to the conversation of a run."""
        talk = run.conversation_id
        own = {"conversation": talk, "conversation_id": talk, "run_id": run.id}
        connection.execute(_SAY, [{**own, **self._codec.message_columns(one)} for one in messages])

    def _calls(self, connection: Connection, row: Any) -> tuple[CallRecord, ...]:
        """Return the calls of the response of a run that has no results yet."""
        return tuple(self._codec.call(one, one.comment or "") for one in self._call_rows(connection, row))

    @staticmethod
    def _call_rows(connection: Connection, row: Any) -> Sequence[Row[Any]]:
        return () if row.turn is None else connection.execute(_CALLS, {"run": row.id}).all()

    def _begun(self, connection: Connection, row: Any) -> Begun[A]:
        """Return a run that was just taken, with its history."""
        run = self._codec.run(row, self._calls(connection, row))
        return Begun(run, self._history(connection, run.conversation_id))


def _end_of(run: RunRecord[Any], call: CallRecord) -> AuditEntry:
    return entry_of(run, AuditAction.CALL_ENDED, call, outcome=call.state.value, reference=call.reference)
