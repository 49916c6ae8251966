"""The part of the run store in memory for runs that nobody works on (agent/I2)."""

from dataclasses import replace
from typing import Final, TypeVar

from axhub.agent.adapters.memory.base import Base
from axhub.agent.adapters.memory.data import Call, Run
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.history import HISTORY, window
from axhub.agent.domain.messages import UserMessage
from axhub.agent.domain.records import Begun, CallRecord, RunRecord
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import RunEvent, RunState
from axhub.agent.ports.runs import Lost, LostCall
from axhub.agent.usecases.auditing import entry_of, proposed_hash

__all__ = ["Recovering"]

A = TypeVar("A", bound=Actor)

_FIRST_MILLIS: Final = 5_000
_DOUBLED: Final = 10
_WOULD_RUN: Final = frozenset({CallState.PROPOSED, CallState.APPROVED})


class Recovering(Base[A]):
    """See `ports.runs.RunStore`."""

    async def claim_ready(self, lease_seconds: float) -> Begun[A] | None:
        """See `RunStore`."""
        row = next((run for run in self._data.runs.values() if run.state is RunState.READY), None)
        if row is None:
            return None
        self._change(row, RunState.RUNNING, lease_seconds)
        for call in row.calls.values():
            if self._is_not_approved(call):
                call.record = replace(call.record, state=after(CallState.APPROVED, CallEvent.EXPIRE))
                self._data.append([entry_of(row.record, AuditAction.CALL_EXPIRED, call.record)])
        said = self._data.conversations[row.record.conversation_id].messages
        asked = next((one for one in reversed(said) if isinstance(one, UserMessage)), None)
        return Begun(_as_proposed(row), window(said[-HISTORY:], asked))

    def _is_not_approved(self, call: Call) -> bool:
        """Say whether a call would run now whose approval was given too long ago, or never."""
        state, asked = call.record.state, call.approval
        is_for_a_person = call.record.needs_approval or asked is not None
        would_run = state is CallState.APPROVED or (state is CallState.PROPOSED and is_for_a_person)
        is_good = asked is not None and asked.decision is Decision.APPROVE and asked.expires_at > self._data.now()
        return would_run and not is_good

    async def take_over(self, lease_seconds: float) -> Lost[A] | None:
        """See `RunStore`."""
        row = next((run for run in self._data.runs.values() if self._is_dead(run)), None)
        if row is None:
            return None
        self._change(row, RunState.RUNNING, lease_seconds)
        row.record = replace(row.record, attempts=row.record.attempts + 1)
        self._lose(row)
        return Lost(row.taken())

    def _is_dead(self, row: Run[A]) -> bool:
        is_over = row.lease_until is not None and row.lease_until <= self._data.now()
        return row.state is RunState.RUNNING and is_over

    async def give_back(self, run: RunRecord[A]) -> None:
        """See `RunStore`."""
        self._moved(run, RunEvent.RECOVER, None)

    async def newer(self, _most: int) -> tuple[str, ...]:
        """See `RunStore`; of one process all is of one version."""
        return ()

    async def unknown(self, most: int) -> tuple[LostCall[A], ...]:
        """See `RunStore`."""
        rows = [(run, call) for run in self._data.runs.values() for call in run.calls.values()]
        doubtful = [(run, call) for run, call in rows if self._is_to_look_at(call)]
        doubtful = sorted(doubtful, key=lambda one: one[1].looked_at or 0)[:most]
        for _, call in doubtful:
            call.looked_at = self._data.now()
            call.looks += 1
        return tuple(LostCall(run.record, call.record) for run, call in doubtful)

    def _is_to_look_at(self, call: Call) -> bool:
        if call.record.state is not CallState.UNKNOWN:
            return False
        pause = _FIRST_MILLIS << min(call.looks, _DOUBLED)
        return call.looked_at is None or call.looked_at + pause <= self._data.now()

    async def resolve(
        self, call: CallRecord, event: CallEvent, audit: AuditEntry, full: FullResult | None = None
    ) -> None:
        """See `RunStore`."""
        state = after(CallState.UNKNOWN, event)
        rows = ((run, run.calls[call.id]) for run in self._data.runs.values() if call.id in run.calls)
        for run, row in rows:
            if row.record.state is CallState.UNKNOWN:
                row.record = replace(row.record, state=state, result=call.result)
                self._keep(run, full)
                self._data.append([audit])


def _as_proposed(row: Run[A]) -> RunRecord[A]:
    """Return a run as its process holds it, with how each of its calls was proposed, by the audit (agent/R2)."""
    run = row.taken()
    bodies = {one.id: row.calls[one.id].proposed for one in run.calls if one.state in _WOULD_RUN}
    hashes = {one.id: proposed_hash(bodies[one.id], run, one) for one in run.calls if bodies.get(one.id)}
    calls = tuple(replace(one, proposed_sha256=hashes.get(one.id, "")) for one in run.calls)
    return replace(run, calls=calls)
