"""The adapter of `RunStore` in memory; no method waits, so each is one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from axhub.agent.adapters.memory.base import is_same
from axhub.agent.adapters.memory.data import Approval, Call, Conversation, Run
from axhub.agent.adapters.memory.deciding import Deciding
from axhub.agent.adapters.memory.recovering import Recovering
from axhub.agent.adapters.memory.settling import Settling
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditEntry, late
from axhub.agent.domain.calls import BLOCKING, CallEvent, CallState, after
from axhub.agent.domain.history import HISTORY, window
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, ResultsMessage, UserMessage
from axhub.agent.domain.records import ApprovalView, Begun, CallRecord, NewRun, RunRecord
from axhub.agent.domain.runs import RunEvent, RunState, StopReason
from axhub.agent.ports.runs import (
    Busy,
    LostLeaseError,
    PendingApprovalError,
    RunInProgressError,
    Settled,
    TooManyPendingError,
)

__all__ = ["MemoryRunStore"]

A = TypeVar("A", bound=Actor)


class MemoryRunStore(Deciding[A], Settling[A], Recovering[A]):
    """See `ports.runs.RunStore`."""

    async def begin(self, new: NewRun[A]) -> Begun[A]:
        """See `RunStore`."""
        talk = self._taken_conversation(new)
        run = RunRecord(
            id=new.id,
            conversation_id=new.conversation_id,
            agent=new.agent,
            actor=new.actor,
            offered=new.offered,
            policy_version=new.policy_version,
            approval_policy_version=new.approval_policy_version,
            trace_id=new.trace_id,
            version=1,
        )
        talk.active_run_id = new.id
        self._data.runs[new.id] = Run(run, RunState.RUNNING, self._data.now(new.lease_seconds))
        history = window(talk.messages[-HISTORY:])
        said = UserMessage(new.message)
        talk.messages.append(said)
        return Begun(run, (*history, said))

    def _taken_conversation(self, new: NewRun[A]) -> Conversation:
        if new.is_new_conversation:
            made = Conversation(new.actor.tenant_id, new.actor.user_id, None)
            return self._data.conversations.setdefault(new.conversation_id, made)
        talk = self._own_conversation(new.conversation_id, new.actor)
        if talk.active_run_id is None:
            return talk
        waits = self._data.runs[talk.active_run_id].state is not RunState.RUNNING
        raise (PendingApprovalError if waits else RunInProgressError)(new.conversation_id)

    async def hold(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        calls: Sequence[CallRecord],
        counters: Counters,
        audit: Sequence[AuditEntry],
        expires_in: float,
        most_pending: int,
    ) -> tuple[ApprovalView, ...]:
        """See `RunStore`."""
        self._check_held(run)
        waiting = [one for one in calls if one.state is CallState.WAITING]
        if self._pending_of(run) + len(waiting) > most_pending:
            raise TooManyPendingError(run.id)
        row = self._moved(run, RunEvent.HOLD, None)
        self._asked(row, run, message, counters)
        bodies = self._data.append(audit)
        for one in calls:
            asked = Approval(self._data.now(expires_in)) if one.state is CallState.WAITING else None
            row.calls[one.id] = Call(one, asked, proposed=bodies.get(one.id, ""))
        return self._views(row)

    @staticmethod
    def _asked(row: Run[A], run: RunRecord[A], message: AssistantMessage, counters: Counters) -> None:
        """Keep a response that has no results yet, with the policies that were asked about it."""
        row.record = replace(
            row.record,
            turn=message,
            counters=counters,
            policy_version=run.policy_version,
            approval_policy_version=run.approval_policy_version,
        )

    def _pending_of(self, run: RunRecord[A]) -> int:
        """Count the calls of a requester that wait for a person."""
        own = [row for row in self._data.runs.values() if is_same(row.record.actor, run.actor)]
        asked = [call.approval for row in own for call in row.calls.values() if call.approval is not None]
        return len([one for one in asked if one.is_open and one.expires_at > self._data.now()])

    async def intend(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        calls: Sequence[CallRecord],
        counters: Counters,
        audit: Sequence[AuditEntry],
        lease_seconds: float,
    ) -> tuple[RunRecord[A], tuple[Busy, ...]]:
        """See `RunStore`."""
        row = self._moved(run, None, lease_seconds)
        self._asked(row, run, message, counters)
        busy = self._busy(calls)
        for one in calls:
            if one.state is CallState.RUNNING and one.id not in busy:
                self._put(row, one)
            elif one.id not in row.calls:
                self._put(row, replace(one, state=CallState.PROPOSED))
        bodies = self._data.append(audit)
        for id_, call in row.calls.items():
            call.proposed = call.proposed or bodies.get(id_, "")
        return replace(run, version=row.record.version, calls=tuple(calls)), tuple(Busy(id_) for id_ in busy)

    def _busy(self, calls: Sequence[CallRecord]) -> list[str]:
        own = {one.id for one in calls if one.state is CallState.RUNNING}  # a lost sibling blocks its key too
        rows = (call.record for run in self._data.runs.values() for call in run.calls.values())
        taken = {row.key for row in rows if row.state in BLOCKING and row.id not in own}
        busy = []
        for one in calls:
            if one.key is not None and one.state is CallState.RUNNING:
                if one.key in taken:
                    busy.append(one.id)
                taken.add(one.key)
        return busy

    @staticmethod
    def _put(row: Run[A], one: CallRecord) -> None:
        known = row.calls.get(one.id)
        if known is None:
            row.calls[one.id] = Call(one)
        else:
            known.record = one

    async def settle(
        self,
        run: RunRecord[A],
        message: AssistantMessage,
        calls: Sequence[Settled],
        counters: Counters,
        audit: Sequence[AuditEntry],
        lease_seconds: float,
    ) -> RunRecord[A]:
        """See `RunStore`."""
        row = self._data.runs[run.id]
        is_held = self._is_held(row, run)
        if not is_held:
            changed = self._change_doubtful(row, calls)
            self._data.append(late(audit, changed))
            stored = {id_: call.record.state for id_, call in row.calls.items()}
            writes = [one.call for one in calls if one.is_known_write and one.call.id not in changed]
            too_late = tuple(one.id for one in writes if stored.get(one.id) is not one.state)
            raise LostLeaseError(run.id, too_late)
        for one in calls:
            known = row.calls.get(one.call.id)
            if one.event is not None:
                self._put(row, one.call)
                self._keep(row, one.full)
            elif known is not None and known.record.state is one.call.state:  # else somebody has found it out meanwhile
                known.record = replace(known.record, result=one.call.result)
        self._data.append(audit)
        self._moved(run, None, lease_seconds)
        row.record = replace(row.record, turn=None, counters=counters)
        results = tuple(one.call.result for one in calls if one.call.result is not None)
        self._data.conversations[run.conversation_id].messages += [message, ResultsMessage(results)]
        return replace(row.record, calls=())

    def _change_doubtful(self, row: Run[A], calls: Sequence[Settled]) -> set[str]:
        """Store how calls of a lost run ended, as far as nobody has found that out meanwhile; return their ids."""
        stored = set()
        for one in calls:
            known = row.calls.get(one.call.id)
            if one.event is None or known is None or known.record.state not in BLOCKING - {one.call.state}:
                continue
            self._put(row, one.call)
            self._keep(row, one.full)
            stored.add(one.call.id)
        return stored

    async def renew(self, run: RunRecord[A], lease_seconds: float) -> bool:
        """See `RunStore`."""
        row = self._data.runs.get(run.id)
        if row is None or row.state is not RunState.RUNNING or row.record.attempts != run.attempts:
            return False
        row.lease_until = self._data.now(lease_seconds)
        return True

    async def end(
        self, run: RunRecord[A], answer: str | None, reason: StopReason | None, audit: Sequence[AuditEntry]
    ) -> None:
        """See `RunStore`."""
        row = self._moved(run, RunEvent.ANSWER if reason is None else RunEvent.STOP, None)
        row.record = replace(row.record, turn=None)
        row.answer, row.reason = answer or "", reason
        if answer is not None:
            self._data.conversations[run.conversation_id].messages.append(AssistantMessage(answer))
        for call in row.calls.values():
            if call.record.state in {CallState.PROPOSED, CallState.APPROVED}:
                call.record = replace(call.record, state=after(call.record.state, CallEvent.REFUSE))
        if reason is not None:
            self._lose(row)
        self._free(row)
        self._data.append(audit)
