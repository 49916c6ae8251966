"""Audit entries about runs and calls (agent/I3)."""

import json
from typing import Final, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.audit import AuditAction, AuditEntry
from axhub.agent.domain.definition import ToolDefinition
from axhub.agent.domain.records import CallRecord, RunRecord

__all__ = ["entry_of", "intent_of", "proposed_hash"]

A = TypeVar("A", bound=Actor)

_PROPOSALS: Final = (AuditAction.CALL_PROPOSED, AuditAction.CALL_INTENDED)


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
        approval_policy_version=run.approval_policy_version,
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


def proposed_hash(body: str, run: RunRecord[A], call: CallRecord) -> str:
    """Return the hash of the arguments with which a call was proposed, by an entry of the audit (agent/R2).

    Rows can be edited, all that say the same together; the audit cannot. Empty: the entry is about something else, or
    about somebody else.
    """
    said = json.loads(body)
    about = (call.id, call.tool, run.id, run.actor.tenant_id, run.actor.user_id)
    names = ("call_id", "tool", "run_id", "tenant_id", "user_id")
    is_of_it = said.get("action") in _PROPOSALS and tuple(said.get(name) for name in names) == about
    return str(said.get("arguments_sha256", "")) if is_of_it else ""
