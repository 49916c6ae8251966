"""The part of the run store in memory for runs that nobody works on (agent/I2)."""

from dataclasses import replace
from typing import TypeVar

from axhub.agent.adapters.memory.base import Base
from axhub.agent.adapters.memory.data import Call, Run
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.history import HISTORY, window
from axhub.agent.domain.messages import UserMessage
from axhub.agent.domain.records import Begun, CallRecord, RunRecord
from axhub.agent.domain.runs import RunEvent, RunState
from axhub.agent.ports.runs import Lost, LostCall
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Recovering"]

A = TypeVar("A", bound=Actor)


class Recovering(Base[A]):
    """See `ports.runs.RunStore`."""

    async def claim_ready(self, lease_seconds: float) -> Begun[A] | None:
        """See `RunStore`."""
        row = next((run for run in self._data.runs.values() if run.state is RunState.READY), None)
        if row is None:
            return None
        self._change(row, RunState.RUNNING, lease_seconds)
        for call in row.calls.values():
            if call.record.state is CallState.APPROVED and self._is_late(call):
                call.record = replace(call.record, state=after(call.record.state, CallEvent.EXPIRE))
                self._data.append([entry_of(row.record, AuditAction.CALL_EXPIRED, call.record)])
        said = self._data.conversations[row.record.conversation_id].messages
        asked = next((one for one in reversed(said) if isinstance(one, UserMessage)), None)
        return Begun(row.taken(), window(said[-HISTORY:], asked))

    def _is_late(self, call: Call) -> bool:
        return call.approval is not None and call.approval.expires_at <= self._data.now()

    async def take_over(self, lease_seconds: float) -> Lost[A] | None:
        """See `RunStore`."""
        row = next((run for run in self._data.runs.values() if self._is_dead(run)), None)
        if row is None:
            return None
        self._change(row, RunState.RUNNING, lease_seconds)
        row.attempts += 1
        for call in row.calls.values():
            if call.record.state is CallState.RUNNING:
                lost = after(call.record.state, CallEvent.LOSE)
                one = call.record = replace(call.record, state=lost, reference=call.record.id)
                entry = entry_of(row.record, AuditAction.CALL_ENDED, one, outcome=lost.value, reference=one.id)
                self._data.append([entry])
        return Lost(row.taken(), row.attempts)

    def _is_dead(self, row: Run[A]) -> bool:
        is_over = row.lease_until is not None and row.lease_until <= self._data.now()
        return row.state is RunState.RUNNING and is_over

    async def give_back(self, run: RunRecord[A]) -> None:
        """See `RunStore`."""
        self._moved(run, RunEvent.RECOVER, None)

    async def unknown(self, most: int) -> tuple[LostCall[A], ...]:
        """See `RunStore`."""
        rows = [(run, call) for run in self._data.runs.values() for call in run.calls.values()]
        doubtful = [(run, call) for run, call in rows if call.record.state is CallState.UNKNOWN]
        doubtful = sorted(doubtful, key=lambda one: one[1].looked_at)[:most]
        for _, call in doubtful:
            call.looked_at = self._data.now()
        return tuple(LostCall(run.record, call.record) for run, call in doubtful)

    async def resolve(self, call: CallRecord, event: CallEvent, audit: AuditEntry) -> None:
        """See `RunStore`."""
        state = after(CallState.UNKNOWN, event)
        rows = (run.calls[call.id] for run in self._data.runs.values() if call.id in run.calls)
        for row in rows:
            if row.record.state is CallState.UNKNOWN:
                row.record = replace(row.record, state=state, result=call.result)
                self._data.append([audit])
