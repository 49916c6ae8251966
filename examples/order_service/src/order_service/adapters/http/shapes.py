"""Bodies of requests and responses: what is read, what is sent, and what the OpenAPI document says of both."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from order_service.domain.order import OrderStatus
from order_service.ports.agent import (
    AgentAnswer,
    AgentOutcome,
    ApprovalRequest,
    StillRunning,
    Stopped,
    WaitingForApproval,
)
from order_service.ports.approvals import Approval, UnknownCall
from order_service.ports.inbound import OrderResult
from order_service.ports.runs import Conversation, CutResult, FullResult, RunReport, RunStatus

__all__ = [
    "ApprovalBody",
    "ApprovalsBody",
    "ChatBody",
    "ConversationBody",
    "DecisionBody",
    "FindingBody",
    "FullResultBody",
    "NothingBody",
    "OrderBody",
    "OrdersBody",
    "ProblemBody",
    "RunBody",
    "Sent",
    "UnknownCallBody",
    "UnknownCallsBody",
    "outcome_body",
]

MAX_MESSAGE_CHARS: Final = 4000
MAX_COMMENT_CHARS: Final = 1000
_NO_NUL: Final = r"^[^\x00]*$"

Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class _Read(BaseModel):
    """What somebody sends: no member more than named, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel)


class Sent(BaseModel):
    """What is sent."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True)

    def json_text(self) -> str:
        """Return the JSON object, without members that have no value."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


class ChatBody(_Read):
    """A message to the assistant."""

    message: Annotated[str, StringConstraints(min_length=1, max_length=MAX_MESSAGE_CHARS, pattern=_NO_NUL)]
    conversation_id: Id | None = Field(default=None, json_schema_extra={"description": "None: a new conversation."})


class DecisionBody(_Read):
    """What an approver says."""

    decision: Literal["approve", "deny"]
    comment: Annotated[str, StringConstraints(max_length=MAX_COMMENT_CHARS, pattern=_NO_NUL)] = ""


class FindingBody(_Read):
    """What an approver has found out about a call whose outcome nobody knew."""

    finding: Literal["happened", "did_not_happen"]


class NothingBody(_Read):
    """An object without members; no body at all says the same."""


class OrderBody(Sent):
    """One order."""

    order_id: str
    status: OrderStatus
    item: str
    total: int = Field(description="In won.")
    refund_declined: str | None = Field(
        default=None, description="Why the last refund could not be paid and was taken back: a word, `account_closed`."
    )

    @classmethod
    def of(cls, result: OrderResult) -> "OrderBody":
        """Return a result as it is sent."""
        return cls(
            order_id=result.order_id,
            status=OrderStatus(result.status),
            item=result.item,
            total=result.total,
            refund_declined=result.refund_declined or None,
        )


class OrdersBody(Sent):
    """Orders, newest number first."""

    orders: list[OrderBody]


class WaitingBody(Sent):
    """One call that a person decides on, as its requester sees it."""

    id: str
    tool: str
    arguments: dict[str, Any]
    expires_at: str

    @classmethod
    def of(cls, request: ApprovalRequest) -> "WaitingBody":
        """Return a request as it is sent."""
        return cls(id=request.id, tool=request.tool, arguments=request.arguments, expires_at=request.expires_at)


class CutResultBody(Sent):
    """A result of which the assistant read only the beginning; all of it is at `/api/v1/results/{id}`."""

    id: str
    tool: str

    @classmethod
    def of(cls, one: CutResult) -> "CutResultBody":
        """Return a result as it is sent."""
        return cls(id=one.id, tool=one.tool)


class FullResultBody(Sent):
    """The whole of a result that was cut for the assistant."""

    id: str
    size: int = Field(description="Bytes of UTF-8.")
    sha256: str = Field(description="Of these bytes.")
    text: str | None = Field(default=None, description="Not there: it was too large to be kept.")

    @classmethod
    def of(cls, one: FullResult) -> "FullResultBody":
        """Return a result as it is sent."""
        return cls(id=one.id, size=one.size, sha256=one.sha256, text=one.text)


