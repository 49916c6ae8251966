"""Checks leave room for everything else that runs on the event loop (fault/F14)."""

import asyncio

import pytest

from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.ports import PullFailure
from axhub.gateway.usecases.pull_bundle import Accepted, ManifestChecker, NotAdopted
from support.manifests import manifest, tool
from support.refreshing import policy
from support.tries import kept

MAX_TOOLS = 100
MAX_LAG = 0.2
CLOCK = SystemClock()

BIG_SCHEMA = {
    "type": "object",
    "properties": {
        f"field_{number}": {"type": "string", "description": "증권 번호 " * 8, "pattern": "^[A-Z]{2}[0-9]{6}$"}
        for number in range(40)
    },
}


class Turns:
    """Counts how often the event loop comes round, and the longest time it took."""

    def __init__(self) -> None:
        self.count = 0
        self.longest = 0.0

    async def watch(self) -> None:
        last = CLOCK.monotonic()
        while True:
            await asyncio.sleep(0)
            now = CLOCK.monotonic()
            self.longest = max(self.longest, now - last)
            self.count += 1
            last = now


async def turns_of(*checks: asyncio.Task[Accepted | NotAdopted]) -> Turns:
    turns = Turns()
    watching = asyncio.create_task(turns.watch())
    results = await asyncio.gather(*checks)
    watching.cancel()
    assert all(isinstance(result, Accepted) for result in results)
    return turns


@pytest.mark.req("fault/F14", "gateway/G6")
async def test_a_large_manifest_is_checked_in_many_short_turns() -> None:
    body = manifest("a", [tool(f"tool_{number}", inputSchema=BIG_SCHEMA) for number in range(MAX_TOOLS)])
    assert 500_000 < len(body) < 1_048_576

    async def longest() -> float:
        turns = await turns_of(asyncio.create_task(ManifestChecker(CLOCK).check(body, policy("a"))))
        assert turns.count >= MAX_TOOLS
        return turns.longest

    await kept(MAX_LAG, longest)


@pytest.mark.req("fault/F14")
async def test_checks_of_several_manifests_take_turns_instead_of_adding_up() -> None:
    bodies = {name: manifest(name, [f"{name}_{number}" for number in range(20)]) for name in "abcdefgh"}
    alone = await turns_of(asyncio.create_task(ManifestChecker(CLOCK).check(bodies["a"], policy("a"))))
    checker = ManifestChecker(CLOCK)
    together = await turns_of(
        *(asyncio.create_task(checker.check(body, policy(name))) for name, body in bodies.items())
    )
    assert together.count >= 7 * alone.count


@pytest.mark.req("gateway/G3")
async def test_a_fault_in_a_check_is_that_documents_failure() -> None:
    refused = await ManifestChecker(CLOCK).check(None, policy("a"))  # type: ignore[arg-type]  # the fault
    assert isinstance(refused, NotAdopted)
    assert refused.reason is PullFailure.INVALID_MANIFEST
    assert refused.detail.startswith("unexpected fault in a check: ")
