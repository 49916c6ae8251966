"""What Alembic runs: in the transaction that the caller has begun, so that a step happens whole or not at all."""

from alembic import context

from order_service.adapters.persistence import tables
from order_service.adapters.persistence.migrations import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"], target_metadata=tables.metadata, version_table=VERSION_TABLE
)
context.run_migrations()
