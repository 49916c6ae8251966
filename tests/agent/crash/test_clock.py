"""A process whose wall clock jumps by days: approvals go by the clock of the database, another process's (agent/R2)."""

import pytest

from axhub.agent.adapters.sql.database import Database
from order_service.adapters.persistence.migrations import upgrade
from support import postgres
from support.crash_look import look
from support.crash_orders import paid
from support.crash_service import Server


@postgres.NEEDED
@pytest.mark.req("agent/R2", "fault/F25")
@pytest.mark.parametrize(("open_for", "waits", "said"), [(3_600.0, "0", "Answered"), (0.2, "0.5", "expired")])
async def test_an_approval_expires_by_the_clock_of_the_database(
    pair: tuple[Server, ...], open_for: float, waits: str, said: str
) -> None:
    async with postgres.database(migrated=True) as url:
        database = Database(url, patience_seconds=20)
        await upgrade(database)
        (order,) = await paid(database)
        assert await pair[0].does(url, "on_other_days", order, waits, seconds=open_for) == said
        await pair[1].does(url, "go_on")
        found = await look(database)
        found.is_at_rest()
        assert found.refunded == ({order} if said == "Answered" else set())
        await database.close()
