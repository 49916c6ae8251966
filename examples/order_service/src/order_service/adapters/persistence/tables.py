"""The tables. `migrations` makes them; a test compares the two."""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, PrimaryKeyConstraint, String, Table, Text

__all__ = ["metadata", "order", "payout", "result"]

metadata: Final = MetaData()
_NAME: Final = String(256)

order: Final = Table(
    "order_service_order",
    metadata,
    Column("tenant_id", _NAME, nullable=False),
    Column("id", String(16), nullable=False),
    Column("customer_id", _NAME, nullable=False),
    Column("item", Text, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("declined_refunds", Integer, nullable=False, server_default="0"),
    Column("refund_declined", String(32), nullable=False, server_default=""),
    PrimaryKeyConstraint("tenant_id", "id"),
)

result: Final = Table(
    "order_service_result",
    metadata,
    Column("tenant_id", _NAME, nullable=False),
    Column("key", String(64), nullable=False),
    Column("result", Text, nullable=False),
    PrimaryKeyConstraint("tenant_id", "key"),  # what keeps an order from being refunded twice (agent/I1)
)

payout: Final = Table(
    "order_service_payout",
    metadata,
    Column("tenant_id", _NAME, nullable=False),
    Column("key", String(64), nullable=False),
    Column("order_id", String(16), nullable=False),
    Column("payee", _NAME, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("former", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("reason", String(32), nullable=False),
    Column("due_at", BigInteger),  # nothing once it is over
    PrimaryKeyConstraint("tenant_id", "key"),
    Index("order_service_payout_due", "due_at"),
)
