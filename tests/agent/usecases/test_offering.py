"""Tools of several sources: summed, told apart by name, and never a part of them (agent/A5, agent/A9)."""

import pytest

from axhub.agent import Answered, RegistrationError, ToolRegistry, Waiting
from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.testing import FakeActor, RecordingObserver, ScriptedTools, call, calls
from support.agents import ACTOR, Cap, Probe, Worlds, reader

pytestmark = pytest.mark.req("agent/A9")


def many(prefix: str, number: int) -> list[Probe]:
    return [reader(f"{prefix}_{one:02}") for one in range(number)]


def catalogue(*tools: Probe, is_ready: bool = True) -> ScriptedTools[Cap, FakeActor]:
    return ScriptedTools({Cap.WRITE: list(tools)}, is_ready=is_ready)


async def test_fifty_tools_of_all_sources_together_are_offered_and_one_more_ends_the_turn(worlds: Worlds) -> None:
    more = catalogue(*many("catalogue", 20))
    world = await worlds.make("Fine.", tools=many("own", 30), sources=[more])
    assert isinstance(await world.ask(), Answered)
    assert len(world.turns.requests[0].tools) == 50

    one_more = await worlds.make("Never.", tools=many("own", 31), sources=[catalogue(*many("catalogue", 20))])
    stopped = await one_more.stopped()
    assert stopped.reason is StopReason.TOO_MANY_TOOLS
    assert one_more.turns.requests == []
    assert (await one_more.audit())[-1]["outcome"] == "too_many_tools"


async def test_the_bound_is_of_what_the_capabilities_stand_for_and_not_of_all_there_is(worlds: Worlds) -> None:
    world = await worlds.make("Fine.", tools=many("own", 31), sources=[catalogue(*many("catalogue", 20))])
    assert isinstance(await world.ask(capabilities={Cap.READ}), Answered)
    assert len(world.turns.requests[0].tools) == 31


@pytest.mark.req("agent/A5")
async def test_two_sources_with_a_tool_of_the_same_name_fail_when_the_agent_is_built(worlds: Worlds) -> None:
    with pytest.raises(RegistrationError) as refused:
        await worlds.make(tools=[reader()], sources=[catalogue(reader("another_tool"), reader())])
    assert str(refused.value) == "tool 'search_orders': two sources have this name; give one of the two another"


async def test_without_its_catalogue_a_turn_ends_with_a_clear_reason_and_nothing_is_asked(worlds: Worlds) -> None:
    source = catalogue(Probe("refund_claim"), is_ready=False)
    world = await worlds.make("Never.", "Fine.", tools=[reader()], sources=[source])
    stopped = await world.stopped()
    assert stopped.reason is StopReason.TOOLS_UNAVAILABLE
    assert world.turns.requests == []
    assert (await world.store.run(stopped.run_id, ACTOR)).reason is StopReason.TOOLS_UNAVAILABLE
    assert [one["outcome"] for one in await world.audit()] == ["tools_unavailable"]
    source.publish({Cap.WRITE: [Probe("refund_claim")]})
    assert isinstance(await world.ask(conversation=stopped.conversation_id), Answered)


async def test_a_turn_that_needs_nothing_of_the_catalogue_goes_on_without_it(worlds: Worlds) -> None:
    world = await worlds.make("Fine.", tools=[reader()], sources=[catalogue(Probe("refund_claim"), is_ready=False)])
    assert isinstance(await world.ask(capabilities={Cap.READ}), Answered)


@pytest.mark.req("agent/R2")
async def test_an_approved_call_waits_until_its_catalogue_is_known_in_the_process_that_goes_on(worlds: Worlds) -> None:
    refund = Probe("refund_claim")
    source = catalogue(refund)
    world = await worlds.make(calls(call("refund_claim", order_id="A")), "Done.", sources=[source])
    await world.approve_all(waiting := await world.held())
    source.is_ready = False  # as in a process that has just begun
    assert await world.resume() is None
    assert (await world.store.run(waiting.run_id, ACTOR)).state is RunState.READY
    source.is_ready = True
    assert isinstance(await world.resume(), Answered)
    assert len(refund.calls) == 1


@pytest.mark.req("agent/R2", "threat/T08", "input/B86")
async def test_an_approved_call_of_a_definition_that_changed_meanwhile_does_not_run(worlds: Worlds) -> None:
    refund = Probe("refund_claim")
    source = catalogue(refund)
    world = await worlds.make(calls(call("refund_claim", order_id="A")), "No.", sources=[source])
    waiting = await world.held()
    assert isinstance(waiting, Waiting)
    await world.approve_all(waiting)
    source.publish({})
    assert isinstance(await world.resume(), Answered)
    assert refund.calls == []
    assert world.told()[0].text == "This is not possible any more, so it was not done."


@pytest.mark.req("agent/A5")
async def test_a_registry_tells_nothing_of_capabilities_that_another_source_has_tools_for() -> None:
    observer = RecordingObserver()
    registry = ToolRegistry[Cap, FakeActor]({Cap.READ: [reader()]}, observer, elsewhere={Cap.WRITE})
    assert list(await registry.tools(frozenset(Cap))) == ["search_orders"]
    assert observer.notes == []
