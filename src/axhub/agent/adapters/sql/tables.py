"""The tables (agent/R1, agent/I1 to I4). `migrations` makes them; a test compares the two."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
    text,
)

from axhub.agent.domain.calls import BLOCKING, CallState
from axhub.agent.domain.runs import RunState

__all__ = [
    "approval",
    "audit",
    "audit_head",
    "blocks",
    "call",
    "conversation",
    "full_result",
    "idempotency",
    "message",
    "metadata",
    "outbox",
    "run",
]

metadata: Final = MetaData()
_ID: Final = String(64)
_NAME: Final = String(256)
_STATE: Final = String(16)
_READY: Final = f"state = '{RunState.READY}'"
_RUNNING: Final = f"state = '{RunState.RUNNING}'"
_UNKNOWN: Final = f"state = '{CallState.UNKNOWN}'"
_UNSENT: Final = "published_at IS NULL AND dead_at IS NULL"
_SENT: Final = "published_at IS NOT NULL"
_BLOCKING: Final = ", ".join(f"'{state}'" for state in sorted(BLOCKING))
_BLOCKS: Final = f"state IN ({_BLOCKING})"


def blocks() -> ColumnElement[bool]:
    """Return the condition that a call blocks others with its key, written out: its index serves no parameters."""
    return literal_column(_BLOCKS)


conversation: Final = Table(
    "agent_conversation",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("tenant_id", _NAME, nullable=False),
    Column("user_id", _NAME, nullable=False),
    Column("active_run_id", _ID),
    Column("created_at", BigInteger, nullable=False),
)

run: Final = Table(
    "agent_run",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("conversation_id", _ID, ForeignKey("agent_conversation.id"), nullable=False),
    Column("tenant_id", _NAME, nullable=False),
    Column("user_id", _NAME, nullable=False),
    Column("agent", _NAME, nullable=False),
    Column("actor", Text, nullable=False),
    Column("state", _STATE, nullable=False),
    Column("version", Integer, nullable=False),
    Column("offered", Text, nullable=False),
    Column("policy_version", _NAME, nullable=False),
    Column("trace_id", _NAME, nullable=False),
    Column("counters", Text, nullable=False),
    Column("turn", Text),
    Column("answer", Text),
    Column("reason", String(32)),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("lease_until", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    Column("schema_version", Integer, nullable=False),
    Column("approval_policy_version", _NAME, nullable=False, server_default=""),
    Index("agent_run_ready", "created_at", sqlite_where=text(_READY), postgresql_where=text(_READY)),
    Index("agent_run_leased", "lease_until", sqlite_where=text(_RUNNING), postgresql_where=text(_RUNNING)),
    Index("agent_run_conversation", "conversation_id"),
)

message: Final = Table(
    "agent_message",
    metadata,
    Column("conversation_id", _ID, ForeignKey("agent_conversation.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("run_id", _ID, nullable=False),
    Column("kind", _STATE, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("conversation_id", "seq"),
)

call: Final = Table(
    "agent_call",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("run_id", _ID, ForeignKey("agent_run.id"), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("tool", _ID, nullable=False),
    Column("digest", _ID, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("sha256", _ID, nullable=False),
    Column("state", _STATE, nullable=False),
    Column("business_key", String(512)),
    Column("needs_approval", Boolean, nullable=False),
    Column("result", Text),
    Column("reference", _ID, nullable=False),
    Column("looked_at", BigInteger),
    Column("looks", Integer, nullable=False, server_default="0"),
    Column("proposed_seq", BigInteger),
    UniqueConstraint("run_id", "turn", "position"),
    Index(
        "agent_call_one_at_a_time",
        "business_key",
        unique=True,
        sqlite_where=text(_BLOCKS),
        postgresql_where=text(_BLOCKS),
    ),
    Index("agent_call_unknown", "looked_at", sqlite_where=text(_UNKNOWN), postgresql_where=text(_UNKNOWN)),
)

full_result: Final = Table(
    "agent_full_result",
    metadata,
    Column("id", _ID, ForeignKey("agent_call.id"), primary_key=True),
    Column("tenant_id", _NAME, nullable=False),
    Column("user_id", _NAME, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sha256", _ID, nullable=False),
    Column("content", LargeBinary),
    Column("created_at", BigInteger, nullable=False),
    Index("agent_full_result_age", "created_at"),
)

approval: Final = Table(
    "agent_approval",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("call_id", _ID, ForeignKey("agent_call.id"), nullable=False, unique=True),
    Column("run_id", _ID, ForeignKey("agent_run.id"), nullable=False),
    Column("tenant_id", _NAME, nullable=False),
    Column("requester", _NAME, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("decision", _STATE),
    Column("approver", _NAME, nullable=False, server_default=""),
    Column("comment", Text, nullable=False, server_default=""),
    Column("decided_at", BigInteger),
    Column("is_open", Boolean, nullable=False),
    Index(
        "agent_approval_open",
        "tenant_id",
        "created_at",
        sqlite_where=text("is_open = 1"),
        postgresql_where=text("is_open"),
    ),
    Index("agent_approval_due", "expires_at", sqlite_where=text("is_open = 1"), postgresql_where=text("is_open")),
    Index("agent_approval_run", "run_id"),
    Index(
        "agent_approval_requester",
        "tenant_id",
        "requester",
        sqlite_where=text("is_open = 1"),
        postgresql_where=text("is_open"),
    ),
)

audit: Final = Table(
    "agent_audit",
    metadata,
    Column("tenant_id", _NAME, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", _ID, nullable=False),
    Column("hash", _ID, nullable=False),
    PrimaryKeyConstraint("tenant_id", "seq"),
)

audit_head: Final = Table(
    "agent_audit_head",
    metadata,
    Column("tenant_id", _NAME, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("hash", _ID, nullable=False),
)

outbox: Final = Table(
    "agent_outbox",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("id", _ID, nullable=False, unique=True),
    Column("aggregate", _NAME, nullable=False),
    Column("type", _NAME, nullable=False),
    Column("payload", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("next_at", BigInteger, nullable=False),
    Column("published_at", BigInteger),
    Column("dead_at", BigInteger),
    Index("agent_outbox_due", "aggregate", "seq", sqlite_where=text(_UNSENT), postgresql_where=text(_UNSENT)),
    Index("agent_outbox_oldest", "seq", sqlite_where=text(_UNSENT), postgresql_where=text(_UNSENT)),
    Index("agent_outbox_age", "published_at", sqlite_where=text(_SENT), postgresql_where=text(_SENT)),
)

idempotency: Final = Table(
    "agent_idempotency",
    metadata,
    Column("scope", _NAME, nullable=False),
    Column("key", String(512), nullable=False),
    Column("fingerprint", _ID, nullable=False),
    Column("owner", _ID, nullable=False, server_default=""),
    Column("response", Text),
    Column("locked_until", BigInteger),
    Column("created_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("scope", "key"),
    Index("agent_idempotency_age", "created_at"),
)
