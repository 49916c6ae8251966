"""The database hangs, is killed or is full at a step of a refund: refused before it, or found out afterwards."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from axhub.agent.adapters.sql.database import PATIENCE_SECONDS, Database
from axhub.agent.domain.calls import CallState
from axhub.agent.ports.runs import StoreUnavailableError
from order_service.adapters.persistence.migrations import upgrade
from support import postgres
from support.agent_stores import over
from support.crash_look import Look, look
from support.crash_orders import paid
from support.crash_points import Points
from support.crash_service import Server, Service, assembled

LATER: Final = 31.0
SLOW: Final = 10.0
"""What a busy machine takes more."""
BEFORE: Final = "before intend"
NOT_BEGUN: Final = "before begin of the refund"
OPEN: Final = ("before save of the refund", "before announce of the refund")
COMMITTING: Final = "before commit of the refund"
COMMITTED: Final = "before settle"
POINTS: Final = (BEFORE, NOT_BEGUN, *OPEN, COMMITTING, COMMITTED)

pytestmark = postgres.NEEDED


class Breaking:
    """A server that breaks, and comes back."""

    def __init__(self) -> None:
        self.server = postgres.start()

    def hang(self) -> None:
        self.server.signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.server.signal(signal.SIGCONT)

    def die(self) -> None:
        self.server.signal(signal.SIGKILL)
        self.server.process.wait(10)

    def come_back(self) -> None:
        self.server = postgres.start(self.server.port, self.server.folder)


@pytest.fixture(scope="module")
def breaking() -> Iterator[Breaking]:
    made = Breaking()
    yield made
    made.server.stop()


@asynccontextmanager
async def _refunding(breaking: Breaking, at: str, act: Callable[[], None]) -> AsyncIterator[tuple[Service, Database]]:
    """Let a refund be approved; what goes on with it breaks the server at a point."""
    async with postgres.database(breaking.server, migrated=True) as url:
        database = Database(url, patience_seconds=PATIENCE_SECONDS)
        await upgrade(database)
        (order,) = await paid(database)
        service = assembled(url, Points(at, act), patience_seconds=PATIENCE_SECONDS)
        await service.decide(await service.held(order))
        yield service, database
        await service.database.close()
        await database.close()


async def _told(service: Service) -> float:
    """Go on with the refund, which is refused; return how long that took."""
    began = time.monotonic()
    with pytest.raises(StoreUnavailableError):
        await service.agent.resume.next()
    return time.monotonic() - began


async def _recovered(service: Service, database: Database) -> Look:
    """Wait for the server, and let the run be taken over; return what came of it."""
    async with asyncio.timeout(30):
        while True:
            try:
                await over(database).pass_time(LATER)
                await service.go_on()
                found = await look(database)
                found.is_at_rest()
            except (StoreUnavailableError, AssertionError):
                await asyncio.sleep(0.2)
            else:
                return found


@pytest.mark.req("fault/F22")
@pytest.mark.parametrize("at", POINTS)
async def test_a_server_that_hangs_refuses_before_the_effect_or_leaves_it_unknown(breaking: Breaking, at: str) -> None:
    async with _refunding(breaking, at, breaking.hang) as (service, database):
        try:
            seconds = await _told(service)
        finally:
            breaking.go_on()
        if at in {BEFORE, COMMITTED}:
            assert seconds < PATIENCE_SECONDS + SLOW
        found = await _recovered(service, database)
        assert found.refunded == ({"ORD-1"} if at in {BEFORE, COMMITTING, COMMITTED} else set())


@pytest.mark.req("fault/F20", "fault/F22")
@pytest.mark.parametrize("at", POINTS)
async def test_a_server_that_is_killed_loses_no_intent_and_does_nothing_twice(breaking: Breaking, at: str) -> None:
    async with _refunding(breaking, at, breaking.die) as (service, database):
        try:
            await _told(service)
        finally:
            breaking.come_back()
        found = await _recovered(service, database)
        assert found.refunded == ({"ORD-1"} if at in {BEFORE, COMMITTED} else set())
        (call,) = found.calls
        assert call.state == (CallState.DONE if found.refunded else CallState.FAILED)


@pytest.mark.req("fault/F23")
async def test_a_full_disk_refuses_what_writes_lets_read_and_is_forgotten_when_there_is_room(
    pair: tuple[Server, ...], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'orders.sqlite3'}"
    database = Database(url, patience_seconds=20)
    await upgrade(database)
    orders = await paid(database, 3)
    approved, waiting = await pair[0].does(url, "hold", *orders[:2])
    said = await pair[0].does(url, "without_room", orders[2], approved, waiting)
    assert said == {"ask": "refused", "decide": "refused", "go on": "refused", "search": "done", "pending": "done"}
    found = await look(database)
    found.is_at_rest()
    assert found.refunded == set(orders[:2])
    await database.close()
