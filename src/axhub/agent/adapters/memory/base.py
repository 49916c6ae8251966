"""What the parts of the run store in memory share, and what people look at (agent/R5)."""

import json
from dataclasses import replace
from typing import Any, Generic, TypeVar

from axhub.agent.adapters.memory.data import Approval, Call, Conversation, KeptResult, MemoryData, Run
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.history import HISTORY
from axhub.agent.domain.messages import AssistantMessage, UserMessage
from axhub.agent.domain.moments import moment
from axhub.agent.domain.records import ApprovalView, ConversationView, RunRecord, RunView
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import RunEvent, RunState, run_after
from axhub.agent.ports.runs import LostLeaseError, NotFoundError
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Base", "is_same"]

A = TypeVar("A", bound=Actor)


class Base(Generic[A]):
    """See `ports.runs.RunStore`."""

    def __init__(self, data: MemoryData[A]) -> None:
        self._data = data

    async def run(self, run_id: str, actor: A) -> RunView:
        """See `RunStore`."""
        return self._view(self._own_run(run_id, actor))

    async def full_result(self, full_id: str, actor: A) -> FullResult:
        """See `RunStore`."""
        kept = self._data.full_results.get(full_id)
        if kept is None or (kept.tenant_id, kept.user_id) != (actor.tenant_id, actor.user_id):
            raise NotFoundError(full_id)
        return kept.full

    async def conversation(self, conversation_id: str, actor: A) -> ConversationView:
        """See `RunStore`."""
        said = self._own_conversation(conversation_id, actor).messages[-HISTORY:]
        lines = [("user" if isinstance(one, UserMessage) else "assistant", _text(one)) for one in said]
        return ConversationView(conversation_id, tuple(line for line in lines if line[1]))

    async def approvals(self, tenant_id: str, most: int) -> tuple[ApprovalView, ...]:
        """See `RunStore`."""
        of_tenant = [run for run in self._data.runs.values() if run.record.actor.tenant_id == tenant_id]
        asked = ((run, call, call.approval) for run in of_tenant for call in run.calls.values())
        views = [_approval(run, call, one) for run, call, one in asked if one is not None and one.is_open]
        return tuple(views[:most])

    def _view(self, row: Run[A]) -> RunView:
        calls = sorted((call.record for call in row.calls.values()), key=lambda one: (one.turn, one.position))
        return RunView(
            id=row.record.id,
            conversation_id=row.record.conversation_id,
            state=row.state,
            answer=row.answer,
            reason=row.reason,
            approvals=self._views(row),
            results=tuple(one.result for one in calls if one.result is not None),
        )

    @staticmethod
    def _views(row: Run[A]) -> tuple[ApprovalView, ...]:
        calls = sorted(row.calls.values(), key=lambda call: (call.record.turn, call.record.position))
        return tuple(_approval(row, call, call.approval) for call in calls if call.approval is not None)

    def _own_run(self, run_id: str, actor: A) -> Run[A]:
        row = self._data.runs.get(run_id)
        if row is None or not is_same(row.record.actor, actor):
            raise NotFoundError(run_id)
        return row

    def _own_conversation(self, conversation_id: str, actor: A) -> Conversation:
        talk = self._data.conversations.get(conversation_id)
        if talk is None or (talk.tenant_id, talk.user_id) != (actor.tenant_id, actor.user_id):
            raise NotFoundError(conversation_id)
        return talk

    @staticmethod
    def _is_held(row: Run[A], run: RunRecord[A]) -> bool:
        return row.state is RunState.RUNNING and row.record.version == run.version

    def _check_held(self, run: RunRecord[A]) -> Run[A]:
        """Return the row of a run that its caller holds.

        Raises:
            LostLeaseError: it does not hold it any more.
        """
        row = self._data.runs[run.id]
        if not self._is_held(row, run):
            raise LostLeaseError(run.id)
        return row

    def _moved(self, run: RunRecord[A], event: RunEvent | None, lease_seconds: float | None) -> Run[A]:
        """Change a run that its caller holds.

        Raises:
            LostLeaseError: it does not hold it any more.
        """
        row = self._check_held(run)
        after = RunState.RUNNING if event is None else run_after(RunState.RUNNING, event)
        self._change(row, after or row.state, lease_seconds)
        return row

    def _change(self, row: Run[A], state: RunState, lease_seconds: float | None = None) -> None:
        row.state = state
        row.record = _next_version(row.record)
        row.lease_until = None if lease_seconds is None else self._data.now(lease_seconds)

    def _keep(self, row: Run[A], full: FullResult | None) -> None:
        """Keep the whole of a result that was cut."""
        if full is not None:
            actor = row.record.actor
            self._data.full_results[full.id] = KeptResult(full, actor.tenant_id, actor.user_id, self._data.now())

    def _lose(self, row: Run[A]) -> None:
        """Let calls of a run that run, as far as is known, be of unknown outcome (agent/I2)."""
        for call in row.calls.values():
            if call.record.state is CallState.RUNNING:
                lost = after(call.record.state, CallEvent.LOSE)
                one = call.record = replace(call.record, state=lost, reference=call.record.id)
                entry = entry_of(row.record, AuditAction.CALL_ENDED, one, outcome=lost.value, reference=one.id)
                self._data.append([entry])

    def _free(self, row: Run[A]) -> None:
        """Let the conversation of a run take messages again."""
        talk = self._data.conversations[row.record.conversation_id]
        if talk.active_run_id == row.record.id:
            talk.active_run_id = None


def _next_version(record: RunRecord[A]) -> RunRecord[A]:
    return replace(record, version=record.version + 1)


def is_same(one: Actor, other: Actor) -> bool:
    """Say whether two are one person of one tenant."""
    return (one.tenant_id, one.user_id) == (other.tenant_id, other.user_id)


def _text(one: object) -> str:
    return one.text if isinstance(one, UserMessage | AssistantMessage) else ""


def _approval(row: Run[Any], call: Call, asked: Approval) -> ApprovalView:
    return ApprovalView(
        id=call.record.id,
        run_id=row.record.id,
        tool=call.record.tool,
        arguments=json.loads(call.record.arguments),
        sha256=call.record.sha256,
        requester=row.record.actor.user_id,
        state=call.record.state,
        expires_at=moment(asked.expires_at),
        decision=asked.decision,
        approver=asked.approver,
        comment=asked.comment,
    )
