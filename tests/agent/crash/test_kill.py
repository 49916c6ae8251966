"""A process that is killed at any step of a refund leaves it done once or not at all, and others end what it began.

`make crash` runs each point a hundred times.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from axhub.agent.adapters.sql.database import Database
from axhub.agent.usecases.lease import LEASE_SECONDS
from support.agent_stores import over
from support.crash_look import left, look
from support.crash_orders import paid
from support.crash_service import Server

RUNS: Final = int(os.environ.get("AXHUB_CRASH_RUNS", "5"))
"""How often each point is tried."""
BATCH: Final = 20
"""How many of them share a database, and are gone on with by one process."""
LATER: Final = LEASE_SECONDS + 1
DONE: Final = "Order {} (a keyboard) was refunded."

NOBODY_HAS_APPROVED: Final = (
    *("before begin", "in begin", "after begin", "before hold", "in hold", "after hold", "before decide", "in decide"),
)
"""Nothing happens before a person says so."""
IT_WILL_BE_DONE: Final = ("after decide", "in claim_ready", "after claim_ready", "before intend", "in intend")
"""It is approved and has not begun: another process does it."""
IT_WAS_NOT_DONE: Final = (
    "after intend",
    "before begin of the refund",
    "before order of the refund",
    "before result_of of the refund",
    "before save of the refund",
    "before record of the refund",
    "before announce of the refund",
    "before commit of the refund",
)
"""It had begun and has left nothing: it is never begun again, and the customer is told."""
IT_WAS_DONE: Final = (
    "before settle",
    "in settle",
    "after settle",
    "before end",
    "in end",
    "after end",
    "before claim",
    "in claim",
    "after claim",
    "before published",
    "in published",
    "after published",
)
"""It is committed: another process finds that out, and lets the event leave."""
POINTS: Final = [
    *((point, False) for point in (*NOBODY_HAS_APPROVED, *IT_WAS_NOT_DONE)),
    *((point, True) for point in (*IT_WILL_BE_DONE, *IT_WAS_DONE)),
]
WHILE_RECOVERING: Final = ("take_over", "resolve", "give_back")


class Broken:
    """A database, and processes that die over it."""

    def __init__(self, url: str, database: Database, server: Server, folder: Path) -> None:
        self.url = url
        self.database = database
        self.server = server
        self.events = folder / "events"

    async def dies(self, what: str, *words: str, at: str) -> None:
        assert await self.server.does(self.url, what, *words, at=at, events=self.events) is None

    async def goes_on(self, what: str = "go_on", *words: str) -> object:
        await over(self.database).pass_time(LATER)
        return await self.server.does(self.url, what, *words, events=self.events)

    async def is_refunded(self, orders: Sequence[str]) -> None:
        """Fail unless all has ended, with these orders refunded."""
        found = await look(self.database)
        found.is_at_rest()
        assert found.refunded == set(orders)
        if orders:
            gone = left(self.events)
            assert set(gone) == set(orders)
            assert {len(ids) for ids in gone.values()} == {1}, "what leaves twice has the same id"


@pytest.fixture
def broken(url: str, database: Database, pair: tuple[Server, ...], tmp_path: Path) -> Broken:
    return Broken(url, database, pair[0], tmp_path)


def _batches() -> list[int]:
    return [min(BATCH, RUNS - done) for done in range(0, RUNS, BATCH)]


@pytest.mark.req("agent/I6", "fault/F20", "fault/F21")
@pytest.mark.parametrize("runs", _batches())
@pytest.mark.parametrize(("at", "is_done"), POINTS, ids=lambda one: str(one).replace(" ", "_"))
async def test_a_refund_that_is_cut_off_happens_once_or_not_at_all(
    broken: Broken, at: str, is_done: bool, runs: int
) -> None:
    orders = await paid(broken.database, runs)
    for one in orders:
        await broken.dies("refund", one, at=at)
    (await look(broken.database)).fits()
    await broken.goes_on()
    found = await look(broken.database)
    found.fits()
    assert found.refunded == (set(orders) if is_done else set())
    waiting = await broken.server.does(broken.url, "approve_all")
    await broken.goes_on()
    await broken.is_refunded(orders if is_done or waiting else ())
    assert await broken.goes_on("again", *orders) == [DONE.format(one) for one in orders]
    await broken.is_refunded(orders)


@pytest.mark.req("agent/I6", "fault/F21")
@pytest.mark.parametrize("runs", _batches())
@pytest.mark.parametrize("when", ["before", "in", "after"])
@pytest.mark.parametrize("step", WHILE_RECOVERING)
async def test_so_it_does_if_whoever_goes_on_is_killed_too(broken: Broken, when: str, step: str, runs: int) -> None:
    orders = await paid(broken.database, runs)
    for one in orders:
        await broken.dies("refund", one, at="before settle")
    for _ in range(2):  # a run that is taken over a fourth time is given up
        await over(broken.database).pass_time(LATER)
        await broken.dies("go_on", at=f"{when} {step}")
        (await look(broken.database)).fits()
    await broken.goes_on()
    await broken.is_refunded(orders)
    assert await broken.goes_on("again", *orders) == [DONE.format(one) for one in orders]
    await broken.is_refunded(orders)
