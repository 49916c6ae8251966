"""One message of a person: who asks, with what, and what becomes of it when they go away (agent/A3, A5 to A7, A12)."""

import asyncio
from typing import Any

import pytest

from axhub.agent import AskRequest, FixedTools, NotAuthenticatedError, StopReason, build_agent
from axhub.agent.adapters.memory import MemoryData, MemoryRunStore
from axhub.agent.domain.messages import TurnRequest
from axhub.agent.domain.outcomes import Answered
from axhub.agent.domain.records import NewRun
from axhub.agent.domain.runs import RunState
from axhub.agent.testing import FakeActor, ScriptedTurns, call, calls, fixed
from support.agents import ACTOR, SETTINGS, Probe, Worlds, limited, reader


@pytest.mark.req("agent/A7")
@pytest.mark.parametrize(
    "actor",
    [
        None,
        FakeActor(user_id=""),
        FakeActor(tenant_id=" "),
        object(),
        FakeActor("user-\ud800"),
        FakeActor(tenant_id="nul \0"),
        FakeActor("u" * 257),
    ],
)
async def test_nobody_is_refused_before_a_model_is_told(worlds: Worlds, actor: Any) -> None:
    world = await worlds.make("Never.", tools=[reader()])
    with pytest.raises(NotAuthenticatedError):
        await world.ask(actor=actor)
    assert world.turns.requests == []


@pytest.mark.req("agent/A7", "agent/A3")
async def test_the_actor_reaches_the_tool_and_nothing_that_a_model_reads(worlds: Worlds) -> None:
    actor = FakeActor("canary-user", "canary-tenant", frozenset({"canary-role"}))
    search, refund = reader(), Probe()
    batch = calls(call("search_orders", order_id="A"))
    world = await worlds.make(batch, "Done.", tools=[search, refund])
    outcome = await world.ask(actor=actor)
    assert search.calls[0][1].actor == actor
    assert "canary" not in repr(world.turns.requests)
    conversation = await world.store.conversation(outcome.conversation_id, actor)
    assert conversation.messages == (("user", "Please."), ("assistant", "Done."))
    assert "canary" not in repr(search.calls[0][1])


@pytest.mark.req("agent/A6")
async def test_what_is_offered_is_stored_with_the_run(worlds: Worlds) -> None:
    seen: list[NewRun[FakeActor]] = []
    search, refund = reader(), Probe()

    def watching(store: Any) -> Any:
        real = store.begin

        class Watched:
            def __getattr__(self, name: str) -> Any:
                return getattr(store, name)

            async def begin(self, new: NewRun[FakeActor]) -> Any:
                seen.append(new)
                return await real(new)

        return Watched()

    world = await worlds.make("Hello.", tools=[search, refund], store=watching, policy_version="v7")
    await world.ask()
    assert seen[0].offered == {one.definition.name: one.definition.digest for one in (search, refund)}
    assert (seen[0].policy_version, seen[0].actor) == ("v7", ACTOR)


async def test_too_many_tools_stop_the_run_and_are_never_cut_in_silence(worlds: Worlds) -> None:
    world = await worlds.make("Never.", tools=[reader(), Probe()], settings=limited(tools=1))
    stopped = await world.stopped()
    assert stopped.reason is StopReason.TOO_MANY_TOOLS
    assert world.turns.requests == []
    assert [one["outcome"] for one in await world.audit()] == ["too_many_tools"]


async def test_a_caller_that_goes_away_stops_nothing(worlds: Worlds) -> None:
    inside, go = asyncio.Event(), asyncio.Event()

    async def behave(_arguments: object, _context: object) -> str:
        inside.set()
        await go.wait()
        return "{}"

    world = await worlds.make(calls(call("search_orders", order_id="A")), "Done.", tools=[reader(behave=behave)])
    asking = asyncio.create_task(world.ask())
    await inside.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    go.set()
    await world.agent.drain()
    assert len(world.turns.requests) == 2
    assert (await world.audit())[-1]["outcome"] == "answered"


async def test_a_listener_that_goes_away_stops_nothing(worlds: Worlds) -> None:
    heard: list[str] = []

    def listen(text: str) -> None:
        heard.append(text)
        raise BrokenPipeError

    world = await worlds.make("One two three.", tools=[])
    outcome = await world.ask(on_text=listen)
    assert isinstance(outcome, Answered)
    assert (heard, outcome.text) == (["One "], "One two three.")


async def test_a_listener_hears_the_text_as_it_comes(worlds: Worlds) -> None:
    heard: list[str] = []
    world = await worlds.make("One two.", tools=[])
    await world.ask(on_text=heard.append)
    assert heard == ["One ", "two."]


async def test_a_conversation_remembers_what_was_said_and_done(worlds: Worlds) -> None:
    world = await worlds.make(calls(call("search_orders", order_id="A")), "Found.", "As I said.", tools=[reader()])
    first = await world.ask("Where is A?")
    await world.ask("And?", conversation=first.conversation_id)
    kinds = [type(one).__name__ for one in world.turns.requests[-1].messages]
    assert kinds == ["UserMessage", "AssistantMessage", "ResultsMessage", "AssistantMessage", "UserMessage"]


async def test_each_message_of_a_conversation_has_a_run_of_its_own_with_counters_of_its_own(worlds: Worlds) -> None:
    world = await worlds.make("One.", "Two.", "Three.", tools=[], settings=limited(model_turns=1))
    first = await world.ask()
    second = await world.ask(conversation=first.conversation_id)
    assert isinstance(second, Answered)
    assert first.run_id != second.run_id
    assert (await world.store.run(first.run_id, ACTOR)).state is RunState.ANSWERED


@pytest.mark.req("agent/A12")
async def test_the_small_case_needs_neither_policy_nor_registry() -> None:
    search = reader()
    turns = ScriptedTurns(calls(call("search_orders", order_id="A")), "There.")
    agent = build_agent(
        turns=turns,
        sources=[FixedTools[FakeActor](search)],
        store=MemoryRunStore[FakeActor](MemoryData()),
        settings=SETTINGS,
        effects=fixed(),
    )
    outcome = await agent.ask(AskRequest(agent="a", message="Where?", actor=ACTOR))
    assert isinstance(outcome, Answered)
    assert (outcome.text, len(search.calls)) == ("There.", 1)


@pytest.mark.req("agent/A8")
async def test_the_library_owns_the_loop_and_the_model_takes_single_turns(worlds: Worlds) -> None:
    def first(request: TurnRequest) -> Any:
        assert [tool.name for tool in request.tools] == ["search_orders"]
        return calls(call("search_orders", order_id="A"))

    search = reader()
    world = await worlds.make(first, "Done.", tools=[search])
    await world.ask()
    assert [len(one.messages) for one in world.turns.requests] == [1, 3]
    assert len(search.calls) == 1
