"""Keeps a write from committing after another process has said that it did not happen (agent/I2, agent/L6)."""

from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.domain.calls import CallState
from axhub.agent.ports.running import running_call
from axhub.agent.ports.runs import LostLeaseError

__all__ = ["check_running"]

_CALL: Final = tables.call.c
_STANDS: Final = (
    select(_CALL.run_id)
    .where(_CALL.id == bindparam("call"), _CALL.state == CallState.RUNNING)
    .with_for_update(read=True)
)


def check_running(connection: Connection) -> None:
    """Refuse a transaction of a tool whose call was taken over, and let none take it over before this one ends.

    Raises:
        LostLeaseError: another process has the run, and may have told people that the call did nothing.
    """
    call_id = running_call()
    if call_id is not None and connection.execute(_STANDS, {"call": call_id}).scalar() is None:
        raise LostLeaseError(call_id)
