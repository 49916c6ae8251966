"""Requests that are done once: the same again gets the first answer (agent/I1).

A record is written in the transaction of what it is about, so both are there or neither is. It may be removed when it
is old (`usecases.forget`): what must never happen twice, however late, has a key in a table of the application's.

Whoever takes a key names itself by a token of its own. Where a request was so slow that its lease ended and another
one took the key, the slow one neither gives the key back nor stores an answer under it.
"""

from typing import Final

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.clock import NOW, in_millis, millis
from axhub.agent.adapters.sql.database import Once
from axhub.agent.domain.once import Known, Seen, stored_name
from axhub.agent.ports.runs import LostLeaseError

__all__ = ["Known", "Seen", "begin_once", "finish_once", "forget_once"]

_KEY: Final = tables.idempotency.c
_OWN: Final = (_KEY.scope == bindparam("of"), _KEY.key == bindparam("named"))
_TAKE: Final = Once(tables.idempotency, locked_until=in_millis("lease"), created_at=NOW)
_FIND: Final = select(tables.idempotency, (_KEY.locked_until > NOW).label("is_locked")).where(*_OWN).with_for_update()
_TAKE_AGAIN: Final = update(tables.idempotency).where(*_OWN).values(locked_until=in_millis("lease"))
_HELD: Final = (*_OWN, _KEY.owner == bindparam("by"), _KEY.response.is_(None))
_FINISH: Final = update(tables.idempotency).where(*_HELD).values(locked_until=None)
_FORGET: Final = delete(tables.idempotency).where(*_HELD)


def begin_once(
    connection: Connection, scope: str, key: str, fingerprint: str, *, owner: str, lease_seconds: float
) -> Known:
    """Take a key, or say what is known of it.

    Args:
        connection: of the transaction that does the work, or of one before it.
        scope: whose key it is, and for what: tenant, actor, operation.
        key: names the request; any text (`domain.once.stored_name`).
        fingerprint: hash of the request.
        owner: a token of this one attempt, which nobody else has; at most 64 characters.
        lease_seconds: after which a request that neither finished nor was forgotten counts as dead.
    """
    lease = millis(lease_seconds)
    made = {
        "scope": stored_name(scope),
        "key": stored_name(key),
        "fingerprint": fingerprint,
        "owner": owner,
        "lease": lease,
    }
    row = None
    while row is None:  # a key that is there, and is given back or removed before it is looked at, is free
        if _TAKE.execute(connection, made):
            return Known(Seen.FIRST)
        row = connection.execute(_FIND, _own(scope, key)).one_or_none()
    if row.fingerprint != fingerprint:
        return Known(Seen.OTHER)
    if row.response is not None:
        return Known(Seen.SAME, row.response)
    if row.is_locked:
        return Known(Seen.IN_PROGRESS)
    connection.execute(_TAKE_AGAIN, {**_own(scope, key), "owner": owner, "lease": lease})
    return Known(Seen.FIRST)


def finish_once(connection: Connection, scope: str, key: str, response: str, *, owner: str) -> None:
    """Store the answer of a request, in the transaction of what it changed.

    Raises:
        LostLeaseError: another attempt has the key by now; what this one changed must not be committed either.
    """
    if connection.execute(_FINISH, {**_own(scope, key), "by": owner, "response": response}).rowcount != 1:
        raise LostLeaseError(key)


def forget_once(connection: Connection, scope: str, key: str, *, owner: str) -> None:
    """Give a key back: the request was refused before anything changed. One that another attempt has stays taken."""
    connection.execute(_FORGET, {**_own(scope, key), "by": owner})


def _own(scope: str, key: str) -> dict[str, str]:
    return {"of": stored_name(scope), "named": stored_name(key)}
