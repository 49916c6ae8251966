"""The first tables, and an audit that nobody changes (agent/R1, agent/I1 to I4)."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None

_SQLITE: Final = """
CREATE TRIGGER agent_audit_no_{event} BEFORE {event} ON agent_audit
BEGIN SELECT RAISE(ABORT, 'agent_audit is append-only'); END
"""
_NO_REPLACE: Final = """
CREATE TRIGGER agent_audit_no_replace BEFORE INSERT ON agent_audit
WHEN EXISTS (SELECT 1 FROM agent_audit WHERE tenant_id = NEW.tenant_id AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'agent_audit is append-only'); END
"""  # SQLite calls no trigger for what INSERT OR REPLACE removes
_FUNCTION: Final = """
CREATE FUNCTION agent_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'agent_audit is append-only' USING ERRCODE = 'insufficient_privilege'; END $$
"""
_POSTGRESQL: Final = """
CREATE TRIGGER agent_audit_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON agent_audit
FOR EACH STATEMENT EXECUTE FUNCTION agent_audit_refuse()
"""


def upgrade() -> None:
    """Make the tables, parents first."""
    _conversation()
    _run()
    _message()
    _call()
    _approval()
    _audit()
    _audit_head()
    _outbox()
    _idempotency()
    _append_only()


def downgrade() -> None:
    """Refuse: an audit is not thrown away by a command.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError


def _conversation() -> None:
    op.create_table(
        "agent_conversation",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("user_id", sa.String(256), nullable=False),
        sa.Column("active_run_id", sa.String(64)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )


def _run() -> None:
    op.create_table(
        "agent_run",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("conversation_id", sa.String(64), sa.ForeignKey("agent_conversation.id"), nullable=False),
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("user_id", sa.String(256), nullable=False),
        sa.Column("agent", sa.String(256), nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("offered", sa.Text, nullable=False),
        sa.Column("policy_version", sa.String(256), nullable=False),
        sa.Column("trace_id", sa.String(256), nullable=False),
        sa.Column("counters", sa.Text, nullable=False),
        sa.Column("turn", sa.Text),
        sa.Column("answer", sa.Text),
        sa.Column("reason", sa.String(32)),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("lease_until", sa.BigInteger),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("schema_version", sa.Integer, nullable=False),
    )
    op.create_index(
        "agent_run_ready",
        "agent_run",
        ["created_at"],
        sqlite_where=sa.text("state = 'READY'"),
        postgresql_where=sa.text("state = 'READY'"),
    )
    op.create_index(
        "agent_run_leased",
        "agent_run",
        ["lease_until"],
        sqlite_where=sa.text("state = 'RUNNING'"),
        postgresql_where=sa.text("state = 'RUNNING'"),
    )
    op.create_index("agent_run_conversation", "agent_run", ["conversation_id"])


def _message() -> None:
    op.create_table(
        "agent_message",
        sa.Column("conversation_id", sa.String(64), sa.ForeignKey("agent_conversation.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("conversation_id", "seq"),
    )


def _call() -> None:
    op.create_table(
        "agent_call",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("run_id", sa.String(64), sa.ForeignKey("agent_run.id"), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("tool", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("arguments", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("business_key", sa.String(512)),
        sa.Column("needs_approval", sa.Boolean, nullable=False),
        sa.Column("result", sa.Text),
        sa.Column("reference", sa.String(64), nullable=False),
        sa.Column("looked_at", sa.BigInteger),
        sa.UniqueConstraint("run_id", "turn", "position"),
    )
    op.create_index(
        "agent_call_one_at_a_time",
        "agent_call",
        ["business_key"],
        unique=True,
        sqlite_where=sa.text("state IN ('RUNNING', 'UNKNOWN')"),
        postgresql_where=sa.text("state IN ('RUNNING', 'UNKNOWN')"),
    )
    op.create_index(
        "agent_call_unknown",
        "agent_call",
        ["looked_at"],
        sqlite_where=sa.text("state = 'UNKNOWN'"),
        postgresql_where=sa.text("state = 'UNKNOWN'"),
    )


def _approval() -> None:
    op.create_table(
        "agent_approval",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("call_id", sa.String(64), sa.ForeignKey("agent_call.id"), nullable=False, unique=True),
        sa.Column("run_id", sa.String(64), sa.ForeignKey("agent_run.id"), nullable=False),
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("requester", sa.String(256), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("decision", sa.String(16)),
        sa.Column("approver", sa.String(256), nullable=False, server_default=""),
        sa.Column("comment", sa.Text, nullable=False, server_default=""),
        sa.Column("decided_at", sa.BigInteger),
        sa.Column("is_open", sa.Boolean, nullable=False),
    )
    op.create_index(
        "agent_approval_open",
        "agent_approval",
        ["tenant_id", "created_at"],
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "agent_approval_due",
        "agent_approval",
        ["expires_at"],
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index("agent_approval_run", "agent_approval", ["run_id"])


def _audit() -> None:
    op.create_table(
        "agent_audit",
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "seq"),
    )


def _audit_head() -> None:
    op.create_table(
        "agent_audit_head",
        sa.Column("tenant_id", sa.String(256), primary_key=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )


def _outbox() -> None:
    op.create_table(
        "agent_outbox",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("aggregate", sa.String(256), nullable=False),
        sa.Column("type", sa.String(256), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("next_at", sa.BigInteger, nullable=False),
        sa.Column("published_at", sa.BigInteger),
        sa.Column("dead_at", sa.BigInteger),
    )
    op.create_index(
        "agent_outbox_due",
        "agent_outbox",
        ["aggregate", "seq"],
        sqlite_where=sa.text("published_at IS NULL AND dead_at IS NULL"),
        postgresql_where=sa.text("published_at IS NULL AND dead_at IS NULL"),
    )
    op.create_index(
        "agent_outbox_oldest",
        "agent_outbox",
        ["seq"],
        sqlite_where=sa.text("published_at IS NULL AND dead_at IS NULL"),
        postgresql_where=sa.text("published_at IS NULL AND dead_at IS NULL"),
    )


def _idempotency() -> None:
    op.create_table(
        "agent_idempotency",
        sa.Column("scope", sa.String(256), nullable=False),
        sa.Column("key", sa.String(512), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("response", sa.Text),
        sa.Column("locked_until", sa.BigInteger),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("scope", "key"),
    )


def _append_only() -> None:
    """Refuse whatever changes what stands in the audit."""
    if op.get_bind().dialect.name == "sqlite":
        for event in ("UPDATE", "DELETE"):
            op.execute(_SQLITE.format(event=event))
        op.execute(_NO_REPLACE)
    else:
        op.execute(_FUNCTION)
        op.execute(_POSTGRESQL)
