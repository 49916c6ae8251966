"""The part of the run store for what people decide, and for what nobody decided in time (agent/R2 to R4)."""

from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.chain import append
from axhub.agent.adapters.sql.clock import NOW
from axhub.agent.adapters.sql.codec import is_storable
from axhub.agent.adapters.sql.reading import Reading
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decider, Decision, DecisionFault, PendingCall, check_decision
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.records import RunView
from axhub.agent.domain.runs import RunState
from axhub.agent.domain.settlement import AUDITED
from axhub.agent.domain.texts import storable
from axhub.agent.ports.runs import Decided, NotWaitingError
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Deciding"]

A = TypeVar("A", bound=Actor)

_EVENTS: Final = {Decision.APPROVE: CallEvent.APPROVE, Decision.DENY: CallEvent.DENY}
_HIDDEN: Final = frozenset({DecisionFault.NOT_FOUND, DecisionFault.NOT_APPROVER})
"""Faults of people who may not see what the approval is about."""
_BATCH: Final = 50
_TAKEN_BACK: Final = (CallState.PROPOSED, CallState.WAITING, CallState.APPROVED)

_RUN: Final = tables.run.c
_CALL: Final = tables.call.c
_APPROVAL: Final = tables.approval.c
_OF_APPROVAL: Final = _APPROVAL.id == bindparam("approval")
_IS_EXPIRED: Final = _APPROVAL.expires_at <= NOW
_OF_RUN: Final = _RUN.id == bindparam("run")
_LOCK: Final = select(_RUN.id).where(_OF_RUN).with_for_update()
_RUN_OF: Final = select(_APPROVAL.run_id).where(_OF_APPROVAL)
_PENDING: Final = (
    select(tables.approval, _CALL.state, _IS_EXPIRED.label("is_expired"))
    .join(tables.call, _CALL.id == _APPROVAL.call_id)
    .where(_OF_APPROVAL)
)
_SAY: Final = update(tables.approval).where(_OF_APPROVAL).values(decided_at=NOW, is_open=False)
_CHANGE_CALL: Final = update(tables.call).where(_CALL.id == bindparam("call"))
_WAITING_CALL: Final = select(_CALL.id).where(_CALL.run_id == bindparam("run"), _CALL.state == CallState.WAITING)
_READY: Final = (
    update(tables.run)
    .where(_OF_RUN, _RUN.state == RunState.WAITING, ~_WAITING_CALL.exists())
    .values(state=RunState.READY, version=_RUN.version + 1)
)
_WITHDRAW: Final = (
    update(tables.run)
    .where(_OF_RUN, _RUN.state.in_([RunState.WAITING, RunState.READY]))
    .values(state=RunState.WITHDRAWN, version=_RUN.version + 1, turn=None)
)
_TAKE_BACK: Final = (
    update(tables.call)
    .where(_CALL.run_id == bindparam("run"), _CALL.state.in_(_TAKEN_BACK))
    .values(state=CallState.WITHDRAWN)
)
_CLOSE: Final = update(tables.approval).where(_APPROVAL.run_id == bindparam("run")).values(is_open=False)
_DUE: Final = (
    select(_APPROVAL.run_id).where(_APPROVAL.is_open, _IS_EXPIRED).order_by(_APPROVAL.expires_at).limit(_BATCH)
)
_DUE_CALLS: Final = (
    select(_APPROVAL.call_id)
    .where(_APPROVAL.run_id == bindparam("run"), _APPROVAL.is_open, _IS_EXPIRED)
    .order_by(_APPROVAL.call_id)
)
_CLOSE_ONE: Final = update(tables.approval).where(_APPROVAL.call_id == bindparam("call")).values(is_open=False)


