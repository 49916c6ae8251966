"""Keys of HTTP requests, in axhub's table of them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import idempotency
from axhub.agent.adapters.sql.database import Database
from axhub.agent.ports.runs import LostLeaseError
from order_service.adapters.persistence.rows import reachable
from order_service.ports.request_keys import KnownKey, SeenKey

__all__ = ["SqlRequestKeys"]

_LEASE_SECONDS: Final = 60.0
"""After which a request that neither finished nor was forgotten counts as dead; none takes so long."""


class SqlRequestKeys:
    """See `ports.request_keys.RequestKeys`.

    A process that dies between the use case's commit and `finish` leaves the key taken; once the lease is over the
    request may come again, and then meets the use case's own record.
    """

    def __init__(self, database: Database, new_token: Callable[[], str]) -> None:
        """Take the database.

        Args:
            database: with the tables of axhub's agent.
            new_token: makes names that nobody else has.
        """
        self._database = database
        self._new_token = new_token

    async def begin(self, scope: str, key: str, fingerprint: str) -> KnownKey:
        """See `RequestKeys`."""
        token = self._new_token()

        def work(connection: Connection) -> KnownKey:
            found = idempotency.begin_once(
                connection, scope, key, fingerprint, owner=token, lease_seconds=_LEASE_SECONDS
            )
            return KnownKey(SeenKey(found.seen.value), found.response, token)

        with reachable():
            return await self._database.write(work)

    async def finish(self, scope: str, key: str, token: str, response: str) -> None:
        """See `RequestKeys`."""

        def work(connection: Connection) -> None:
            idempotency.finish_once(connection, scope, key, response, owner=token)

        with reachable(), suppress(LostLeaseError):  # the use case's own key has given both attempts one result
            await self._database.write(work)

    async def forget(self, scope: str, key: str, token: str) -> None:
        """See `RequestKeys`."""

        def work(connection: Connection) -> None:
            idempotency.forget_once(connection, scope, key, owner=token)

        with reachable():
            await self._database.write(work)
