"""The part of the run store for calls whose outcome nobody knows, and that a person settles (agent/L6)."""

import json
from typing import Any, Final, TypeVar

from sqlalchemy import Row, bindparam, literal_column, select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.chain import append
from axhub.agent.adapters.sql.codec import is_storable, text_of
from axhub.agent.adapters.sql.reading import Reading
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decider
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallState, after
from axhub.agent.domain.settlement import AUDITED, EVENTS, DoubtfulCall, Finding, check_finding, result_of
from axhub.agent.ports.runs import Settlement
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Settling"]

A = TypeVar("A", bound=Actor)

_RUN: Final = tables.run.c
_CALL: Final = tables.call.c
_SHOWN: Final = (
    select(tables.call, _RUN.tenant_id, _RUN.user_id)
    .join(tables.run, _RUN.id == _CALL.run_id)
    .order_by(_RUN.created_at, _CALL.turn, _CALL.position)
)
_UNKNOWN_OF: Final = _SHOWN.where(
    _CALL.state == literal_column(f"'{CallState.UNKNOWN}'"), _RUN.tenant_id == bindparam("tenant")
).limit(bindparam("most"))
_ONE: Final = _SHOWN.where(_CALL.id == bindparam("call")).with_for_update(of=tables.call)
_SETTLE: Final = update(tables.call).where(_CALL.id == bindparam("call"), _CALL.state == CallState.UNKNOWN)


class Settling(Reading[A]):
    """See `ports.runs.RunStore`."""

    async def doubtful(self, tenant_id: str, most: int) -> tuple[DoubtfulCall, ...]:
        """See `RunStore`."""

        def work(connection: Connection) -> tuple[DoubtfulCall, ...]:
            return tuple(_shown(row) for row in connection.execute(_UNKNOWN_OF, {"tenant": tenant_id, "most": most}))

        return await self._database.read(work)

    async def settle_unknown(
        self, call_id: str, finding: Finding, decider: Decider, *, may_decide_own: bool
    ) -> Settlement:
        """See `RunStore`."""

        def work(connection: Connection) -> Settlement:
            row = connection.execute(_ONE, {"call": call_id}).one_or_none() if is_storable(call_id) else None
            shown = None if row is None else _shown(row)
            fault = check_finding(shown, finding, decider, may_decide_own=may_decide_own)
            if row is not None and fault in AUDITED:
                run, one = self._run_and_call(connection, call_id)
                entry = entry_of(run, AuditAction.DECISION_REFUSED, one, outcome=fault.value)
                append(connection, [entry.decided(finding.value, decider.user_id)])
            if row is None or fault is not None:
                return Settlement(fault, None)
            if row.state == CallState.UNKNOWN:
                self._settled(connection, row, finding, decider)
                shown = _shown(connection.execute(_ONE, {"call": call_id}).one())
            return Settlement(None, shown)

        return await self._database.write(work)

    def _settled(self, connection: Connection, row: Row[Any], finding: Finding, decider: Decider) -> None:
        event = EVENTS[finding]
        known = self._codec.call(row)
        result = text_of(result_of(finding, known.request_id, known.tool))
        connection.execute(_SETTLE, {"call": row.id, "state": after(CallState.UNKNOWN, event), "result": result})
        run, one = self._run_and_call(connection, row.id)
        entry = entry_of(run, AuditAction.CALL_SETTLED, one, outcome=one.state.value, reference=one.reference)
        append(connection, [entry.decided(finding.value, decider.user_id)])


def _shown(row: Row[Any]) -> DoubtfulCall:
    return DoubtfulCall(
        id=row.id,
        run_id=row.run_id,
        tenant_id=row.tenant_id,
        requester=row.user_id,
        tool=row.tool,
        arguments=_arguments(row.arguments),
        sha256=row.sha256,
        state=CallState(row.state),
        reference=row.reference,
    )


def _arguments(text: str) -> dict[str, Any]:
    """Return stored arguments; nothing where they are damaged, as the others must be shown all the same."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
