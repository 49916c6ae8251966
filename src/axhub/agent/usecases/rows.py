"""Calls of a judged batch as rows (agent/R1)."""

from dataclasses import dataclass, replace
from typing import Final

from axhub.agent.domain.batch import Accepted, Rejected, Rejection
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.messages import CallResult, ResultKind
from axhub.agent.domain.records import CallRecord

__all__ = ["Refusal", "held_row", "new_row", "refusal_of"]

_NONE: Final = "{}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call does not run: the reason for us, and the result for the model."""

    reason: Rejection
    result: CallResult


def new_row(id_: str, turn: int, position: int, item: Accepted | Rejected) -> CallRecord:
    """Return a call as it is before anything happened to it; of one that was rejected, its arguments are not kept."""
    request = item.request
    if isinstance(item, Rejected):
        return CallRecord(id_, request.id, turn, position, request.name, "", _NONE, "", CallState.PROPOSED)
    return CallRecord(
        id=id_,
        request_id=request.id,
        turn=turn,
        position=position,
        tool=item.definition.name,
        digest=item.definition.digest,
        arguments=item.canonical,
        sha256=item.sha256,
        state=CallState.PROPOSED,
        needs_approval=item.needs_approval,
    )


def held_row(id_: str, turn: int, position: int, item: Accepted | Rejected) -> CallRecord:
    """Return a call of a response that waits: for a person, for its siblings, or with its error already."""
    row = new_row(id_, turn, position, item)
    if isinstance(item, Rejected):
        return replace(row, state=CallState.FAILED, result=refusal_of(item).result)
    return replace(row, state=CallState.WAITING) if item.needs_approval else row


def refusal_of(item: Rejected) -> Refusal:
    """Return what becomes of a call that was rejected."""
    result = CallResult(item.request.id, item.request.name, ResultKind.ERROR, item.text)
    return Refusal(item.reason, result)
