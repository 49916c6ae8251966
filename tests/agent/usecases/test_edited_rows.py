"""Rows that somebody with the database's password edits while a run waits: nobody else is acted for, and nothing else
runs than what the audit says was proposed (agent/R1, agent/R2)."""

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.chain import SqlAuditTrail
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.canonical import digest
from axhub.agent.domain.outcomes import AskRequest, Waiting
from axhub.agent.main import Agent, build_agent
from axhub.agent.registry import ToolRegistry
from axhub.agent.testing import ScriptedTurns, call, calls, fixed
from support.agent_stores import ACTORS, BOSS, DATABASES, OWNER, Person, opened_database
from support.agents import SETTINGS, Cap, Probe

OTHER: Final = '{"order_id":"OTHER"}'
VICTIM: Final = '{"user":"victim","tenant":"t1","roles":["admin"]}'
ALL_THREE: Final = {"arguments": OTHER, "sha256": digest(json.loads(OTHER))}


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path) as made:
        yield made


def _agent(database: Database, *turns: Any, refund: Any) -> Agent[Cap, Person]:
    return build_agent(
        turns=ScriptedTurns(*turns),
        sources=[ToolRegistry[Cap, Person]({Cap.WRITE: [refund]})],
        resolve=lambda _agent, _actor: frozenset(Cap),
        store=SqlRunStore(database, ACTORS),
        settings=SETTINGS,
        effects=fixed(),
    )


async def _approved(agent: Agent[Cap, Person]) -> None:
    asked = AskRequest(agent="support", message="Please.", actor=OWNER, capabilities=frozenset(Cap))
    waiting = await agent.ask(asked)
    assert isinstance(waiting, Waiting)
    for one in waiting.approvals:
        assert (await agent.decide.decide(one.id, Decision.APPROVE, "", BOSS)).fault is None


async def _edit(database: Database, table: str, **columns: Any) -> None:
    edited = update(tables.metadata.tables[table]).values(**columns)
    await database.write(lambda connection: connection.execute(edited))


def _in_turn(connection: Connection) -> None:
    (stored,) = connection.execute(select(tables.run.c.turn)).scalars()
    assert "ORD-1" in stored
    connection.execute(update(tables.run).values(turn=stored.replace("ORD-1", "OTHER")))


async def _actions(database: Database) -> list[str]:
    return [json.loads(one.body)["action"] async for one in SqlAuditTrail(database).entries()]


@pytest.mark.req("agent/R1", "agent/R2")
@pytest.mark.parametrize(
    "actor",
    [
        '{"user":"victim","tenant":"t1","roles":[]}',
        '{"user":"u1","tenant":"t2","roles":[]}',
        '{"user":"victim","tenant":"t2","roles":["admin"]}',
    ],
)
async def test_nobody_is_acted_for_but_the_one_whose_run_it_is(database: Database, actor: str) -> None:
    refund = Probe()
    agent = _agent(database, calls(call("refund_order", order_id="ORD-1")), "Well.", refund=refund)
    await _approved(agent)
    await _edit(database, "agent_run", actor=actor)
    assert await agent.resume.next() is None
    await agent.recover.once()
    assert refund.calls == []
    assert "call_intended" not in await _actions(database)


@pytest.mark.req("agent/R2")
@pytest.mark.parametrize("columns", [{"tenant_id": "t2"}, {"requester": "victim"}])
async def test_an_approval_counts_for_the_tenant_and_the_requester_it_was_asked_for(
    database: Database, columns: Mapping[str, str]
) -> None:
    refund = Probe()
    agent = _agent(database, calls(call("refund_order", order_id="ORD-1")), "Well.", refund=refund)
    await _approved(agent)
    await _edit(database, "agent_approval", **columns)
    await agent.resume.next()
    assert refund.calls == []


@pytest.mark.req("agent/R2")
async def test_a_run_that_is_made_another_ones_in_every_row_does_not_run(database: Database) -> None:
    refund = Probe()
    agent = _agent(database, calls(call("refund_order", order_id="ORD-1")), "Well.", refund=refund)
    await _approved(agent)
    await _edit(database, "agent_run", actor=VICTIM, user_id="victim")
    await _edit(database, "agent_conversation", user_id="victim")
    await _edit(database, "agent_approval", requester="victim")
    await agent.resume.next()
    assert refund.calls == []


@pytest.mark.req("agent/R2")
@pytest.mark.parametrize("place", ["as it is", "of nothing", "unknown", "of another call"])
async def test_arguments_that_are_edited_wherever_they_stand_do_not_run(database: Database, place: str) -> None:
    """Row, hash and response say the same, and the audit says otherwise."""
    refund = Probe()
    both = calls(call("refund_order", order_id="OTHER"), call("refund_order", order_id="ORD-1"))
    agent = _agent(database, both, "Well.", refund=refund)
    await _approved(agent)
    rows = await database.read(lambda one: one.execute(select(tables.call).order_by(tables.call.c.position)).all())
    places: dict[str, Mapping[str, Any]] = {
        "as it is": {},
        "of nothing": {"proposed_seq": 999},
        "unknown": {"proposed_seq": None},
        "of another call": {"proposed_seq": rows[0].proposed_seq},
    }
    edited = update(tables.call).where(tables.call.c.id == rows[1].id).values(**ALL_THREE, **places[place])
    await database.write(lambda connection: connection.execute(edited))
    await database.write(_in_turn)
    await agent.resume.next()
    assert [context.call_id for _, context in refund.calls] == [rows[0].id]
    bodies = [json.loads(one.body) async for one in SqlAuditTrail(database).entries()]
    refused = [one for one in bodies if one["call_id"] == rows[1].id and one["action"] == "call_rejected"]
    assert [one["outcome"] for one in refused] == ["changed"]


@pytest.mark.req("agent/R2")
async def test_a_call_that_a_version_before_has_held_is_found_in_the_audit(database: Database) -> None:
    refund = Probe()
    agent = _agent(database, calls(call("refund_order", order_id="ORD-1")), "Well.", refund=refund)
    await _approved(agent)
    await _edit(database, "agent_call", proposed_seq=None)
    await agent.resume.next()
    assert len(refund.calls) == 1
