"""The part of the run store that a process uses while it works on a run."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.chain import append
from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.codec import SCHEMA_VERSION, call_columns, storable, text_of
from axhub.agent.adapters.sql.reading import Reading
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditEntry
from axhub.agent.domain.calls import BLOCKING, CallEvent, CallState, after
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, ResultsMessage, UserMessage
from axhub.agent.domain.records import ApprovalView, Begun, CallRecord, NewRun, RunRecord
from axhub.agent.domain.runs import RunEvent, RunState, StopReason
from axhub.agent.ports.runs import (
    Busy,
    LostLeaseError,
    NotFoundError,
    PendingApprovalError,
    RunInProgressError,
    Settled,
)

__all__ = ["Working"]

A = TypeVar("A", bound=Actor)

_WAITS: Final = frozenset({RunState.WAITING, RunState.READY})
_TRIES: Final = 3
"""How often intents are recorded anew, because another process recorded one with the same key at the same moment."""

_TALK: Final = tables.conversation.c
_OWN: Final = (
    _TALK.id == bindparam("conversation"),
    _TALK.tenant_id == bindparam("tenant"),
    _TALK.user_id == bindparam("user"),
)
_NEW_TALK: Final = insert(tables.conversation).values(created_at=NOW)
_TAKE_TALK: Final = (
    update(tables.conversation).where(*_OWN, _TALK.active_run_id.is_(None)).values(active_run_id=bindparam("run"))
)
_ACTIVE: Final = (
    select(tables.run.c.state)
    .select_from(tables.conversation.join(tables.run, tables.run.c.id == _TALK.active_run_id))
    .where(*_OWN)
)
_NEW_RUN: Final = insert(tables.run).values(created_at=NOW, lease_until=in_millis("lease"))
_RUN: Final = tables.run.c
_RENEW: Final = (
    update(tables.run)
    .where(_RUN.id == bindparam("run"), _RUN.state == RunState.RUNNING)
    .values(lease_until=in_millis("lease"))
)
_CALL: Final = tables.call.c
_NEW_CALL: Final = insert(tables.call)
_CHANGE_CALL: Final = update(tables.call).where(_CALL.id == bindparam("call"))
_CHANGE_DOUBTFUL: Final = _CHANGE_CALL.where(_CALL.state.in_(BLOCKING))
_GIVE_UP: Final = (
    update(tables.call)
    .where(_CALL.run_id == bindparam("run"), _CALL.state.in_([CallState.PROPOSED, CallState.APPROVED]))
    .values(state=after(CallState.PROPOSED, CallEvent.REFUSE))
)
_TAKEN_KEYS: Final = select(_CALL.business_key).where(
    _CALL.business_key.in_(bindparam("keys", expanding=True)),
    tables.blocks(),
    _CALL.id.not_in(bindparam("ids", expanding=True)),
)
_ASK: Final = insert(tables.approval).values(created_at=NOW, expires_at=in_millis("open_for"))


class Working(Reading[A]):
    """See `ports.runs.RunStore`."""

    async def begin(self, new: NewRun[A]) -> Begun[A]:
        """See `RunStore`."""
        return await self._database.write(partial(self._began, new))

    def _began(self, new: NewRun[A], connection: Connection) -> Begun[A]:
        self._take_conversation(connection, new)
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
        columns = {
            "id": new.id,
            "conversation_id": new.conversation_id,
            "tenant_id": new.actor.tenant_id,
            "user_id": new.actor.user_id,
            "agent": new.agent,
            "actor": self._codec.actor_text(new.actor),
            "state": RunState.RUNNING,
            "version": run.version,
            "offered": text_of(new.offered),
            "policy_version": new.policy_version,
            "trace_id": new.trace_id,
            "counters": text_of(run.counters),
            "lease": millis(new.lease_seconds),
            "schema_version": SCHEMA_VERSION,
        }
        connection.execute(_NEW_RUN, columns)
        history = () if new.is_new_conversation else self._history(connection, new.conversation_id)
        said = UserMessage(new.message)
        self._append(connection, run, [said])
        return Begun(run, (*history, said))

    @staticmethod
    def _take_conversation(connection: Connection, new: NewRun[A]) -> None:
        tenant_id, user_id = new.actor.tenant_id, new.actor.user_id
        if new.is_new_conversation:
            made = {"id": new.conversation_id, "tenant_id": tenant_id, "user_id": user_id, "active_run_id": new.id}
            connection.execute(_NEW_TALK, made)
            return
        own = {"conversation": new.conversation_id, "tenant": tenant_id, "user": user_id}
        if connection.execute(_TAKE_TALK, {**own, "run": new.id}).rowcount == 1:
            return
        state = connection.execute(_ACTIVE, own).scalar()
        if state is None:
            raise NotFoundError(new.conversation_id)
        raise (PendingApprovalError if RunState(state) in _WAITS else RunInProgressError)(new.conversation_id)

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
        kept = {"turn": text_of(message), "counters": text_of(counters)}
        own = {"run_id": run.id, "tenant_id": run.actor.tenant_id, "requester": run.actor.user_id}
        asked = {**own, "is_open": True, "open_for": millis(expires_in)}
        waiting = [one.id for one in calls if one.state is CallState.WAITING]

        def work(connection: Connection) -> tuple[ApprovalView, ...]:
            self._move(connection, run, RunEvent.HOLD, None, **kept)
            connection.execute(_NEW_CALL, [call_columns(one, run.id) for one in calls])
            connection.execute(_ASK, [{"id": id_, "call_id": id_, **asked} for id_ in waiting])
            append(connection, audit)
            return self._views_of_run(connection, run.id)

        return await self._database.write(work)

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
        kept = {"turn": text_of(message), "counters": text_of(counters)}
        known = {one.id for one in run.calls}
        in_order = sorted(calls, key=lambda one: one.key or "")  # so that two processes never wait for each other

        def work(connection: Connection) -> tuple[Busy, ...]:
            self._move(connection, run, None, lease_seconds, **kept)
            busy = self._busy(connection, calls)
            begun = [one for one in in_order if one.state is CallState.RUNNING or one.id not in known]
            self._put(connection, run, [one for one in begun if one.id not in busy])
            self._put(connection, run, [_not_run(one) for one in in_order if one.id in busy and one.id not in known])
            append(connection, audit)
            return tuple(Busy(id_) for id_ in busy)

        for tried in range(_TRIES):
            try:
                busy = await self._database.write(work)
            except IntegrityError:
                if tried + 1 == _TRIES:
                    raise
            else:
                return replace(run, version=run.version + 1, calls=tuple(calls)), busy
        raise AssertionError  # pragma: no cover -- the loop returns or raises

    @staticmethod
    def _busy(connection: Connection, calls: Sequence[CallRecord]) -> list[str]:
        """Return which of the calls may not run, since another one with the key of theirs has not ended."""
        writes = [one for one in calls if one.key is not None and one.state is CallState.RUNNING]
        if not writes:
            return []
        asked = {"keys": [one.key for one in writes], "ids": [one.id for one in writes]}  # a lost sibling blocks too
        taken = set(connection.execute(_TAKEN_KEYS, asked).scalars())
        busy = []
        for one in writes:
            if one.key in taken:
                busy.append(one.id)
            taken.add(one.key)
        return busy

    @staticmethod
    def _put(connection: Connection, run: RunRecord[A], calls: Sequence[CallRecord]) -> None:
        """Store calls as they are now, whether they are stored already or not."""
        known = {one.id for one in run.calls}
        for one in calls:
            if one.id in known:
                connection.execute(_CHANGE_CALL, {"call": one.id, **call_columns(one, run.id)})
        new = [call_columns(one, run.id) for one in calls if one.id not in known]
        if new:
            connection.execute(_NEW_CALL, new)

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
        kept = {"turn": None, "counters": text_of(counters)}

        def work(connection: Connection) -> bool:
            is_held = self._is_moved(connection, run, None, lease_seconds, **kept)
            if is_held:
                self._put(connection, run, [one.call for one in calls if one.event is not None])
                for one in (one.call for one in calls if one.event is None):
                    connection.execute(_CHANGE_CALL, {"call": one.id, "result": text_of(one.result)})
                results = tuple(one.call.result for one in calls if one.call.result is not None)
                self._append(connection, run, [message, ResultsMessage(results)])
            else:
                for one in (one.call for one in calls if one.event is not None):
                    connection.execute(_CHANGE_DOUBTFUL, {"call": one.id, **call_columns(one, run.id)})
            append(connection, audit)
            return is_held

        if not await self._database.write(work):
            raise LostLeaseError(run.id)
        return replace(run, version=run.version + 1, turn=None, calls=(), counters=counters)

    async def renew(self, run_id: str, lease_seconds: float) -> None:
        """See `RunStore`."""

        def work(connection: Connection) -> None:
            connection.execute(_RENEW, {"run": run_id, "lease": millis(lease_seconds)})

        return await self._database.write(work)

    async def end(
        self, run: RunRecord[A], answer: str | None, reason: StopReason | None, audit: Sequence[AuditEntry]
    ) -> None:
        """See `RunStore`."""
        event = RunEvent.ANSWER if reason is None else RunEvent.STOP
        text = None if answer is None else storable(answer)

        def work(connection: Connection) -> None:
            self._move(connection, run, event, answer=text, reason=reason, turn=None)
            if answer is not None:
                self._append(connection, run, [AssistantMessage(answer)])
            if reason is not None:
                connection.execute(_GIVE_UP, {"run": run.id})
            self._free(connection, run.conversation_id, run.id)
            append(connection, audit)

        return await self._database.write(work)


def _not_run(one: CallRecord) -> CallRecord:
    return replace(one, state=CallState.PROPOSED)
