"""Rows that somebody edits between a decision and what follows, and decisions that come again (agent/R2, agent/R3)."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import pytest
from sqlalchemy import delete, update

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.database import Database
from axhub.agent.domain.canonical import digest
from axhub.agent.usecases.lease import LEASE_SECONDS
from order_service.ports.approvals import ApprovalRefusal, ApprovalRefusedError, Verdict
from support.agent_stores import over
from support.crash_look import Look, look
from support.crash_orders import paid
from support.crash_points import Points
from support.crash_service import Service, assembled

OTHER: Final = {"order_id": "ORD-2"}
CALLS: Final[list[Mapping[str, Any]]] = [
    {"arguments": '{"order_id":"ORD-2"}'},
    {"arguments": '{"order_id":"ORD-2"}', "sha256": digest(OTHER)},
    {"sha256": digest(OTHER)},
    {"digest": "0" * 64},
    {"tool": "cancel_order"},
    {"request_id": '"another"'},
]
STATES: Final[list[Mapping[str, Any]]] = [
    {"state": "APPROVED"},
    {"state": "PROPOSED"},
    {"state": "APPROVED", "needs_approval": False},
]


@pytest.fixture
async def service(url: str, database: Database) -> AsyncIterator[Service]:
    await paid(database, 2)
    made = assembled(url, Points())
    yield made
    await made.database.close()


async def _edited(database: Database, **columns: Any) -> None:
    run = columns.pop("run", None)
    async with database.transaction() as connection:
        if columns:
            await connection.execute(update(tables.call).values(**columns))
        if run is not None:
            await connection.execute(update(tables.run).values(state=run))


async def _gone_on(service: Service) -> Look:
    await service.go_on()
    found = await look(service.database)
    found.is_at_rest()
    return found


@pytest.mark.req("agent/R2", "fault/F20")
@pytest.mark.parametrize("columns", CALLS, ids="+".join)
async def test_a_call_that_was_edited_after_its_approval_does_not_run(
    service: Service, columns: Mapping[str, Any]
) -> None:
    await service.decide(await service.held("ORD-1"))
    await _edited(service.database, **columns)
    await service.go_on()
    found = await look(service.database)
    found.fits()
    assert found.refunded == set()
    assert [one.status for one in found.orders] == ["PAID", "PAID"]
    assert [one for one in found.audit if one["action"] == "call_intended"] == []


@pytest.mark.req("agent/R2")
@pytest.mark.parametrize("columns", STATES, ids=lambda one: "+".join(map(str, one.values())))
@pytest.mark.parametrize("before", ["nobody has decided", "denied", "its row is gone"])
async def test_an_approval_that_nobody_gave_lets_nothing_run(
    service: Service, columns: Mapping[str, Any], before: str
) -> None:
    approval = await service.held("ORD-1")
    if before == "denied":
        await service.decide(approval, Verdict.DENY)
    if before == "its row is gone":
        async with service.database.transaction() as connection:
            await connection.execute(delete(tables.approval))
    await _edited(service.database, run="READY", **columns)
    assert (await _gone_on(service)).refunded == set()


@pytest.mark.req("agent/R2")
async def test_a_call_that_is_made_to_look_as_if_nobody_had_to_decide_does_not_run(service: Service) -> None:
    await service.decide(await service.held("ORD-1"), Verdict.DENY)
    await _edited(service.database, run="READY", state="PROPOSED", needs_approval=False)
    assert (await _gone_on(service)).refunded == set()


@pytest.mark.req("agent/R3")
async def test_decisions_that_come_again_or_in_another_order_change_nothing(service: Service) -> None:
    first, second = await service.held("ORD-1"), await service.held("ORD-2")
    await service.decide(second, Verdict.DENY)
    await service.decide(first)
    await _gone_on(service)
    before = await look(service.database)
    for approval, same, other in ((first, Verdict.APPROVE, Verdict.DENY), (second, Verdict.DENY, Verdict.APPROVE)):
        await service.decide(approval, same)
        with pytest.raises(ApprovalRefusedError) as refused:
            await service.decide(approval, other)
        assert refused.value.reason == ApprovalRefusal.ALREADY_DECIDED
    await over(service.database).pass_time(LEASE_SECONDS + 1)
    after = await _gone_on(service)
    assert after.refunded == {"ORD-1"}
    assert after.audit == before.audit


@pytest.mark.req("agent/I1")
async def test_a_call_that_was_done_and_is_made_to_look_approved_does_nothing_more(service: Service) -> None:
    await service.decide(await service.held("ORD-1"))
    before = await _gone_on(service)
    await _edited(service.database, state="APPROVED", run="READY")
    await service.go_on()
    after = await look(service.database)
    after.fits()
    assert after.outbox == before.outbox
    assert after.refunded == {"ORD-1"}