class Deciding(Reading[A]):
    """See `ports.runs.RunStore`."""

    async def decide(
        self, approval_id: str, decision: Decision, comment: str, decider: Decider, *, may_decide_own: bool
    ) -> Decided:
        """See `RunStore`."""

        def work(connection: Connection) -> Decided:
            row = self._locked(connection, approval_id)
            pending = None if row is None else _pending(row)
            fault = check_decision(pending, decision, decider, may_decide_own=may_decide_own)
            if row is not None and fault in AUDITED:
                run, one = self._run_and_call(connection, row.call_id)
                refused = entry_of(run, AuditAction.DECISION_REFUSED, one, outcome=fault.value)
                append(connection, [refused.decided(decision.value, decider.user_id)])
            if row is None or pending is None or fault in _HIDDEN:
                return Decided(fault or DecisionFault.NOT_FOUND, None)
            is_ready = False
            if fault is None and pending.decided is None:
                is_ready = self._decided(connection, row, decision, comment, decider)
            return Decided(fault, self._approval_view(connection, approval_id), is_ready)

        return await self._database.write(work)

    @staticmethod
    def _locked(connection: Connection, approval_id: str) -> Row[Any] | None:
        """Return an approval with its call, and its run locked: all decisions about one run follow each other."""
        wanted = {"approval": approval_id}
        if not is_storable(approval_id):
            return None
        run_id = connection.execute(_RUN_OF, wanted).scalar()
        if run_id is None:
            return None
        connection.execute(_LOCK, {"run": run_id})
        return connection.execute(_PENDING, wanted).one()

    def _decided(
        self, connection: Connection, row: Row[Any], decision: Decision, comment: str, decider: Decider
    ) -> bool:
        """Store a decision; say whether the run can go on."""
        said = {"decision": decision, "approver": storable(decider.user_id), "comment": storable(comment)}
        connection.execute(_SAY, {"approval": row.id, **said})
        state = after(CallState(row.state), _EVENTS[decision])
        connection.execute(_CHANGE_CALL, {"call": row.call_id, "state": state})
        run, one = self._run_and_call(connection, row.call_id)
        entry = entry_of(run, AuditAction.CALL_DECIDED, one, outcome=state.value)
        append(connection, [entry.decided(decision.value, decider.user_id)])
        return _is_ready(connection, row.run_id)

    async def withdraw(self, run_id: str, actor: A) -> RunView:
        """See `RunStore`."""

        def work(connection: Connection) -> RunView:
            row = self._own_run(connection, run_id, actor, locked=True)
            of = {"run": run_id}
            if connection.execute(_WITHDRAW, of).rowcount != 1:
                raise NotWaitingError(run_id)
            calls = [self._codec.audited_call(one) for one in self._call_rows(connection, row)]
            connection.execute(_TAKE_BACK, of)
            connection.execute(_CLOSE, of)
            self._free(connection, row.conversation_id, run_id)
            run = self._codec.audited(row)
            taken = [one for one in calls if one.state in _TAKEN_BACK]
            append(connection, [entry_of(run, AuditAction.CALL_WITHDRAWN, one) for one in taken])
            return self._view(connection, run_id, actor)

        return await self._database.write(work)

    async def expire(self) -> int:
        """See `RunStore`."""
        ready = 0
        due = await self._database.read(lambda connection: list(connection.execute(_DUE).scalars()))
        for run_id in dict.fromkeys(due):
            ready += await self._database.write(partial(self._expired, run_id))
        return ready

    def _expired(self, run_id: str, connection: Connection) -> bool:
        of = {"run": run_id}
        connection.execute(_LOCK, of)
        calls = list(connection.execute(_DUE_CALLS, of).scalars())
        for call_id in calls:
            connection.execute(_CLOSE_ONE, {"call": call_id})
            connection.execute(_CHANGE_CALL, {"call": call_id, "state": CallState.EXPIRED})
            record, one = self._run_and_call(connection, call_id)
            append(connection, [entry_of(record, AuditAction.CALL_EXPIRED, one)])
        return bool(calls) and _is_ready(connection, run_id)


def _pending(row: Row[Any]) -> PendingCall:
    decided = None if row.decision is None else Decision(row.decision)
    return PendingCall(row.id, row.tenant_id, row.requester, CallState(row.state), bool(row.is_expired), decided)


def _is_ready(connection: Connection, run_id: str) -> bool:
    """Let a run go on if none of its calls waits any more; say whether it does."""
    return connection.execute(_READY, {"run": run_id}).rowcount == 1
