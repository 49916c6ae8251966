"""What a model invents is not kept for ever, and what it writes at length is not sent back at length."""

import pytest

from axhub.agent.domain.errors import RegistrationError
from axhub.agent.domain.messages import AssistantMessage, CallRequest, ModelTurn, Usage
from axhub.agent.domain.outcomes import Answered
from axhub.agent.domain.untrusted import LONGEST_TEXT
from axhub.agent.main import build_agent
from axhub.agent.registry import FixedTools, ToolRegistry
from axhub.agent.testing import FakeActor, MemoryData, MemoryRunStore, ScriptedTurns, call, calls
from support.agents import SETTINGS, Cap, Worlds, reader


@pytest.mark.req("agent/I3", "agent/A6")
async def test_a_name_that_a_model_invented_is_not_in_the_audit(worlds: Worlds) -> None:
    invented = CallRequest("a", "hidden_word", '{"p": "hidden too"}')
    world = await worlds.make(calls(invented, call("search_orders", order_id="A")), "Fine.", tools=[reader()])
    assert isinstance(await world.ask(), Answered)
    entries = await world.audit()
    assert "hidden" not in str(entries)
    rejected = [one["tool"] for one in entries if one["action"] == "call_rejected"]
    assert rejected == ["UNKNOWN_NAME"]


@pytest.mark.req("agent/I3")
async def test_arguments_of_a_call_of_no_tool_are_in_no_message(worlds: Worlds) -> None:
    invented = CallRequest("a", "hidden_word", '{"p": "secret"}')
    world = await worlds.make(calls(invented), "Fine.", "Again.", tools=[reader()])
    first = await world.ask()
    assert isinstance(first, Answered)
    await world.ask(conversation=first.conversation_id)
    assert all("secret" not in str(one.messages) for one in world.turns.requests[1:])


@pytest.mark.req("agent/L7")
async def test_a_text_of_megabytes_is_answered_with_its_beginning(worlds: Worlds) -> None:
    world = await worlds.make("x" * 3_000_000, "Again.")
    answered = await world.ask()
    assert isinstance(answered, Answered)
    assert answered.text == "x" * LONGEST_TEXT + "\n[cut: the answer has 3000000 characters]"
    assert isinstance(await world.ask(conversation=answered.conversation_id), Answered)
    assert len(str(world.turns.requests[-1].messages)) < LONGEST_TEXT + 1_000


@pytest.mark.req("agent/L2")
async def test_a_provider_that_counts_backwards_lifts_no_bound(worlds: Worlds) -> None:
    back = ModelTurn(AssistantMessage("", (call("search_orders", order_id="A"),)), Usage(-(10**9), -(10**9)))
    much = ModelTurn(AssistantMessage("", (call("search_orders", order_id="B"),)), Usage(SETTINGS.limits.tokens, 0))
    world = await worlds.make(back, much, "Never.", tools=[reader()])
    assert (await world.stopped()).reason.value == "tokens"


@pytest.mark.req("agent/A6", "agent/A12")
def test_tools_by_capability_without_a_policy_are_refused() -> None:
    store = MemoryRunStore[FakeActor](MemoryData())
    registry = ToolRegistry[Cap, FakeActor]({Cap.READ: [reader()]})
    with pytest.raises(
        RegistrationError, match=r"^ToolRegistry has tools by capability: give policy=\.\.\. or resolve"
    ):
        build_agent(turns=ScriptedTurns(), sources=[registry], store=store, settings=SETTINGS)
    for source in (FixedTools[FakeActor](reader()), ToolRegistry[Cap, FakeActor]({})):
        build_agent(turns=ScriptedTurns(), sources=[source], store=store, settings=SETTINGS)
