"""The time of a run: work counts, and no model, policy or tool has more of it than is left (agent/L2)."""

import asyncio
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

import pytest

from axhub.agent.domain.messages import AssistantMessage, ModelTurn, ResultKind, TurnRequest
from axhub.agent.domain.outcomes import Stopped
from axhub.agent.domain.runs import StopReason
from axhub.agent.ports.tools import Tool
from axhub.agent.testing import FakeActor, FixedClock, ScriptedTools, ScriptedTurns, call, calls
from support.agents import Cap, Probe, Worlds, limited, reader


@pytest.mark.req("agent/L2")
async def test_wall_time_counts_work_and_cuts_a_model_that_takes_too_long(worlds: Worlds) -> None:
    clock = FixedClock()
    search = reader()

    async def slow(_arguments: object, _context: object) -> str:
        clock.advance(121)
        return "{}"

    search.behave = slow
    world = await worlds.make(calls(call("search_orders", order_id="A")), tools=[search], clock=clock)
    stopped = await world.stopped()
    assert (stopped.reason, len(stopped.results)) == (StopReason.WALL_TIME, 1)


class _Silent(ScriptedTurns):
    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.req("agent/L2")
async def test_a_model_that_never_answers_is_cut_at_the_wall_time(worlds: Worlds) -> None:
    world = await worlds.make(model=lambda _: _Silent(), settings=limited(wall_seconds=0.01))
    assert (await world.stopped()).reason is StopReason.WALL_TIME


@pytest.mark.req("agent/L2")
async def test_no_call_begins_after_the_wall_time_and_what_had_ended_is_kept(worlds: Worlds) -> None:
    clock, search, refund = FixedClock(), reader(), Probe()

    async def slow(_arguments: object, _context: object) -> str:
        clock.advance(121)
        return "{}"

    refund.behave = slow
    batch = calls(
        call("search_orders", order_id="A"),
        call("refund_order", order_id="A"),
        call("refund_order", order_id="B"),
        call("search_orders", order_id="B"),
    )
    world = await worlds.make(batch, tools=[search, refund], clock=clock, approvals=_Nothing())
    stopped = await world.stopped()
    assert stopped.reason is StopReason.WALL_TIME
    assert [one.kind for one in stopped.results] == [*[ResultKind.OK] * 2, *[ResultKind.ERROR] * 2]
    assert stopped.results[2].text == "There was no time left for this, so it was not done."
    assert (len(search.calls), len(refund.calls)) == (1, 1)
    ended = [(one["action"], one["outcome"]) for one in await world.audit() if one["call_id"]][4:]
    assert ended == [("call_ended", "DONE")] * 2 + [("call_rejected", "no_time")] * 2


class _Nothing:
    version = "nothing"

    def needs_approval(self, *_: object) -> bool:
        return False


@pytest.mark.req("agent/L2")
async def test_a_call_is_cut_off_at_the_wall_time(worlds: Worlds) -> None:
    began = asyncio.Event()

    async def endless(_arguments: object, _context: object) -> str:
        began.set()
        await asyncio.Event().wait()
        raise AssertionError

    search, clock = reader(behave=endless, timeout_seconds=1_000.0), FixedClock()
    batch = calls(call("search_orders", order_id="A"))
    world = await worlds.make(batch, tools=[search], settings=limited(wall_seconds=0.05), clock=clock)
    asked = asyncio.create_task(world.ask())
    async with asyncio.timeout(30):
        await began.wait()
    clock.advance(1)
    stopped = await asked
    assert isinstance(stopped, Stopped)
    assert stopped.reason is StopReason.WALL_TIME
    assert search.calls[0][1].deadline == pytest.approx(0.05)


@pytest.mark.req("agent/L2", "agent/A6")
async def test_a_policy_that_never_answers_is_cut_at_the_wall_time(worlds: Worlds) -> None:
    class Endless(ScriptedTools[Cap, FakeActor]):
        is_asked = False

        async def tools(self, capabilities: AbstractSet[Cap]) -> Mapping[str, Tool[FakeActor]]:
            if self.is_asked:
                await asyncio.Event().wait()
            self.is_asked = True
            return await super().tools(capabilities)

    search = reader()
    batch, bound = calls(call("search_orders", order_id="A")), limited(wall_seconds=0.05)
    world = await worlds.make(batch, sources=[Endless({Cap.READ: [search]})], settings=bound)
    assert (await world.stopped()).reason is StopReason.WALL_TIME
    assert search.calls == []


@pytest.mark.req("agent/L2", "agent/R2")
async def test_what_a_person_approved_runs_whatever_is_left_of_the_time(worlds: Worlds) -> None:
    clock, refund = FixedClock(), Probe()

    def slow(_request: TurnRequest) -> AssistantMessage:
        clock.advance(119.9)
        return calls(call("refund_order", order_id="A"))

    async def behave(_arguments: object, _context: object) -> str:
        clock.advance(5)
        return "{}"

    refund.behave = behave
    world = await worlds.make(slow, tools=[refund], clock=clock)
    await world.approve_all(await world.held())
    stopped = await world.resume()
    assert isinstance(stopped, Stopped)
    assert (stopped.reason, [one.kind for one in stopped.results]) == (StopReason.WALL_TIME, [ResultKind.OK])
    assert refund.calls[0][1].deadline == pytest.approx(129.9)
