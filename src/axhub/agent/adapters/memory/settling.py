"""The part of the run store in memory for calls whose outcome nobody knows, and that a person settles (agent/L6)."""

import json
from dataclasses import replace
from typing import TypeVar

from axhub.agent.adapters.memory.base import Base
from axhub.agent.adapters.memory.data import Call, Run
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decider
from axhub.agent.domain.audit import AuditAction
from axhub.agent.domain.calls import CallState, after
from axhub.agent.domain.settlement import AUDITED, EVENTS, DoubtfulCall, Finding, check_finding, result_of
from axhub.agent.ports.runs import Settlement
from axhub.agent.usecases.auditing import entry_of

__all__ = ["Settling"]

A = TypeVar("A", bound=Actor)


class Settling(Base[A]):
    """See `ports.runs.RunStore`."""

    async def doubtful(self, tenant_id: str, most: int) -> tuple[DoubtfulCall, ...]:
        """See `RunStore`."""
        of_tenant = [run for run in self._data.runs.values() if run.record.actor.tenant_id == tenant_id]
        calls = [(run, call) for run in of_tenant for call in run.calls.values()]
        return tuple(_shown(run, call) for run, call in calls if call.record.state is CallState.UNKNOWN)[:most]

    async def settle_unknown(
        self, call_id: str, finding: Finding, decider: Decider, *, may_decide_own: bool
    ) -> Settlement:
        """See `RunStore`."""
        row = next((run for run in self._data.runs.values() if call_id in run.calls), None)
        shown = None if row is None else _shown(row, row.calls[call_id])
        fault = check_finding(shown, finding, decider, may_decide_own=may_decide_own)
        if row is not None and fault in AUDITED:
            refused = entry_of(row.record, AuditAction.DECISION_REFUSED, row.calls[call_id].record, outcome=fault.value)
            self._data.append([refused.decided(finding.value, decider.user_id)])
        if row is None or fault is not None:
            return Settlement(fault, None)
        if row.calls[call_id].record.state is CallState.UNKNOWN:
            self._settled(row, row.calls[call_id], finding, decider)
        return Settlement(None, _shown(row, row.calls[call_id]))

    def _settled(self, row: Run[A], call: Call, finding: Finding, decider: Decider) -> None:
        known = call.record
        result = result_of(finding, known.request_id, known.tool)
        call.record = one = replace(known, state=after(known.state, EVENTS[finding]), result=result)
        entry = entry_of(row.record, AuditAction.CALL_SETTLED, one, outcome=one.state.value, reference=one.reference)
        self._data.append([entry.decided(finding.value, decider.user_id)])


def _shown(row: Run[A], call: Call) -> DoubtfulCall:
    one = call.record
    return DoubtfulCall(
        id=one.id,
        run_id=row.record.id,
        tenant_id=row.record.actor.tenant_id,
        requester=row.record.actor.user_id,
        tool=one.tool,
        arguments=json.loads(one.arguments),
        sha256=one.sha256,
        state=one.state,
        reference=one.reference,
    )
