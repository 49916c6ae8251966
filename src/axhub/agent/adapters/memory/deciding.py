"""The part of the run store in memory for what people decide, or did not decide in time (agent/R2 to R4)."""

from dataclasses import replace
from typing import Final, TypeVar

from axhub.agent.adapters.memory.base import Base
from axhub.agent.adapters.memory.data import Call, Run
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decider, Decision, DecisionFault, PendingCall, check_decision
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.records import RunView
from axhub.agent.domain.runs import RunState
from axhub.agent.domain.settlement import AUDITED
from axhub.agent.ports.runs import Decided, NotWaitingError
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Deciding"]

A = TypeVar("A", bound=Actor)

_EVENTS: Final = {Decision.APPROVE: CallEvent.APPROVE, Decision.DENY: CallEvent.DENY}
_HIDDEN: Final = frozenset({DecisionFault.NOT_FOUND, DecisionFault.NOT_APPROVER})
_TAKEN_BACK: Final = (CallState.PROPOSED, CallState.WAITING, CallState.APPROVED)


class Deciding(Base[A]):
    """See `ports.runs.RunStore`."""

    async def decide(
        self, approval_id: str, decision: Decision, comment: str, decider: Decider, *, may_decide_own: bool
    ) -> Decided:
        """See `RunStore`."""
        row = next((run for run in self._data.runs.values() if approval_id in run.calls), None)
        call = None if row is None else row.calls[approval_id]
        pending = None if row is None or call is None else self._pending(row, call)
        fault = check_decision(pending, decision, decider, may_decide_own=may_decide_own)
        if row is not None and call is not None and fault in AUDITED:
            refused = entry_of(row.record, AuditAction.DECISION_REFUSED, call.record, outcome=fault.value)
            self._data.append([refused.decided(decision.value, decider.user_id)])
        if row is None or call is None or pending is None or fault in _HIDDEN:
            return Decided(fault or DecisionFault.NOT_FOUND, None)
        is_ready = False
        if fault is None and pending.decided is None:
            is_ready = self._decided(row, call, decision, comment, decider)
        view = next(one for one in self._views(row) if one.id == approval_id)
        return Decided(fault, view, is_ready)

    def _pending(self, row: Run[A], call: Call) -> PendingCall | None:
        asked = call.approval
        if asked is None:
            return None
        is_expired = asked.expires_at <= self._data.now()
        actor, one = row.record.actor, call.record
        return PendingCall(one.id, actor.tenant_id, actor.user_id, one.state, is_expired, asked.decision)

    def _decided(self, row: Run[A], call: Call, decision: Decision, comment: str, decider: Decider) -> bool:
        if call.approval is not None:
            asked = replace(call.approval, decision=decision, approver=decider.user_id, comment=comment, is_open=False)
            call.approval = asked
        call.record = replace(call.record, state=after(call.record.state, _EVENTS[decision]))
        entry = entry_of(row.record, AuditAction.CALL_DECIDED, call.record, outcome=call.record.state.value)
        self._data.append([entry.decided(decision.value, decider.user_id)])
        return self._is_ready(row)

    def _is_ready(self, row: Run[A]) -> bool:
        """Let a run go on if none of its calls waits any more; say whether it does."""
        waits = any(call.record.state is CallState.WAITING for call in row.calls.values())
        if row.state is not RunState.WAITING or waits:
            return False
        self._change(row, RunState.READY)
        return True

    async def withdraw(self, run_id: str, actor: A) -> RunView:
        """See `RunStore`."""
        row = self._own_run(run_id, actor)
        if row.state not in {RunState.WAITING, RunState.READY}:
            raise NotWaitingError(run_id)
        taken = [call for call in row.calls.values() if call.record.state in _TAKEN_BACK]
        self._data.append([entry_of(row.record, AuditAction.CALL_WITHDRAWN, call.record) for call in taken])
        for call in taken:
            self._close(call, CallEvent.WITHDRAW)
        self._change(row, RunState.WITHDRAWN)
        row.record = replace(row.record, turn=None)
        self._free(row)
        return self._view(row)

    async def expire(self) -> int:
        """See `RunStore`."""
        ready = 0
        for row in self._data.runs.values():
            due = [call for call in row.calls.values() if self._is_due(call)]
            for call in due:
                self._close(call, CallEvent.EXPIRE)
                self._data.append([entry_of(row.record, AuditAction.CALL_EXPIRED, call.record)])
            ready += bool(due) and self._is_ready(row)
        return ready

    def _is_due(self, call: Call) -> bool:
        asked = call.approval
        return asked is not None and asked.is_open and asked.expires_at <= self._data.now()

    @staticmethod
    def _close(call: Call, event: CallEvent) -> None:
        call.record = replace(call.record, state=after(call.record.state, event))
        if call.approval is not None:
            call.approval = replace(call.approval, is_open=False)
