"""What a process does without being asked: nothing of it waits for anything else (agent/L6, agent/R1)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from axhub.agent.domain.messages import ModelTurn, TurnRequest, UserMessage
from axhub.agent.domain.runs import RunState
from axhub.agent.ports.turns import Turns
from axhub.agent.testing import ScriptedTurns, call, calls
from support.agents import ACTOR, Probe, World, Worlds

ASKED = calls(call("refund_order", order_id="A"))


class Hangs:
    """A model that answers nobody who has a result, until it is let."""

    def __init__(self, inner: Turns) -> None:
        self.inner = inner
        self.waiting = 0
        self.go = asyncio.Event()

    async def take(self, request: TurnRequest, on_text: Callable[[str], None] | None = None) -> ModelTurn:
        if not isinstance(request.messages[-1], UserMessage):
            self.waiting += 1
            await self.go.wait()
        return await self.inner.take(request, on_text)


async def _until(world: World, is_so: Callable[[], Awaitable[bool]]) -> None:
    """Let time go by until something is so."""
    async with asyncio.timeout(30):
        while not await is_so():
            world.clock.advance(1)
            await asyncio.sleep(0.01)


async def _world(worlds: Worlds, count: int, **more: Any) -> tuple[World, Hangs, list[str]]:
    """Let some runs be ready, whose model hangs; return their ids."""
    made: list[Hangs] = []

    def hanging(inner: ScriptedTurns) -> Turns:
        made.append(Hangs(inner))
        return made[-1]

    script = [calls(call("refund_order", order_id=str(number))) for number in range(count)]
    world = await worlds.make(*script, *["Done."] * count, tools=[Probe()], model=hanging, **more)
    ids = []
    for _ in range(count):
        waiting = await world.held()
        await world.approve_all(waiting)
        ids.append(waiting.run_id)
    return world, made[0], ids


async def _ends(world: World, hangs: Hangs, working: "asyncio.Task[None]") -> None:
    hangs.go.set()
    await world.agent.drain()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


@pytest.mark.req("agent/R1")
@pytest.mark.parametrize(("resumes", "most"), [(1, 1), (2, 2), (8, 4)])
async def test_decided_runs_go_on_beside_each_other_up_to_a_bound(worlds: Worlds, resumes: int, most: int) -> None:
    world, hangs, ids = await _world(worlds, 4, resumes=resumes)
    working = asyncio.create_task(world.agent.work())

    async def is_full() -> bool:
        return hangs.waiting == most

    await _until(world, is_full)
    for _ in range(20):
        world.clock.advance(1)
        await asyncio.sleep(0.01)
    assert hangs.waiting == most
    hangs.go.set()

    async def is_done() -> bool:
        return {(await world.store.run(one, ACTOR)).state for one in ids} == {RunState.ANSWERED}

    await _until(world, is_done)
    await _ends(world, hangs, working)


@pytest.mark.req("agent/R2", "agent/L6")
async def test_what_nobody_decided_expires_and_what_was_lost_is_found_while_a_model_hangs(worlds: Worlds) -> None:
    world, hangs, _ = await _world(worlds, 1, resumes=1)
    working = asyncio.create_task(world.agent.work())

    async def is_hanging() -> bool:
        return hangs.waiting == 1

    await _until(world, is_hanging)
    other = await worlds.make(ASKED, tools=[Probe()])
    late = await other.held()
    await world.change("agent_approval", expires_at=1)

    async def is_expired() -> bool:
        return (await world.store.run(late.run_id, ACTOR)).state is RunState.READY

    await _until(world, is_expired)
    assert hangs.waiting == 1
    await _ends(world, hangs, working)


async def test_a_kind_of_work_that_fails_holds_up_no_other_and_is_told(worlds: Worlds) -> None:
    class Away:
        """A store whose runs cannot be taken over."""

        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> Any:
            if name == "expire":
                raise RuntimeError("away")
            return getattr(self.inner, name)

    world, hangs, (run_id,) = await _world(worlds, 1, store=Away)
    hangs.go.set()
    working = asyncio.create_task(world.agent.work())

    async def is_done() -> bool:
        return (await world.store.run(run_id, ACTOR)).state is RunState.ANSWERED

    await _until(world, is_done)
    await _ends(world, hangs, working)
    assert "away" in {str(one) for one in world.observer.faults.values()}


@pytest.mark.parametrize("resumes", [0, -1])
async def test_a_process_goes_on_with_one_run_at_least(worlds: Worlds, resumes: int) -> None:
    with pytest.raises(ValueError, match=r"^resumes: a number above 0 is needed$"):
        await worlds.make(tools=[Probe()], resumes=resumes)
