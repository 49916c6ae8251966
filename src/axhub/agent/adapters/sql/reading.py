"""The part of the run store that people look at: runs, conversations, approvals (agent/R5)."""

import logging
from typing import Any, Final, TypeVar

from sqlalchemy import Row, bindparam, select
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.base import Base
from axhub.agent.adapters.sql.codec import Owner, approval_of, full_of, is_storable
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.history import HISTORY
from axhub.agent.domain.messages import AssistantMessage, UserMessage
from axhub.agent.domain.records import ApprovalView, CallRecord, ConversationView, RunRecord, RunView
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.ports.runs import NotFoundError

__all__ = ["Reading"]

A = TypeVar("A", bound=Actor)

_LOG: Final = logging.getLogger("axhub.agent")
_RUN: Final = tables.run.c
_TALK: Final = tables.conversation.c
_SAID: Final = tables.message.c
_CALL: Final = tables.call.c
_APPROVAL: Final = tables.approval.c
_OWN_RUN: Final = select(tables.run).where(
    _RUN.id == bindparam("run"), _RUN.tenant_id == bindparam("tenant"), _RUN.user_id == bindparam("user")
)
_OWN_TALK: Final = select(_TALK.id).where(
    _TALK.id == bindparam("conversation"),
    _TALK.tenant_id == bindparam("tenant"),
    _TALK.user_id == bindparam("user"),
)
_NEWEST: Final = (
    select(_SAID.kind, _SAID.body)
    .where(_SAID.conversation_id == bindparam("conversation"))
    .order_by(_SAID.seq.desc())
    .limit(HISTORY)
)
_RESULTS: Final = (
    select(_CALL.result)
    .where(_CALL.run_id == bindparam("run"), _CALL.result.is_not(None))
    .order_by(_CALL.turn, _CALL.position)
)
_VIEWS: Final = (
    select(tables.approval, _APPROVAL.id.label("approval_id"))
    .add_columns(_CALL.tool, _CALL.arguments, _CALL.sha256, _CALL.state)
    .join(tables.call, _CALL.id == _APPROVAL.call_id)
)
_VIEW: Final = _VIEWS.where(_APPROVAL.id == bindparam("approval"))
_VIEWS_OF_RUN: Final = _VIEWS.where(_APPROVAL.run_id == bindparam("run")).order_by(_CALL.turn, _CALL.position)
_OPEN_VIEWS: Final = (
    _VIEWS.where(_APPROVAL.tenant_id == bindparam("tenant"), _APPROVAL.is_open)
    .order_by(_APPROVAL.created_at, _CALL.position)
    .limit(bindparam("most"))
)
_RUN_OF_CALL: Final = select(tables.run).join(tables.call, _CALL.run_id == _RUN.id).where(_CALL.id == bindparam("call"))
_FULL: Final = tables.full_result.c
_OWN_FULL: Final = select(tables.full_result).where(
    _FULL.id == bindparam("full"), _FULL.tenant_id == bindparam("tenant"), _FULL.user_id == bindparam("user")
)
_ONE_CALL: Final = select(tables.call).where(_CALL.id == bindparam("call"))


class Reading(Base[A]):
    """See `ports.runs.RunStore`."""

    async def run(self, run_id: str, actor: A) -> RunView:
        """See `RunStore`."""

        def work(connection: Connection) -> RunView:
            return self._view(connection, run_id, actor)

        return await self._database.read(work)

    async def full_result(self, full_id: str, actor: A) -> FullResult:
        """See `RunStore`."""
        own = {"full": full_id, "tenant": actor.tenant_id, "user": actor.user_id}

        def work(connection: Connection) -> FullResult:
            row = connection.execute(_OWN_FULL, own).one_or_none() if is_storable(*own.values()) else None
            if row is None:
                raise NotFoundError(full_id)
            return full_of(row)

        return await self._database.read(work)

    async def conversation(self, conversation_id: str, actor: A) -> ConversationView:
        """See `RunStore`."""
        own = {"conversation": conversation_id, "tenant": actor.tenant_id, "user": actor.user_id}

        def work(connection: Connection) -> ConversationView:
            if not is_storable(*own.values()) or connection.execute(_OWN_TALK, own).one_or_none() is None:
                raise NotFoundError(conversation_id)
            rows = connection.execute(_NEWEST, {"conversation": conversation_id}).all()
            said = (self._codec.message(row) for row in reversed(rows))
            return ConversationView(conversation_id, tuple(line for one in said for line in _lines(one)))

        return await self._database.read(work)

    async def approvals(self, tenant_id: str, most: int) -> tuple[ApprovalView, ...]:
        """See `RunStore`; one that cannot be read is not shown, and expires."""

        def work(connection: Connection) -> tuple[ApprovalView, ...]:
            found = connection.execute(_OPEN_VIEWS, {"tenant": tenant_id, "most": most})
            return tuple(view for row in found if (view := _shown(row)) is not None)

        return await self._database.read(work) if is_storable(tenant_id) else ()

    def _view(self, connection: Connection, run_id: str, actor: A) -> RunView:
        row = self._own_run(connection, run_id, actor)
        results = connection.execute(_RESULTS, {"run": run_id}).scalars()
        return RunView(
            id=row.id,
            conversation_id=row.conversation_id,
            state=RunState(row.state),
            answer=row.answer or "",
            reason=None if row.reason is None else StopReason(row.reason),
            approvals=self._views_of_run(connection, run_id),
            results=tuple(self._codec.result(text) for text in results),
        )

    @staticmethod
    def _own_run(connection: Connection, run_id: str, actor: A, *, locked: bool = False) -> Row[Any]:
        """Return a run of the actor's.

        Raises:
            NotFoundError: there is none.
        """
        own = {"run": run_id, "tenant": actor.tenant_id, "user": actor.user_id}
        wanted = _OWN_RUN.with_for_update() if locked else _OWN_RUN
        row: Row[Any] | None = connection.execute(wanted, own).one_or_none() if is_storable(*own.values()) else None
        if row is None:
            raise NotFoundError(run_id)
        return row

    @staticmethod
    def _approval_view(connection: Connection, approval_id: str) -> ApprovalView:
        return approval_of(connection.execute(_VIEW, {"approval": approval_id}).one())

    @staticmethod
    def _views_of_run(connection: Connection, run_id: str) -> tuple[ApprovalView, ...]:
        """Return the approvals of a run with the calls that they are about, in the model's order."""
        return tuple(approval_of(row) for row in connection.execute(_VIEWS_OF_RUN, {"run": run_id}))

    def _run_and_call(self, connection: Connection, call_id: str) -> tuple[RunRecord[Owner], CallRecord]:
        """Return a call with its run, for the audit."""
        one = connection.execute(_ONE_CALL, {"call": call_id}).one()
        row = connection.execute(_RUN_OF_CALL, {"call": call_id}).one()
        return self._codec.audited(row), self._codec.audited_call(one)


def _shown(row: Row[Any]) -> ApprovalView | None:
    try:
        return approval_of(row)
    except ValueError as error:
        _LOG.warning("approval %s cannot be read: %s", row.approval_id, type(error).__name__)
        return None


def _lines(one: object) -> tuple[tuple[str, str], ...]:
    if isinstance(one, UserMessage):
        return (("user", one.text),)
    return (("assistant", one.text),) if isinstance(one, AssistantMessage) and one.text else ()
