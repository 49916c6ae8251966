"""Requests that are done once: the same again gets the first answer (agent/I1).

A record is written in the transaction of what it is about, so both are there or neither is.
"""

from typing import Final

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.database import Once
from axhub.agent.domain.once import Known, Seen

__all__ = ["Known", "Seen", "begin_once", "finish_once", "forget_once", "look_up"]


_KEY: Final = tables.idempotency.c
_OWN: Final = (_KEY.scope == bindparam("of"), _KEY.key == bindparam("named"))
_TAKE: Final = Once(tables.idempotency, locked_until=in_millis("lease"), created_at=NOW)
_FIND: Final = select(tables.idempotency, (_KEY.locked_until > NOW).label("is_locked")).where(*_OWN).with_for_update()
_TAKE_AGAIN: Final = update(tables.idempotency).where(*_OWN).values(locked_until=in_millis("lease"))
_FINISH: Final = update(tables.idempotency).where(*_OWN).values(locked_until=None)
_FORGET: Final = delete(tables.idempotency).where(*_OWN, _KEY.response.is_(None))
_ANSWER: Final = select(_KEY.response).where(*_OWN)


def begin_once(connection: Connection, scope: str, key: str, fingerprint: str, *, lease_seconds: float) -> Known:
    """Take a key, or say what is known of it.

    Args:
        connection: of the transaction that does the work, or of one before it.
        scope: whose key it is, and for what: tenant, actor, operation.
        key: names the request.
        fingerprint: hash of the request.
        lease_seconds: after which a request that neither finished nor was forgotten counts as dead.
    """
    lease = millis(lease_seconds)
    made = {"scope": scope, "key": key, "fingerprint": fingerprint, "lease": lease}
    if _TAKE.execute(connection, made):
        return Known(Seen.FIRST)
    row = connection.execute(_FIND, _own(scope, key)).one()
    if row.fingerprint != fingerprint:
        return Known(Seen.OTHER)
    if row.response is not None:
        return Known(Seen.SAME, row.response)
    if row.is_locked:
        return Known(Seen.IN_PROGRESS)
    connection.execute(_TAKE_AGAIN, {**_own(scope, key), "lease": lease})
    return Known(Seen.FIRST)


def finish_once(connection: Connection, scope: str, key: str, response: str) -> None:
    """Store the answer of a request, in the transaction of what it changed."""
    connection.execute(_FINISH, {**_own(scope, key), "response": response})


def forget_once(connection: Connection, scope: str, key: str) -> None:
    """Give a key back: the request was refused before anything changed."""
    connection.execute(_FORGET, _own(scope, key))


def look_up(connection: Connection, scope: str, key: str) -> str | None:
    """Return the answer that is stored for a key; None if there is none."""
    found: str | None = connection.execute(_ANSWER, _own(scope, key)).scalar()
    return found


def _own(scope: str, key: str) -> dict[str, str]:
    return {"of": scope, "named": key}
