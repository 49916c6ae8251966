"""Whole turns of an agent over a database: what they cost, what they leave behind, and on another replica."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.engine import Connection

from axhub.agent.adapters.sql import tables
from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.messages import AssistantMessage, UserMessage
from axhub.agent.domain.outcomes import Answered, AskRequest, Waiting
from axhub.agent.main import Agent, build_agent
from axhub.agent.ports.runs import Lost, Unreadable
from axhub.agent.registry import ToolRegistry
from axhub.agent.testing import FakeActor, ScriptedTurns, call, calls, fixed
from axhub.agent.usecases.loop import LoopSettings
from support.agent_statements import Sent, sent
from support.agent_stores import BOSS, DATABASES, LEASE, OWNER, claimed, held, migrated_url, new_run, over, running
from support.agents import Cap, Probe, raising, reader

BOSS_OF_FAKES = replace(BOSS, tenant_id=FakeActor().tenant_id)
SECRET = "s3cr3t-of-nobody"


def _dumped(actor: FakeActor) -> Mapping[str, Any]:
    return {"user": actor.user_id, "tenant": actor.tenant_id}


ACTORS = ActorCodec[FakeActor](_dumped, lambda stored: FakeActor(stored["user"], stored["tenant"]))


@pytest.fixture(params=DATABASES)
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    async with migrated_url(request.param, tmp_path) as made:
        yield made


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    made = Database(url, patience_seconds=20)
    yield made
    await made.close()


def _agent(database: Database, turns: ScriptedTurns, *probes: Probe) -> Agent[Cap, FakeActor]:
    registry = ToolRegistry[Cap, FakeActor]({Cap.READ: list(probes)})
    return build_agent(
        turns=turns,
        sources=[registry],
        resolve=lambda _agent, _actor: frozenset(Cap),
        store=SqlRunStore(database, ACTORS),
        settings=LoopSettings(instructions="You help."),
        effects=fixed(),
    )


def _asked(conversation_id: str | None = None) -> AskRequest[FakeActor, Cap]:
    return AskRequest(
        agent="support",
        message="Please.",
        actor=FakeActor(),
        capabilities=frozenset(Cap),
        conversation_id=conversation_id,
    )


def _of_tables(seen: Sent) -> list[str]:
    return [statement for statement, _ in seen.statements if "agent_" in statement]


async def test_a_turn_with_one_read_tool_is_three_transactions_of_statements_that_stand_ready(
    database: Database,
) -> None:
    script = [one for _ in range(3) for one in (calls(call("search_orders", order_id="ORD-1")), "Here it is.")]
    agent = _agent(database, ScriptedTurns(*script), reader())
    first = await agent.ask(_asked())
    assert isinstance(first, Answered)
    await agent.ask(_asked(first.conversation_id))
    with sent() as seen:
        assert isinstance(await agent.ask(_asked(first.conversation_id)), Answered)
    assert seen.commits == 3
    assert seen.built == []
    assert len(_of_tables(seen)) <= 16


async def test_the_whole_of_a_result_is_kept_in_the_transaction_of_its_outcome(database: Database) -> None:
    script = [one for _ in range(2) for one in (calls(call("search_orders", order_id="ORD-1")), "Here it is.")]
    agent = _agent(database, ScriptedTurns(*script), reader(max_result_bytes=5))
    await agent.ask(_asked())
    with sent() as seen:
        answered = await agent.ask(_asked())
    assert seen.commits == 3
    assert seen.built == []
    (result,) = (await agent.store.run(answered.run_id, FakeActor())).results
    assert (await agent.store.full_result(result.full_id, FakeActor())).text == '{"done": "ORD-1"}'


async def test_a_write_that_a_person_approved_is_seven_transactions(database: Database) -> None:
    script = [one for _ in range(3) for one in (calls(call("refund_order", order_id="ORD-1")), "It is done.")]
    agent = _agent(database, ScriptedTurns(*script), Probe())
    for _ in range(2):
        await _approved(agent)
    with sent() as seen:
        await _approved(agent)
    assert seen.commits == 7
    assert seen.built == []


async def _approved(agent: Agent[Cap, FakeActor]) -> None:
    """Ask, approve the one call that waits, and let the run go on to its answer."""
    waiting = await agent.ask(_asked())
    assert isinstance(waiting, Waiting)
    await agent.store.decide(waiting.approvals[0].id, Decision.APPROVE, "", BOSS_OF_FAKES, may_decide_own=False)
    assert isinstance(await agent.resume.next(), Answered)


def _everything(connection: Connection) -> str:
    return json.dumps([[str(row) for row in connection.execute(select(one))] for one in tables.metadata.sorted_tables])


@pytest.mark.req("agent/R2")
async def test_no_moment_of_the_clock_of_this_process_is_sent(database: Database) -> None:
    agent = _agent(database, ScriptedTurns(calls(call("refund_order", order_id="ORD-1")), "It is done."), Probe())
    with sent() as seen:
        await _approved(agent)
        await agent.store.expire()
        await agent.store.take_over(LEASE)
    numbers = [one for _, given in seen.statements for one in _values(given) if isinstance(one, int)]
    assert 86_400_000 in numbers, "the time until an approval expires is a span"
    assert max(numbers) < 1_000_000_000_000, "a moment in milliseconds"


def _values(given: Any) -> list[Any]:
    return list(given.values() if isinstance(given, Mapping) else given or ())


@pytest.mark.req("agent/L5")
async def test_what_a_tool_raised_is_in_no_table(database: Database) -> None:
    probes = [
        reader(behave=raising(RuntimeError(SECRET))),
        Probe(behave=raising(OSError(SECRET)), found=OSError(SECRET)),
    ]
    asked = calls(call("search_orders", order_id="ORD-1"), call("refund_order", order_id="ORD-2"))
    agent = _agent(database, ScriptedTurns(asked, "I could not."), *probes)
    await _approved(agent)
    assert [len(one.calls) for one in probes] == [1, 1]
    stored = await database.read(_everything)
    assert "ORD-2" in stored
    assert SECRET not in stored


@pytest.mark.req("agent/R1")
async def test_a_waiting_run_outlives_its_process_and_is_decided_on_another_replica(url: str) -> None:
    first, second = Database(url, patience_seconds=20), Database(url, patience_seconds=20)
    begun, (view,) = await held(over(first))
    await first.close()
    stores = over(second)
    assert await stores.runs.approvals("t1", 9) == (view,)
    assert (await stores.runs.decide(view.id, Decision.APPROVE, "", BOSS, may_decide_own=False)).is_run_ready
    again = await claimed(stores)
    assert (again.run.id, again.run.actor, again.history) == (begun.run.id, OWNER, begun.history)
    await second.close()


def _marked_newer(connection: Connection) -> None:
    connection.execute(update(tables.run).values(schema_version=2))


@pytest.mark.req("agent/R1")
async def test_runs_that_a_newer_version_stored_are_left_to_it(database: Database) -> None:
    stores = over(database)
    _, (view,) = await held(stores)
    await stores.runs.decide(view.id, Decision.APPROVE, "", BOSS, may_decide_own=False)
    await running(stores)
    await stores.pass_time(LEASE + 1)
    await database.write(_marked_newer)
    assert await stores.runs.claim_ready(LEASE) is None
    assert await stores.runs.take_over(LEASE) is None
    assert len(await stores.runs.newer(9)) == 2, "one that is ready, and one whose lease is over"
    assert len(await stores.runs.newer(1)) == 1
    await database.write(lambda one: one.execute(update(tables.run).values(schema_version=1)))
    assert await stores.runs.newer(9) == ()
    assert isinstance(await stores.runs.take_over(LEASE), Lost)
    await database.write(_marked_newer)
    assert await stores.runs.unknown(9) == ()


def _with_new_members(connection: Connection) -> None:
    """Add a member that this version does not know to whatever is stored as JSON, and a message of a new kind."""
    for table, name in (
        (tables.run, "turn"),
        (tables.run, "counters"),
        (tables.message, "body"),
        (tables.call, "result"),
    ):
        column = table.c[name]
        connection.execute(
            update(table).where(column.is_not(None)).values({name: '{"new":[1],' + func.substr(column, 2)})
        )
    talk = connection.execute(select(tables.conversation.c.id)).scalar_one()
    row = {"conversation_id": talk, "seq": 90, "run_id": "r", "kind": "thought", "body": '{"text":"hm"}'}
    connection.execute(tables.message.insert(), row)


@pytest.mark.req("agent/R1")
async def test_members_and_messages_that_only_a_newer_version_knows_are_passed_over(database: Database) -> None:
    stores = over(database)
    begun, (view,) = await held(stores)
    await database.write(_with_new_members)
    await stores.runs.decide(view.id, Decision.APPROVE, "", BOSS, may_decide_own=False)
    again = await claimed(stores)
    assert again.history == (UserMessage("Refund it."),)
    assert isinstance(again.run.turn, AssistantMessage)
    assert again.run.turn.calls[0].name == "refund_order"
    await stores.runs.end(again.run, "Done.", None, ())
    said = await stores.runs.conversation(begun.run.conversation_id, OWNER)
    assert said.messages == (("user", "Refund it."), ("assistant", "Done."))
    assert (await stores.runs.begin(new_run(begun.run.conversation_id))).history[-1] == UserMessage("Refund it.")


def _first_unreadable(connection: Connection) -> None:
    oldest = select(tables.run.c.id).order_by(tables.run.c.created_at, tables.run.c.id).limit(1).scalar_subquery()
    connection.execute(update(tables.run).where(tables.run.c.id == oldest).values(actor='{"who":"old"}'))


@pytest.mark.req("agent/R1")
async def test_a_run_whose_actor_cannot_be_read_keeps_no_other_waiting(database: Database) -> None:
    stores = over(database)
    for _ in range(2):
        _, (view,) = await held(stores)
        await stores.runs.decide(view.id, Decision.APPROVE, "", BOSS, may_decide_own=False)
        await asyncio.sleep(0.002)
    await database.write(_first_unreadable)
    assert isinstance(await stores.runs.claim_ready(LEASE), Unreadable)
    await claimed(stores)
    await stores.pass_time(LEASE + 1)
    assert isinstance(await stores.runs.take_over(LEASE), Unreadable)
    assert isinstance(await stores.runs.take_over(LEASE), Lost)
    assert await stores.runs.take_over(LEASE) is None


async def test_an_approval_of_a_run_whose_actor_cannot_be_read_expires_all_the_same(database: Database) -> None:
    stores = over(database)
    for _ in range(2):
        await held(stores, seconds=60)
        await asyncio.sleep(0.002)
    await database.write(_first_unreadable)
    await stores.pass_time(61)
    assert await stores.runs.expire() == 2
    assert len([one for one in await stores.entries() if '"call_expired"' in one.body]) == 2
