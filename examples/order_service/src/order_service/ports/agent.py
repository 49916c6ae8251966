"""The assistant as the application sees it: what is asked, for whom, with which abilities (agent/A3, agent/A4).

No framework's type stands here, nor one of axhub: another implementation needs no change of the core.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from order_service.domain.actor import ActorContext

__all__ = [
    "AgentAnswer",
    "AgentCapability",
    "AgentGateway",
    "AgentOutcome",
    "AgentRequest",
    "ApprovalRequest",
    "ConversationBusyError",
    "ConversationNotFoundError",
    "PendingApprovalError",
    "StillRunning",
    "Stopped",
    "WaitingForApproval",
]


class AgentCapability(StrEnum):
    """What the application can do, in its own terms; no names of tools (seed 000 §IV.1)."""

    SEARCH_ORDER = "search_order"
    REFUND_ORDER = "refund_order"
    CANCEL_ORDER = "cancel_order"


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """One message to the assistant."""

    agent_type: str
    message: str
    actor: ActorContext
    allowed_capabilities: frozenset[AgentCapability]
    conversation_id: str | None = None
    """None: a new conversation."""
    trace_id: str = ""


@dataclass(frozen=True, slots=True)
class AgentAnswer:
    """It answered."""

    run_id: str
    conversation_id: str
    content: str


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """One call that a person decides on."""

    id: str
    tool: str
    arguments: dict[str, Any]
    expires_at: str
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class WaitingForApproval:
    """Nothing has happened yet: people decide first."""

    run_id: str
    conversation_id: str
    approvals: tuple[ApprovalRequest, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """It ended without an answer."""

    run_id: str
    conversation_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class StillRunning:
    """This process was too slow and another one goes on with it: what comes of it is there under its run id."""

    run_id: str
    conversation_id: str


AgentOutcome = AgentAnswer | WaitingForApproval | Stopped | StillRunning


class ConversationNotFoundError(Exception):
    """There is no such conversation of the actor's."""


class ConversationBusyError(Exception):
    """It is answering another message."""


class PendingApprovalError(Exception):
    """A call of it waits for a person; a new message is no decision."""


class AgentGateway(Protocol):
    """The assistant."""

    async def ask(self, request: AgentRequest, on_text: Callable[[str], None] | None = None) -> AgentOutcome:
        """Answer a message; `on_text` gets the text in pieces as it comes.

        Raises:
            ConversationNotFoundError, ConversationBusyError, PendingApprovalError: it takes no message now.
        """
        ...