class RunBody(Sent):
    """What became of a message."""

    status: RunStatus
    run_id: str
    conversation_id: str
    content: str | None = Field(default=None, description="Of an answered one.")
    reason: str | None = Field(default=None, description="Of a stopped one.")
    approvals: list[WaitingBody] | None = Field(default=None, description="Of a waiting one.")
    cut_results: list[CutResultBody] | None = Field(
        default=None, description="Of a run that is asked for: results of which there is more than the assistant read."
    )

    @classmethod
    def of(cls, report: RunReport) -> "RunBody":
        """Return a report as it is sent."""
        waits = report.status is RunStatus.WAITING
        return cls(
            status=report.status,
            run_id=report.run_id,
            conversation_id=report.conversation_id,
            content=report.content if report.status is RunStatus.ANSWERED else None,
            reason=report.reason if report.status is RunStatus.STOPPED else None,
            approvals=[WaitingBody.of(one) for one in report.approvals] if waits else None,
            cut_results=[CutResultBody.of(one) for one in report.cut_results] or None,
        )


class ConversationMessage(Sent):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    text: str


class ConversationBody(Sent):
    """What was said in a conversation."""

    conversation_id: str
    messages: list[ConversationMessage]

    @classmethod
    def of(cls, conversation: Conversation) -> "ConversationBody":
        """Return a conversation as it is sent."""
        said = [
            ConversationMessage(role="user" if one.role == "user" else "assistant", text=one.text)
            for one in conversation.messages
        ]
        return cls(conversation_id=conversation.id, messages=said)


class ApprovalBody(Sent):
    """One call that a person decides on, as approvers see it."""

    id: str
    run_id: str
    tool: str
    arguments: dict[str, Any]
    requester: str
    state: str
    expires_at: str
    decision: Literal["approve", "deny"] | None = None
    approver: str | None = None
    comment: str | None = None

    @classmethod
    def of(cls, one: Approval) -> "ApprovalBody":
        """Return an approval as it is sent."""
        return cls(
            id=one.id,
            run_id=one.run_id,
            tool=one.tool,
            arguments=one.arguments,
            requester=one.requester,
            state=one.state,
            expires_at=one.expires_at,
            decision=None if one.verdict is None else one.verdict.value,
            approver=one.approver or None,
            comment=one.comment or None,
        )


class ApprovalsBody(Sent):
    """What waits for a decision, oldest first."""

    approvals: list[ApprovalBody]


class UnknownCallBody(Sent):
    """A call whose outcome nobody knows, or that an approver has just settled."""

    id: str
    run_id: str
    tool: str
    arguments: dict[str, Any]
    requester: str
    state: str

    @classmethod
    def of(cls, one: UnknownCall) -> "UnknownCallBody":
        """Return a call as it is sent."""
        return cls(
            id=one.id,
            run_id=one.run_id,
            tool=one.tool,
            arguments=one.arguments,
            requester=one.requester,
            state=one.state,
        )


class UnknownCallsBody(Sent):
    """Calls whose outcome nobody knows, oldest first."""

    calls: list[UnknownCallBody]


class ProblemBody(Sent):
    """A problem (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str | None = None


def outcome_body(outcome: AgentOutcome) -> RunBody:
    """Return what the assistant made of a message, as it is sent; the same for JSON and for the last event."""
    run_id, conversation_id = outcome.run_id, outcome.conversation_id
    match outcome:
        case AgentAnswer(content=content):
            return RunBody(status=RunStatus.ANSWERED, run_id=run_id, conversation_id=conversation_id, content=content)
        case WaitingForApproval(approvals=approvals):
            waiting = [WaitingBody.of(one) for one in approvals]
            return RunBody(status=RunStatus.WAITING, run_id=run_id, conversation_id=conversation_id, approvals=waiting)
        case Stopped(reason=reason):
            return RunBody(status=RunStatus.STOPPED, run_id=run_id, conversation_id=conversation_id, reason=reason)
        case StillRunning():
            return RunBody(status=RunStatus.RUNNING, run_id=run_id, conversation_id=conversation_id)
