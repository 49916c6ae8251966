"""The adapter of `RunStore` on SQLite and PostgreSQL."""

from typing import TypeVar

from axhub.agent.adapters.sql.codec import ActorCodec, Codec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.deciding import Deciding
from axhub.agent.adapters.sql.recovering import Recovering
from axhub.agent.adapters.sql.settling import Settling
from axhub.agent.adapters.sql.working import Working
from axhub.agent.domain.actor import Actor

__all__ = ["SqlRunStore"]

A = TypeVar("A", bound=Actor)


class SqlRunStore(Working[A], Deciding[A], Settling[A], Recovering[A]):
    """See `ports.runs.RunStore`; the tables must be there (`migrations.upgrade`)."""

    def __init__(self, database: Database, actors: ActorCodec[A]) -> None:
        """Take the database, and how an actor is stored."""
        super().__init__(database, Codec(actors))
