"""An agent put together: its worker goes on whatever a single run does."""

import asyncio

from axhub.agent.domain.runs import RunState, StopReason
from axhub.agent.testing import call, calls
from axhub.agent.usecases.dispatch import ErrorPolicy
from support.agents import ACTOR, Probe, Worlds, raising


async def test_the_worker_goes_on_after_a_run_that_fails(worlds: Worlds) -> None:
    bad, good = Probe("cancel_order", behave=raising(PermissionError("inner"))), Probe()
    world = await worlds.make(
        calls(call("cancel_order", order_id="A")),
        calls(call("refund_order", order_id="B")),
        "Done.",
        tools=[bad, good],
        errors=ErrorPolicy(aborts=(PermissionError,)),
    )
    first, second = await world.held(), await world.held()
    await world.approve_all(first)
    await world.approve_all(second)
    worker = asyncio.create_task(world.agent.work())
    for _ in range(3_000):  # half a minute at least
        if (await world.store.run(second.run_id, ACTOR)).state is RunState.ANSWERED:
            break
        world.clock.advance(1)
        await asyncio.sleep(0.01)
    worker.cancel()
    await asyncio.gather(worker, return_exceptions=True)
    assert (await world.store.run(first.run_id, ACTOR)).reason is StopReason.FAILED
    assert (await world.store.run(second.run_id, ACTOR)).answer == "Done."
    assert sorted(type(one).__name__ for one in world.observer.faults.values()) == [
        "PermissionError",
        "ToolAbortedError",
    ]
