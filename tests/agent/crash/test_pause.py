"""A process that stands still for longer than its lease, and goes on as if nothing had been (agent/I2, agent/L6)."""

import pytest

from axhub.agent.adapters.sql.database import PATIENCE_SECONDS, Database
from axhub.agent.domain.calls import CallState
from axhub.agent.ports.runs import StoreUnavailableError
from axhub.agent.usecases.lease import LEASE_SECONDS
from support.agent_stores import over
from support.crash_look import look
from support.crash_orders import paid
from support.crash_points import Points
from support.crash_service import Server, assembled


@pytest.mark.req("agent/I2", "agent/I6", "agent/L6")
@pytest.mark.parametrize("at", ["after intend", "before begin of the refund", "before commit of the refund"])
async def test_what_was_found_not_done_is_not_done_afterwards(
    url: str, database: Database, pair: tuple[Server, ...], at: str
) -> None:
    (order,) = await paid(database)
    first, other = assembled(url, Points()), assembled(url, Points(), patience_seconds=PATIENCE_SECONDS)
    await first.decide(await first.held(order))
    await first.database.close()
    pid = await pair[0].pauses(url, "resume", at=at)
    try:
        await over(database).pass_time(LEASE_SECONDS + 1)
        await other.go_on()
    except StoreUnavailableError:
        pass  # the one that stands still has the database locked, so nobody finds out anything
    (call,) = (await look(database)).calls
    assert await pair[0].goes_on(pid) in {"LostLeaseError", "Answered"}
    if call.state == CallState.FAILED:
        (call,) = (await look(database)).calls
        assert call.state == CallState.FAILED
        assert (await look(database)).refunded == set()
    await over(database).pass_time(LEASE_SECONDS + 1)
    await other.go_on()
    (await look(database)).is_at_rest()
    await other.database.close()
