"""Texts that a database or a provider would refuse, in every place where they can come in: none of them is an error."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from axhub.agent.adapters.sql.codec import ActorCodec
from axhub.agent.adapters.sql.database import Database
from axhub.agent.adapters.sql.run_store import SqlRunStore
from axhub.agent.domain.approval import Decision
from axhub.agent.domain.messages import AssistantMessage, CallRequest, ResultKind
from axhub.agent.domain.outcomes import Answered, AskRequest, Waiting
from axhub.agent.main import build_agent
from axhub.agent.ports.events import Event
from axhub.agent.registry import ToolRegistry
from axhub.agent.testing import FakeActor, ScriptedTurns, fixed
from support.agent_stores import DATABASES, opened_database, over
from support.agents import ACTOR, APPROVER, SETTINGS, Cap, Probe

ODD: Final = "half \ud83d nul \0 pair \ud83d\ude00 end \udfff"
MADE: Final = "half \ufffd nul {nul} pair 😀 end \ufffd"
WRITTEN: Final = '{"order_id": "A\\u0000B", "note": "\ud83d"}'


@pytest.fixture(params=DATABASES)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    async with opened_database(request.param, tmp_path) as made:
        yield made


async def test_a_run_with_odd_texts_everywhere_comes_to_its_answer(database: Database) -> None:
    async def behave(_arguments: Mapping[str, Any], _context: object) -> str:
        return ODD * 10

    refund = Probe(behave=behave, max_result_bytes=100)
    said = AssistantMessage(
        ODD, (CallRequest(f"id \ud800{ODD[5:6]}", "refund_order", WRITTEN),), {"by": ODD, "x": [ODD]}
    )
    agent = build_agent(
        turns=ScriptedTurns(said, ODD),
        sources=[ToolRegistry[Cap, FakeActor]({Cap.READ: [refund]})],
        resolve=lambda _agent, _actor: frozenset(Cap),
        store=SqlRunStore(database, ActorCodec[FakeActor](lambda one: {"user": one.user_id}, lambda _: ACTOR)),
        settings=replace(SETTINGS, kept_result_bytes=10_000),
        effects=fixed(),
    )
    asked = AskRequest(agent="support", message=ODD, actor=ACTOR, capabilities=frozenset(Cap), trace_id=ODD + "x" * 300)
    waiting = await agent.ask(asked)
    assert isinstance(waiting, Waiting), waiting
    decider = replace(APPROVER, user_id="boss \ud800")
    (view,) = await agent.decide.pending(decider)
    assert view.arguments == {"order_id": "A\0B", "note": "\ufffd"}
    decided = await agent.decide.decide(view.id, Decision.APPROVE, ODD, decider)
    assert decided.approval is not None
    assert decided.approval.comment == MADE.format(nul="\ufffd")
    answered = await agent.resume.next()
    assert isinstance(answered, Answered)
    assert len(refund.calls) == 1
    run = await agent.store.run(answered.run_id, ACTOR)
    assert run.answer == MADE.format(nul="\ufffd")
    (result,) = run.results
    assert result.kind is ResultKind.OK
    full = await agent.store.full_result(result.full_id, ACTOR)
    assert full.text == MADE.format(nul="\0") * 10
    talk = await agent.store.conversation(run.conversation_id, ACTOR)
    assert talk.messages[0] == ("user", MADE.format(nul="\0"))


async def test_an_event_with_odd_texts_leaves(database: Database) -> None:
    stores = over(database)
    await stores.add_event(Event("e1", "o", "order.refunded", {"memo": ODD}))
    (item,) = await stores.outbox.claim(1, 30)
    assert item.event.payload == {"memo": MADE.format(nul="\0")}
