"""What refunds owe, and how often nobody could be paid; refunds from before owe nothing: people paid them by hand."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0002"
down_revision: Final = "0001"


def upgrade() -> None:
    """Add the table and the columns."""
    op.add_column("order_service_order", sa.Column("declined_refunds", sa.Integer, nullable=False, server_default="0"))
    op.add_column("order_service_order", sa.Column("refund_declined", sa.String(32), nullable=False, server_default=""))
    op.create_table(
        "order_service_payout",
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("order_id", sa.String(16), nullable=False),
        sa.Column("payee", sa.String(256), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("former", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(32), nullable=False),
        sa.Column("due_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("tenant_id", "key"),
    )
    op.create_index("order_service_payout_due", "order_service_payout", ["due_at"])


def downgrade() -> None:
    """Take them away; what is owed is lost."""
    op.drop_table("order_service_payout")
    op.drop_column("order_service_order", "refund_declined")
    op.drop_column("order_service_order", "declined_refunds")
