"""The tables. `migrations` makes them; a test compares the two."""

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, MetaData, PrimaryKeyConstraint, String, Table, Text

__all__ = ["metadata", "order", "result"]

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
