"""Two writes of one response that are the same by their key (agent/I1)."""

import pytest

from axhub.agent.domain.messages import ResultKind
from axhub.agent.testing import call, calls
from support.agents import Probe, Worlds

SAME = "Another call of this response does the same, so this one was not made; the result of that one is for both."


@pytest.mark.req("agent/I1", "agent/L4")
async def test_the_second_of_two_same_writes_that_were_approved_together_is_told_of_the_first(worlds: Worlds) -> None:
    refund = Probe()
    batch = calls(call("refund_order", order_id="A"), call("refund_order", order_id="A", note="twice"))
    world = await worlds.make(batch, "Done.", tools=[refund])
    await world.approve_all(await world.held())
    await world.resume()
    assert len(refund.calls) == 1
    first, second = world.told()
    assert (first.kind, second.kind, second.text) == (ResultKind.OK, ResultKind.ERROR, SAME)
    assert [one["outcome"] for one in await world.audit()][-3:] == ["DONE", "repeated", "answered"]
