"""What Alembic runs: in the transaction that the caller has begun, so that a step happens whole or not at all."""

from alembic import context

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.migrations.upgrading import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"], target_metadata=tables.metadata, version_table=VERSION_TABLE
)
context.run_migrations()
