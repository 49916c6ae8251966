"""An answer that the provider cut: nothing of it is taken for whole (agent/L2, agent/A8)."""

import pytest

from axhub.agent.domain.messages import AssistantMessage, CallRequest, FinishReason, ModelTurn, Usage
from axhub.agent.domain.outcomes import Answered
from axhub.agent.domain.runs import StopReason
from axhub.agent.testing import call, calls
from support.agents import ACTOR, Worlds, reader


@pytest.mark.req("agent/L2", "agent/A8")
@pytest.mark.parametrize(
    "said",
    [
        AssistantMessage("It was refun"),
        calls(call("search_orders", order_id="A")),
        calls(CallRequest("a", "search_orders", '{"order_id": "A'), text="Let me"),
        AssistantMessage(),
    ],
)
async def test_an_answer_that_was_cut_is_no_answer_and_nothing_of_it_runs(
    worlds: Worlds, said: AssistantMessage
) -> None:
    search = reader()
    first = calls(call("search_orders", order_id="B"))
    cut = ModelTurn(said, Usage(10, 5), FinishReason.LENGTH)
    world = await worlds.make(first, cut, "Here again.", tools=[search])
    stopped = await world.stopped()
    assert stopped.reason is StopReason.ANSWER_CUT
    assert [one.text for one in stopped.results] == ['{"done": "B"}']
    assert len(search.calls) == 1
    assert (await world.audit())[-1]["outcome"] == "answer_cut"
    talk = await world.store.conversation(stopped.conversation_id, ACTOR)
    assert talk.messages == (("user", "Please."),)
    assert isinstance(await world.ask(conversation=stopped.conversation_id), Answered)
