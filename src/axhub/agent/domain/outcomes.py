"""What is asked of an agent, and what comes of it (agent/A3)."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.errors import AgentError
from axhub.agent.domain.messages import CallResult
from axhub.agent.domain.records import ApprovalView
from axhub.agent.domain.runs import StopReason

__all__ = [
    "Answered",
    "AskRequest",
    "NotApproverError",
    "NotAuthenticatedError",
    "Outcome",
    "Stopped",
    "ToolAbortedError",
    "Waiting",
]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest(Generic[A, C]):
    """One message of a person, with what the application allows the agent to do about it."""

    agent: str
    message: str
    actor: A
    """From a verified token (agent/A7)."""
    capabilities: AbstractSet[C] = field(default_factory=frozenset)
    """None: no tools of a registry at all (agent/A5)."""
    conversation_id: str | None = None
    """None: a new one."""
    trace_id: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The model answered, or tools did that answer directly (agent/L3)."""

    run_id: str
    conversation_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing of the model's last response has run: a person decides first (agent/L1)."""

    run_id: str
    conversation_id: str
    approvals: tuple[ApprovalView, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run ended without an answer (decision/D15)."""

    run_id: str
    conversation_id: str
    reason: StopReason
    results: tuple[CallResult, ...] = ()
    """What the calls that ended have given."""


Outcome = Answered | Waiting | Stopped


class NotAuthenticatedError(AgentError):
    """Nobody acts: the caller has to authenticate, and no model is told (agent/A7)."""


class NotApproverError(AgentError):
    """Somebody who may not decide asked what waits for a decision (agent/R5)."""


class ToolAbortedError(AgentError):
    """A tool raised what the error policy hands to the caller (agent/L5); the cause is that exception."""

    def __init__(self, run_id: str, tool: str, reference: str) -> None:
        super().__init__(f"run {run_id}: {tool} raised; reference {reference}")
        self.run_id = run_id
        self.tool = tool
        self.reference = reference
