"""What people decide about what the assistant wants to do (agent/R2 to R5)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from order_service.domain.actor import ActorContext

__all__ = ["Approval", "ApprovalRefusal", "ApprovalRefusedError", "Approvals", "Verdict"]


class Verdict(StrEnum):
    """What a person says."""

    APPROVE = "approve"
    DENY = "deny"


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
