"""What people decide about what the assistant wants to do (agent/R2 to R5), or has perhaps done (agent/L6)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from order_service.domain.actor import ActorContext

__all__ = [
    "Approval",
    "ApprovalRefusal",
    "ApprovalRefusedError",
    "Approvals",
    "Finding",
    "UnknownCall",
    "Verdict",
]


class Verdict(StrEnum):
    """What a person says."""

    APPROVE = "approve"
    DENY = "deny"


class Finding(StrEnum):
    """What an approver has found out about a call whose outcome nobody knew."""

    HAPPENED = "happened"
    DID_NOT_HAPPEN = "did_not_happen"


class ApprovalRefusal(StrEnum):
    """Why a decision is not taken, or a list not shown."""

    NOT_FOUND = "not_found"
    """There is none, or it is another tenant's: nobody learns which."""
    NOT_APPROVER = "not_approver"
    OWN_REQUEST = "own_request"
    ALREADY_DECIDED = "already_decided"
    """With the other decision; the same one again gets the first outcome."""
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class ApprovalRefusedError(Exception):
    """Nothing was decided."""

    def __init__(self, reason: ApprovalRefusal) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One call that a person decides on, as approvers see it."""

    id: str
    run_id: str
    tool: str
    requester: str
    """User id of whoever asked the assistant."""
    expires_at: str
    """UTC, ISO 8601."""
    state: str
    """`WAITING`, `APPROVED`, `DENIED`, … as the call stands now."""
    arguments: dict[str, Any] = field(default_factory=dict)
    verdict: Verdict | None = None
    approver: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownCall:
    """A call that may have taken effect; nothing else is done with its order by the assistant until that is known."""

    id: str
    run_id: str
    tool: str
    requester: str
    state: str
    """`UNKNOWN`; once it is settled `DONE` or `FAILED`."""
    arguments: dict[str, Any] = field(default_factory=dict)


class Approvals(Protocol):
    """Decisions; the actor comes from a verified token."""

    async def pending(self, actor: ActorContext, most: int = 100) -> tuple[Approval, ...]:
        """Return what waits for a decision in the actor's tenant, oldest first.

        Raises:
            ApprovalRefusedError: the actor is no approver.
            UnavailableError: nobody can tell now.
        """
        ...

    async def decide(self, actor: ActorContext, approval_id: str, verdict: Verdict, comment: str) -> Approval:
        """Decide once; the same decision again returns the first outcome (agent/R3).

        Raises:
            ApprovalRefusedError: nothing was decided.
            UnavailableError: nothing was decided, as far as is known; trying again is safe.
        """
        ...

    async def unknown_calls(self, actor: ActorContext, most: int = 100) -> tuple[UnknownCall, ...]:
        """Return calls of the actor's tenant whose outcome nobody knows, oldest first.

        Raises:
            ApprovalRefusedError: the actor is no approver.
            UnavailableError: nobody can tell now.
        """
        ...

    async def settle(self, actor: ActorContext, call_id: str, finding: Finding) -> UnknownCall:
        """Say what became of such a call, once; the same again returns the first outcome.

        Raises:
            ApprovalRefusedError: nothing was taken.
            UnavailableError: nothing was taken, as far as is known; trying again is safe.
        """
        ...
