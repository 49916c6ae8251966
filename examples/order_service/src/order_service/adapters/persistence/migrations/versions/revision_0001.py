"""Orders, and what came of each command."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "order_service_order",
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("customer_id", sa.String(256), nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id"),
    )
    op.create_table(
        "order_service_result",
        sa.Column("tenant_id", sa.String(256), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "key"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("order_service_result")
    op.drop_table("order_service_order")
