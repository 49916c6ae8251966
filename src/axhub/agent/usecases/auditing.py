"""Audit entries about runs and calls (agent/I3)."""

import json
from typing import TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.definition import ToolDefinition
from axhub.agent.domain.records import CallRecord, RunRecord

__all__ = ["entry_of", "intent_of"]

A = TypeVar("A", bound=Actor)


def entry_of(
    run: RunRecord[A], action: AuditAction, call: CallRecord | None = None, *, outcome: str = "", reference: str = ""
) -> AuditEntry:
    """Return an entry about a run, or about a call of it: of its arguments only the hash."""
    return AuditEntry(
        action=action,
        tenant_id=run.actor.tenant_id,
        user_id=run.actor.user_id,
        run_id=run.id,
        agent=run.agent,
        call_id="" if call is None else call.id,
        tool="" if call is None else call.tool,
        arguments_sha256="" if call is None else call.sha256,
        policy_version=run.policy_version,
        outcome=outcome,
        reference=reference,
        trace_id=run.trace_id,
    )


def intent_of(
    run: RunRecord[A],
    call: CallRecord,
    definition: ToolDefinition,
    action: AuditAction = AuditAction.CALL_INTENDED,
) -> AuditEntry:
    """Return the entry before a call: with the arguments that its tool lets into the audit."""
    arguments = json.loads(call.arguments)
    entry = entry_of(run, action, call)
    shown = {name: value for name, value in arguments.items() if name in definition.audited}
    return entry.with_arguments(shown)
