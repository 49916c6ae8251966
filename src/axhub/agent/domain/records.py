"""Runs and calls as they are stored: plain values, the same for every store (agent/R1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, CallResult, Message
from axhub.agent.domain.runs import RunState, StopReason

__all__ = ["ApprovalView", "Begun", "CallRecord", "ConversationView", "NewRun", "RunRecord", "RunView"]

A = TypeVar("A", bound=Actor)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call as a row."""

    id: str
    """Ours, unique over all runs."""
    request_id: str
    """The model's, unique in its turn."""
    turn: int
    position: int
    """In the response, from 0."""
    tool: str
    digest: str
    """Of the tool's definition when it was offered (agent/R2)."""
    arguments: str
    """Canonical JSON; what runs (agent/R1)."""
    sha256: str
    state: CallState
    key: str | None = None
    """Business key, scoped by tenant and tool; of writes only."""
    needs_approval: bool = False
    result: CallResult | None = None
    """Once it is settled."""
    comment: str = ""
    """The approver's, of a denied one."""
    reference: str = ""
    proposed_sha256: str = ""
    """Hash of its arguments as the audit has it: of the proposal, or of the intent of one that was not held.
    Only of a run that goes on; empty where the audit knows of no such call of this person's (agent/R2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun(Generic[A]):
    """A run that is about to begin."""

    id: str
    conversation_id: str
    is_new_conversation: bool
    agent: str
    actor: A
    message: str
    offered: Mapping[str, str]
    """Names with the digests of their definitions, frozen for the run (agent/A6)."""
    policy_version: str
    trace_id: str
    lease_seconds: float
    approval_policy_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord(Generic[A]):
    """A run that this process works on; its lease is held."""

    id: str
    conversation_id: str
    agent: str
    actor: A
    offered: Mapping[str, str]
    policy_version: str
    """Of the capability policy, as it was asked last."""
    trace_id: str
    version: int
    """Grows with every change; a store changes a run only where it still has this one (agent/R3)."""
    attempts: int = 0
    """How often it was taken over from a process that was silent; its lease is that of the last taker."""
    counters: Counters = field(default_factory=Counters)
    turn: AssistantMessage | None = None
    """A response whose calls have no results yet; it stands in no history until they have (agent/L4)."""
    calls: tuple[CallRecord, ...] = ()
    """Of that response, in the model's order."""
    approval_policy_version: str = ""
    """Of the approval policy, as it was asked last."""


@dataclass(frozen=True, slots=True)
class Begun(Generic[A]):
    """What a store answers to a new run, or to a resumed one."""

    run: RunRecord[A]
    history: tuple[Message, ...]
    """Of the conversation so far, whole pairs only; with the message that began the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalView:
    """One call that a person decides on, as it is shown (agent/R5)."""

    id: str
    run_id: str
    tool: str
    arguments: Mapping[str, Any]
    sha256: str
    requester: str
    state: CallState
    expires_at: str
    """UTC, ISO 8601."""
    decision: Decision | None = None
    approver: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as its owner sees it."""

    id: str
    conversation_id: str
    state: RunState
    answer: str = ""
    reason: StopReason | None = None
    approvals: tuple[ApprovalView, ...] = ()
    results: tuple[CallResult, ...] = ()
    """Finished results, kept also where the run stopped (agent/L2)."""


@dataclass(frozen=True, slots=True)
class ConversationView:
    """A conversation as its owner sees it: what was said, without calls and results."""

    id: str
    messages: tuple[tuple[str, str], ...]
    """`user` or `assistant`, and the text."""
