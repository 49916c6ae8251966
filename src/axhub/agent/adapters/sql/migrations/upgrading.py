"""Runs the steps that a database has not had yet, one replica at a time."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql.database import Database

__all__ = ["VERSION_TABLE", "upgrade"]

VERSION_TABLE: Final = "agent_schema"
"""Where the revision stands; not Alembic's own name, so that an application's migrations have that to themselves."""
_PATIENCE_SECONDS: Final = 60.0
_LOCK: Final = 4_157_687_325_118_206_790
"""A number of ours, of PostgreSQL's advisory locks."""


async def upgrade(database: Database) -> None:
    """Bring the tables of a database up to this version; replicas that start at once wait for each other.

    Raises:
        StoreUnavailableError: the database is away, or another replica took longer than a minute.
    """
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
