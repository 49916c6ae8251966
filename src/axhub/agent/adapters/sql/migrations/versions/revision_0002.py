"""Wholes of results that were cut; who has a request's key, how often a lost call was looked at, a guarded audit head.

Where the audit has the proposal of a held call, and the version of the approval policy. And indexes: of who waits for
approvals, and of what is removed when it is old.
"""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0002"
down_revision: Final = "0001"

_REFUSED: Final = "agent_audit_head follows agent_audit"
_FOLLOWS: Final = """
    NEW.tenant_id = OLD.tenant_id AND NEW.seq > OLD.seq AND EXISTS (
        SELECT 1 FROM agent_audit AS it WHERE it.tenant_id = NEW.tenant_id AND it.seq = NEW.seq AND it.hash = NEW.hash)
"""
"""What the head of a tenant may become: a later entry that is there."""
_SQLITE: Final = (
    f"""
CREATE TRIGGER agent_audit_head_follows BEFORE UPDATE ON agent_audit_head WHEN NOT ({_FOLLOWS})
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END
""",
    f"""
CREATE TRIGGER agent_audit_head_no_delete BEFORE DELETE ON agent_audit_head
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END
""",
    """
CREATE TRIGGER agent_audit_head_no_replace BEFORE INSERT ON agent_audit_head
WHEN EXISTS (SELECT 1 FROM agent_audit_head WHERE tenant_id = NEW.tenant_id)
BEGIN SELECT RAISE(ABORT, 'agent_audit_head follows agent_audit'); END
""",  # SQLite calls no other trigger for what INSERT OR REPLACE removes
)
_POSTGRESQL: Final = (
    f"""
CREATE FUNCTION agent_audit_head_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF {_FOLLOWS} THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'insufficient_privilege';
END $$
""",
    """
CREATE TRIGGER agent_audit_head_follows BEFORE UPDATE OR DELETE ON agent_audit_head
FOR EACH ROW EXECUTE FUNCTION agent_audit_head_refuse()
""",
    """
CREATE TRIGGER agent_audit_head_no_truncate BEFORE TRUNCATE ON agent_audit_head
FOR EACH STATEMENT EXECUTE FUNCTION agent_audit_head_refuse()
""",
)


def upgrade() -> None:
    """Make what is new; what is stored stays as it is, and processes of the version before go on."""
    _full_result()
    op.add_column("agent_call", sa.Column("looks", sa.Integer, nullable=False, server_default="0"))
    op.add_column("agent_call", sa.Column("proposed_seq", sa.BigInteger))
    version = sa.Column("approval_policy_version", sa.String(256), nullable=False, server_default="")
    op.add_column("agent_run", version)
    op.add_column("agent_idempotency", sa.Column("owner", sa.String(64), nullable=False, server_default=""))
    op.create_index(
        "agent_approval_requester",
        "agent_approval",
        ["tenant_id", "requester"],
        sqlite_where=sa.text("is_open = 1"),
        postgresql_where=sa.text("is_open"),
    )
    op.create_index(
        "agent_outbox_age",
        "agent_outbox",
        ["published_at"],
        sqlite_where=sa.text("published_at IS NOT NULL"),
        postgresql_where=sa.text("published_at IS NOT NULL"),
    )
    op.create_index("agent_idempotency_age", "agent_idempotency", ["created_at"])
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in _SQLITE if is_sqlite else _POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    """Refuse: what was kept for people is not thrown away by a command.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError


def _full_result() -> None:
    op.create_table(
        "agent_full_result",
        sa.Column("id", sa.String(64), sa.ForeignKey("agent_call.id"), primary_key=True),
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("user_id", sa.String(256), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("agent_full_result_age", "agent_full_result", ["created_at"])
