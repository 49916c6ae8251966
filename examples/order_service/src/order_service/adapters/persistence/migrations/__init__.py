"""The schema of the service's own tables, step by step; axhub's has its own, and both stand in one database."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import migrations as agent_migrations
from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence.rows import reachable

__all__ = ["VERSION_TABLE", "upgrade"]

VERSION_TABLE: Final = "order_service_schema"
_PATIENCE_SECONDS: Final = 60.0
_LOCK: Final = 6_027_431_159_004_118_237
"""A number of ours, of PostgreSQL's advisory locks."""


async def upgrade(database: Database) -> None:
    """Bring all tables up to this version; replicas that start at once wait for each other.

    Raises:
        UnavailableError: the database is away, or another replica took longer than a minute.
    """
    with reachable():
        await agent_migrations.upgrade(database)
        await database.write(_upgraded, seconds=_PATIENCE_SECONDS)


def _upgraded(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
