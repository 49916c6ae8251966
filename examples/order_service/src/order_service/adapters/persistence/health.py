"""Whether the database answers."""

from sqlalchemy import text
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql.database import Database
from axhub.agent.ports.runs import StoreUnavailableError

__all__ = ["is_reachable"]


async def is_reachable(database: Database) -> bool:
    """Say whether a transaction can be made now."""

    def work(connection: Connection) -> None:
        connection.execute(text("SELECT 1"))

    try:
        await database.read(work)
    except StoreUnavailableError:
        return False
    return True
