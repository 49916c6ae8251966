"""What became of a message to the assistant, and what was said before: each actor sees the own ones."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from order_service.domain.actor import ActorContext
from order_service.ports.agent import ApprovalRequest

__all__ = [
    "Conversation",
    "CutResult",
    "FullResult",
    "ResultNotFoundError",
    "RunNotFoundError",
    "RunNotWaitingError",
    "RunReport",
    "RunStatus",
    "Runs",
    "Said",
]


class RunStatus(StrEnum):
    """Where a run stands, as its owner sees it."""

    RUNNING = "running"
    """Also while a decided one waits for a process that goes on with it."""
    WAITING = "waiting_for_approval"
    ANSWERED = "answered"
    STOPPED = "stopped"
    WITHDRAWN = "withdrawn"

    @property
    def is_last(self) -> bool:
        """Whether no other follows it."""
        return self not in {RunStatus.RUNNING, RunStatus.WAITING}


@dataclass(frozen=True, slots=True)
class CutResult:
    """A result of a tool of which the assistant read only the beginning."""

    id: str
    """What the whole is kept under; the assistant was told it too."""
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FullResult:
    """The whole of such a result."""

    id: str
    size: int
    """Bytes of UTF-8."""
    sha256: str
    """Of these bytes."""
    text: str | None
    """None: it was too large to be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """One run."""

    run_id: str
    conversation_id: str
    status: RunStatus
    content: str = ""
    """Of an answered one."""
    reason: str = ""
    """Of a stopped one."""
    approvals: tuple[ApprovalRequest, ...] = ()
    """Of a waiting one: those that nobody has decided on yet."""
    cut_results: tuple[CutResult, ...] = ()
    """Of any: those of which there is more than the assistant read."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation."""

    role: str
    """`user` or `assistant`."""
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said, without calls and results."""

    id: str
    messages: tuple[Said, ...]


class RunNotFoundError(Exception):
    """There is no such run of the actor's."""


class ResultNotFoundError(Exception):
    """There is no such result of the actor's, or it is not kept any more."""


class RunNotWaitingError(Exception):
    """The run does not wait for a decision, so there is nothing to take back."""


class Runs(Protocol):
    """The actor's own runs and conversations."""

    async def run(self, actor: ActorContext, run_id: str) -> RunReport:
        """Return a run.

        Raises:
            RunNotFoundError: there is none of the actor's.
            UnavailableError: nobody can tell now.
        """
        ...

    async def withdraw(self, actor: ActorContext, run_id: str) -> RunReport:
        """Take a waiting run back; what it wanted to do never happens.

        Raises:
            RunNotFoundError, RunNotWaitingError: nothing has changed.
            UnavailableError: nobody can tell now.
        """
        ...

    async def full_result(self, actor: ActorContext, result_id: str) -> FullResult:
        """Return the whole of a result that was cut for the assistant.

        Raises:
            ResultNotFoundError: there is none of the actor's, or it is not kept any more.
            UnavailableError: nobody can tell now.
        """
        ...

    async def conversation(self, actor: ActorContext, conversation_id: str) -> Conversation:
        """Return a conversation.

        Raises:
            ConversationNotFoundError: there is none of the actor's.
            UnavailableError: nobody can tell now.
        """
        ...
