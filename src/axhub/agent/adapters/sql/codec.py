"""Records to and from the texts of columns; unknown members of newer rows are ignored."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import msgspec

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.calls import CallState
from axhub.agent.domain.limits import Counters
from axhub.agent.domain.messages import AssistantMessage, CallResult, Message, ResultsMessage, UserMessage
from axhub.agent.domain.moments import moment
from axhub.agent.domain.records import ApprovalView, CallRecord, RunRecord
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.texts import storable, whole_json

__all__ = [
    "SCHEMA_VERSION",
    "ActorCodec",
    "Codec",
    "Owner",
    "approval_of",
    "call_columns",
    "full_columns",
    "full_of",
    "is_storable",
    "text_of",
]

A = TypeVar("A", bound=Actor)
B = TypeVar("B", bound=Actor)

SCHEMA_VERSION: Final = 1
"""Of what stands in the columns; stored with each run."""
_KINDS: Final[Mapping[str, type[Message]]] = {
    "user": UserMessage,
    "assistant": AssistantMessage,
    "results": ResultsMessage,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a run is, as the columns say."""

    user_id: str
    tenant_id: str
    roles: frozenset[str] = frozenset()


class ActorCodec(Generic[A]):
    """How an application's actor is stored with a run, so that another replica can go on with it (agent/R1)."""

    def __init__(self, dump: Callable[[A], Mapping[str, Any]], load: Callable[[Mapping[str, Any]], A]) -> None:
        self.dump = dump
        self.load = load


def text_of(value: Any) -> str:
    """Return a record as JSON; what of its texts is no Unicode is replaced."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(whole_json(msgspec.to_builtins(value))).decode()


def is_storable(*texts: str) -> bool:
    """Say whether a row can have these names at all; a statement with others is an error of the database's."""
    return all(storable(one) == one for one in texts)


class Codec(Generic[A]):
    """Rows to records."""

    def __init__(self, actors: ActorCodec[A]) -> None:
        self._actors = actors

    def actor_text(self, actor: A) -> str:
        """Return an actor as it is stored."""
        return text_of(self._actors.dump(actor))

    def message_columns(self, one: Message) -> dict[str, str]:
        """Return the columns of a message."""
        return {"kind": _NAMES[type(one)], "body": text_of(one)}

    def message(self, row: Any) -> Message | None:
        """Return a message; None if it is of a kind that a newer version of ours has stored."""
        kind = _KINDS.get(row.kind)
        return None if kind is None else msgspec.json.decode(row.body, type=kind)

    @staticmethod
    def result(text: str) -> CallResult:
        """Return the result of a call."""
        return msgspec.json.decode(text, type=CallResult)

    def call(self, row: Any, comment: str = "") -> CallRecord:
        """Return a call."""
        return CallRecord(
            id=row.id,
            request_id=msgspec.json.decode(row.request_id, type=str),
            turn=row.turn,
            position=row.position,
            tool=row.tool,
            digest=row.digest,
            arguments=row.arguments,
            sha256=row.sha256,
            state=CallState(row.state),
            key=row.business_key,
            needs_approval=row.needs_approval,
            result=None if row.result is None else self.result(row.result),
            comment=comment,
            reference=row.reference,
        )

    def run(self, row: Any, calls: tuple[CallRecord, ...] = ()) -> RunRecord[A]:
        """Return a run.

        Raises:
            ValueError: its actor is another one than its columns say: somebody has edited one of them.
        """
        actor = self._actors.load(msgspec.json.decode(row.actor))
        if (actor.user_id, actor.tenant_id) != (row.user_id, row.tenant_id):
            raise ValueError("the stored actor is not the one whose run it is")
        return _run(row, actor, calls)

    @staticmethod
    def audited(row: Any) -> RunRecord[Owner]:
        """Return a run as the audit tells of it: of plain columns, so that no damaged text keeps it from that."""
        return RunRecord(
            id=row.id,
            conversation_id=row.conversation_id,
            agent=row.agent,
            actor=Owner(row.user_id, row.tenant_id),
            offered={},
            policy_version=row.policy_version,
            approval_policy_version=row.approval_policy_version,
            trace_id=row.trace_id,
            version=row.version,
        )

    @staticmethod
    def audited_call(row: Any) -> CallRecord:
        """Return a call as the audit tells of it; see `audited`."""
        return CallRecord(
            id=row.id,
            request_id="",
            turn=row.turn,
            position=row.position,
            tool=row.tool,
            digest=row.digest,
            arguments="",
            sha256=row.sha256,
            state=CallState(row.state),
            reference=row.reference,
        )


def full_columns(full: FullResult, tenant_id: str, user_id: str) -> dict[str, Any]:
    """Return the columns of the whole of a result, and whose it is."""
    return {
        "id": full.id,
        "tenant_id": tenant_id,
        "user_id": user_id,
        "size": full.size,
        "sha256": full.sha256,
        "content": None if full.text is None else full.text.encode(),
    }


def full_of(row: Any) -> FullResult:
    """Return the whole of a result."""
    return FullResult(row.id, row.size, row.sha256, None if row.content is None else row.content.decode())


def _run(row: Any, actor: B, calls: tuple[CallRecord, ...]) -> RunRecord[B]:
    return RunRecord(
        id=row.id,
        conversation_id=row.conversation_id,
        agent=row.agent,
        actor=actor,
        offered=msgspec.json.decode(row.offered, type=dict[str, str]),
        policy_version=row.policy_version,
        approval_policy_version=row.approval_policy_version,
        trace_id=row.trace_id,
        version=row.version,
        attempts=row.attempts,
        counters=msgspec.json.decode(row.counters, type=Counters),
        turn=None if row.turn is None else msgspec.json.decode(row.turn, type=AssistantMessage),
        calls=calls,
    )


def call_columns(one: CallRecord, run_id: str) -> dict[str, Any]:
    """Return the columns of a call."""
    return {
        "id": one.id,
        "run_id": run_id,
        "turn": one.turn,
        "position": one.position,
        "request_id": text_of(one.request_id),
        "tool": storable(one.tool),
        "digest": one.digest,
        "arguments": one.arguments,
        "sha256": one.sha256,
        "state": one.state.value,
        "business_key": one.key,
        "needs_approval": one.needs_approval,
        "result": None if one.result is None else text_of(one.result),
        "reference": one.reference,
    }


def approval_of(row: Any) -> ApprovalView:
    """Return an approval, from a row that joins it with its call."""
    return ApprovalView(
        id=row.approval_id,
        run_id=row.run_id,
        tool=row.tool,
        arguments=json.loads(row.arguments),
        sha256=row.sha256,
        requester=row.requester,
        state=CallState(row.state),
        expires_at=moment(row.expires_at),
        decision=None if row.decision is None else Decision(row.decision),
        approver=row.approver,
        comment=row.comment,
    )
