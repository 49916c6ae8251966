"""What a person may say of a call whose outcome nobody knows (agent/L6, agent/I3).

Its business key is blocked until somebody can tell. Where its tool cannot, an approver looks in the system that the
tool calls, and says what is found there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from axhub.agent.domain.approval import APPROVER, Decider, DecisionFault
from axhub.agent.domain.calls import CallEvent, CallState, after
from axhub.agent.domain.messages import CallResult, ResultKind

__all__ = ["AUDITED", "EVENTS", "DoubtfulCall", "Finding", "check_finding", "result_of"]


class Finding(StrEnum):
    """What somebody has found out."""

    HAPPENED = "happened"
    DID_NOT_HAPPEN = "did_not_happen"


EVENTS: Final = MappingProxyType(
    {Finding.HAPPENED: CallEvent.FIND_DONE, Finding.DID_NOT_HAPPEN: CallEvent.FIND_NOTHING}
)
AUDITED: Final = frozenset({DecisionFault.NOT_APPROVER, DecisionFault.OWN_REQUEST})
"""Attempts of people of the tenant who may not: they stand in its audit (agent/R2)."""
_RESULTS: Final = MappingProxyType(
    {
        Finding.HAPPENED: (ResultKind.OK, "Somebody has looked: it was done. Nothing else is known of its result."),
        Finding.DID_NOT_HAPPEN: (ResultKind.ERROR, "Somebody has looked: it was not done."),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtfulCall:
    """A call that a person is to look at, as it is shown."""

    id: str
    run_id: str
    tenant_id: str
    requester: str
    tool: str
    arguments: Mapping[str, Any]
    sha256: str
    state: CallState
    reference: str = ""
    """Where the log has more."""


def check_finding(
    call: DoubtfulCall | None, finding: Finding, decider: Decider, *, may_decide_own: bool = False
) -> DecisionFault | None:
    """Return why somebody may not say so; None if it counts, or says what is known already.

    Args:
        call: read in the transaction that will change it; None: there is none with that id.
        finding: what is said.
        decider: who says it.
        may_decide_own: whether a requester may settle a call of the own.
    """
    if call is None or call.tenant_id != decider.tenant_id:
        return DecisionFault.NOT_FOUND
    if APPROVER not in decider.roles:
        return DecisionFault.NOT_APPROVER
    if call.requester == decider.user_id and not may_decide_own:
        return DecisionFault.OWN_REQUEST
    if call.state is CallState.UNKNOWN or call.state is after(CallState.UNKNOWN, EVENTS[finding]):
        return None
    return (
        DecisionFault.ALREADY_DECIDED if call.state in {CallState.DONE, CallState.FAILED} else DecisionFault.NOT_FOUND
    )


def result_of(finding: Finding, request_id: str, tool: str) -> CallResult:
    """Return the result of a call that a person has settled."""
    kind, text = _RESULTS[finding]
    return CallResult(request_id, tool, kind, text)
