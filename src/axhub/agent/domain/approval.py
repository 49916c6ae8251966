"""Approvals: which calls a person is asked about, who may decide, and when a decision counts (agent/R0 to R4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.domain.texts import storable

__all__ = [
    "APPROVER",
    "ApprovalPolicy",
    "Decider",
    "Decision",
    "DecisionFault",
    "EveryWriteNeedsApproval",
    "PendingCall",
    "check_decision",
    "version_of",
]

A_contra = TypeVar("A_contra", bound=Actor, contravariant=True)

_LONGEST_VERSION: Final = 256


class ApprovalPolicy(Protocol[A_contra]):
    """Which calls a person must decide on; plain, typed, versioned Python (agent/R0)."""

    @property
    def version(self) -> str:
        """Stands in each run and audit entry; read whenever the policy is asked."""
        ...

    def needs_approval(self, tool: ToolDefinition, arguments: Mapping[str, Any], actor: A_contra) -> bool:
        """Say whether this call needs one: True or False; anything else stops the run, and nothing runs."""
        ...


@dataclass(frozen=True, slots=True)
class EveryWriteNeedsApproval:
    """The default: whatever is not declared read-only needs an approval."""

    version: str = "every-write-1"

    def needs_approval(self, tool: ToolDefinition, _arguments: Mapping[str, Any], _actor: Actor) -> bool:
        """See `ApprovalPolicy`."""
        return tool.effect is not Effect.READ


def version_of(policy: Any) -> str:
    """Return the version of a policy, as it stands in runs and in the audit (agent/A4, agent/R0).

    Raises:
        RegistrationError: it has none that can stand there.
    """
    version = getattr(policy, "version", None)
    if not isinstance(version, str) or not version.strip():
        raise RegistrationError(f"{type(policy).__name__}: it has no version; give it a text that changes with it")
    if len(version) > _LONGEST_VERSION or storable(version) != version:
        raise RegistrationError(f"{type(policy).__name__}: its version is not a text of at most 256 characters")
    return version


class Decision(StrEnum):
    """What a person says."""

    APPROVE = "approve"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides, from a verified token (agent/R2)."""

    user_id: str
    tenant_id: str
    roles: frozenset[str]


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call that waits, as stored."""

    approval_id: str
    tenant_id: str
    requester: str
    state: CallState
    is_expired: bool
    """By the clock of the database (agent/R2)."""
    decided: Decision | None = None


class DecisionFault(StrEnum):
    """Why a decision is not taken."""

    NOT_FOUND = "not_found"
    """There is none, or it is another tenant's; which of the two is nobody's business."""
    NOT_APPROVER = "not_approver"
    OWN_REQUEST = "own_request"
    ALREADY_DECIDED = "already_decided"
    """With another decision; the same one again returns the first outcome (agent/R3)."""
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


APPROVER: Final = "approver"
"""The role that decides."""

_OVER: Final = {CallState.WITHDRAWN: DecisionFault.WITHDRAWN, CallState.EXPIRED: DecisionFault.EXPIRED}


def check_decision(
    pending: PendingCall | None,
    decision: Decision,
    decider: Decider,
    *,
    role: str = APPROVER,
    may_decide_own: bool = False,
) -> DecisionFault | None:
    """Return why somebody may not decide so; None if it counts, or repeats the decision that was taken.

    Args:
        pending: the call, read in the transaction that will change it; None: there is none with that id.
        decision: what is said.
        decider: who says it.
        role: what a decider must have.
        may_decide_own: whether a requester may approve the own request.
    """
    if pending is None or pending.tenant_id != decider.tenant_id:
        return DecisionFault.NOT_FOUND
    if role not in decider.roles:
        return DecisionFault.NOT_APPROVER
    if pending.requester == decider.user_id and not may_decide_own:
        return DecisionFault.OWN_REQUEST
    if pending.decided is not None:
        return None if pending.decided is decision else DecisionFault.ALREADY_DECIDED
    if pending.state in _OVER:
        return _OVER[pending.state]
    return DecisionFault.EXPIRED if pending.is_expired else None
