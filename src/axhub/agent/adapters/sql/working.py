"""The part of the run store that a process uses while it works on a run."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.chain import append, lock
from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.codec import SCHEMA_VERSION, call_columns, is_storable, text_of
from axhub.agent.adapters.sql.reading import Reading
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditEntry, late
from axhub.agent.domain.calls import BLOCKING, CallEvent, CallState, after
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, ResultsMessage, UserMessage
from axhub.agent.domain.records import ApprovalView, Begun, CallRecord, NewRun, RunRecord
from axhub.agent.domain.runs import RunEvent, RunState, StopReason
from axhub.agent.domain.texts import storable
from axhub.agent.ports.runs import (
    Busy,
    LostLeaseError,
    NotFoundError,
    PendingApprovalError,
    RunInProgressError,
    Settled,
    TooManyPendingError,
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
    .where(_RUN.id == bindparam("run"), _RUN.state == RunState.RUNNING, _RUN.attempts == bindparam("taken"))
    .values(lease_until=in_millis("lease"))
)
_CALL: Final = tables.call.c
_NEW_CALL: Final = insert(tables.call)
_CHANGE_CALL: Final = update(tables.call).where(_CALL.id == bindparam("call"))
_CHANGE_DOUBTFUL: Final = _CHANGE_CALL.where(_CALL.state.in_(BLOCKING), _CALL.state != bindparam("now"))
_STATES: Final = select(_CALL.id, _CALL.state).where(_CALL.id.in_(bindparam("ids", expanding=True)))
_TELL: Final = _CHANGE_CALL.where(_CALL.state == bindparam("known"))
"""Stores what the model was told of a call; what somebody has found out meanwhile stays."""
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
_APPROVAL: Final = tables.approval.c
_PENDING: Final = select(func.count()).where(
    _APPROVAL.tenant_id == bindparam("tenant"),
    _APPROVAL.requester == bindparam("requester"),
    _APPROVAL.is_open,
    _APPROVAL.expires_at > NOW,
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
            approval_policy_version=new.approval_policy_version,
            trace_id=new.trace_id,
            version=1,
        )
        columns = {
            "id": new.id,
            "conversation_id": new.conversation_id,
            "tenant_id": new.actor.tenant_id,
            "user_id": new.actor.user_id,
            "agent": storable(new.agent),
            "actor": self._codec.actor_text(new.actor),
            "state": RunState.RUNNING,
            "version": run.version,
            "offered": text_of(new.offered),
            "policy_version": storable(new.policy_version),
            "approval_policy_version": storable(new.approval_policy_version),
            "trace_id": storable(new.trace_id),
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
        if not is_storable(*own.values()):
            raise NotFoundError(new.conversation_id)
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
        most_pending: int,
    ) -> tuple[ApprovalView, ...]:
        """See `RunStore`."""
        kept = _kept(run, message, counters)
        own = {"run_id": run.id, "tenant_id": run.actor.tenant_id, "requester": run.actor.user_id}
        asked = {**own, "is_open": True, "open_for": millis(expires_in)}
        waiting = [one.id for one in calls if one.state is CallState.WAITING]

        def work(connection: Connection) -> tuple[ApprovalView, ...]:
            self._move(connection, run, RunEvent.HOLD, None, **kept)
            _check_room(connection, run, most_pending - len(waiting))
            places = append(connection, audit)
            rows = [{**call_columns(one, run.id), "proposed_seq": places.get(one.id)} for one in calls]
            connection.execute(_NEW_CALL, rows)
            connection.execute(_ASK, [{"id": id_, "call_id": id_, **asked} for id_ in waiting])
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
        kept = _kept(run, message, counters)
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

        def work(connection: Connection) -> tuple[str, ...] | None:
            is_held = self._is_moved(connection, run, None, lease_seconds, **kept)
            if is_held:
                self._put(connection, run, [one.call for one in calls if one.event is not None])
                self._keep(connection, run.actor.tenant_id, run.actor.user_id, [one.full for one in calls])
                for one in (one.call for one in calls if one.event is None):
                    connection.execute(_TELL, {"call": one.id, "known": one.state, "result": text_of(one.result)})
                results = tuple(one.call.result for one in calls if one.call.result is not None)
                self._append(connection, run, [message, ResultsMessage(results)])
                append(connection, audit)
                return None
            changed = self._change_doubtful(connection, run, [one for one in calls if one.event is not None])
            append(connection, late(audit, changed))
            return self._too_late(
                connection, [one for one in calls if one.is_known_write and one.call.id not in changed]
            )

        too_late = await self._database.write(work)
        if too_late is not None:
            raise LostLeaseError(run.id, too_late)
        return replace(run, version=run.version + 1, turn=None, calls=(), counters=counters)

    @staticmethod
    def _too_late(connection: Connection, calls: Sequence[Settled]) -> tuple[str, ...]:
        """Return the calls that ended otherwise than is stored."""
        ids = [one.call.id for one in calls]
        known = {row.id: row.state for row in connection.execute(_STATES, {"ids": ids})} if ids else {}
        return tuple(one.call.id for one in calls if known.get(one.call.id) != one.call.state)

    def _change_doubtful(self, connection: Connection, run: RunRecord[A], calls: Sequence[Settled]) -> set[str]:
        """Store how calls of a lost run ended, as far as nobody has found that out meanwhile; return their ids."""
        stored = set()
        for one in calls:
            columns = call_columns(one.call, run.id)
            changed = connection.execute(_CHANGE_DOUBTFUL, {"call": one.call.id, "now": one.call.state, **columns})
            if changed.rowcount == 1:
                stored.add(one.call.id)
                self._keep(connection, run.actor.tenant_id, run.actor.user_id, [one.full])
        return stored

    async def renew(self, run: RunRecord[A], lease_seconds: float) -> bool:
        """See `RunStore`."""
        known = {"run": run.id, "taken": run.attempts, "lease": millis(lease_seconds)}

        def work(connection: Connection) -> bool:
            return connection.execute(_RENEW, known).rowcount == 1

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
                self._lost(connection, run)
            self._free(connection, run.conversation_id, run.id)
            append(connection, audit)

        return await self._database.write(work)


def _check_room(connection: Connection, run: RunRecord[A], most: int) -> None:
    """Look how many calls of a requester wait, in a transaction that no other one of the tenant can pass.

    Raises:
        TooManyPendingError: more than that many.
    """
    lock(connection, run.actor.tenant_id)
    own = {"tenant": run.actor.tenant_id, "requester": run.actor.user_id}
    if connection.execute(_PENDING, own).scalar_one() > most:
        raise TooManyPendingError(run.id)


def _kept(run: RunRecord[Any], message: AssistantMessage, counters: Counters) -> dict[str, str]:
    """Return what a run holds while its response has no results: with the policies that were asked about it."""
    return {
        "turn": text_of(message),
        "counters": text_of(counters),
        "policy_version": run.policy_version,
        "approval_policy_version": run.approval_policy_version,
    }


def _not_run(one: CallRecord) -> CallRecord:
    return replace(one, state=CallState.PROPOSED)
