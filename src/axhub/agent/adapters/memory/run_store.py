"""The adapter of `RunStore` in memory; no method waits, so each is one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from axhub.agent.adapters.memory.data import Approval, Call, Conversation, Run
from axhub.agent.adapters.memory.deciding import Deciding
from axhub.agent.adapters.memory.recovering import Recovering
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditEntry
from axhub.agent.domain.calls import BLOCKING, CallEvent, CallState, after
from axhub.agent.domain.history import HISTORY, window
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, ResultsMessage, UserMessage
from axhub.agent.domain.records import ApprovalView, Begun, CallRecord, NewRun, RunRecord
from axhub.agent.domain.runs import RunEvent, RunState, StopReason
from axhub.agent.ports.runs import (
    Busy,
    PendingApprovalError,
    RunInProgressError,
    Settled,
)

__all__ = ["MemoryRunStore"]

A = TypeVar("A", bound=Actor)


class MemoryRunStore(Deciding[A], Recovering[A]):
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
    ) -> tuple[ApprovalView, ...]:
        """See `RunStore`."""
        row = self._moved(run, RunEvent.HOLD, None)
        row.record = replace(row.record, turn=message, counters=counters)
        for one in calls:
            asked = Approval(self._data.now(expires_in)) if one.state is CallState.WAITING else None
            row.calls[one.id] = Call(one, asked)
        self._data.append(audit)
        return self._views(row)

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
        row.record = replace(row.record, turn=message, counters=counters)
        busy = self._busy(calls)
        for one in calls:
            if one.state is CallState.RUNNING and one.id not in busy:
                self._put(row, one)
            elif one.id not in row.calls:
                self._put(row, replace(one, state=CallState.PROPOSED))
        self._data.append(audit)
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
        for one in calls:
            known = row.calls.get(one.call.id)
            if one.event is None and known is not None and is_held:
                known.record = replace(known.record, result=one.call.result)
            elif one.event is not None and (is_held or (known is not None and known.record.state in BLOCKING)):
                self._put(row, one.call)
        self._data.append(audit)
        self._moved(run, None, lease_seconds)
        row.record = replace(row.record, turn=None, counters=counters)
        results = tuple(one.call.result for one in calls if one.call.result is not None)
        self._data.conversations[run.conversation_id].messages += [message, ResultsMessage(results)]
        return replace(row.record, calls=())

    async def renew(self, run_id: str, lease_seconds: float) -> None:
        """See `RunStore`."""
        row = self._data.runs.get(run_id)
        if row is not None and row.state is RunState.RUNNING:
            row.lease_until = self._data.now(lease_seconds)

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
        self._free(row)
        self._data.append(audit)
