"""A process that is killed while it pays a refund: paid once or not at all, never both paid and taken back.

The provider is one over HTTP and outlives every process. `AXHUB_CRASH_RUNS=100` runs each point a hundred times.
"""

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from axhub.agent.adapters.sql.database import Database
from order_service.testing.provider import DONE_AND_RESET, RESET, Provider, provider
from support.crash_look import left, look
from support.crash_orders import paid, pass_time
from support.crash_service import Server

RUNS: Final = int(os.environ.get("AXHUB_CRASH_RUNS", "5"))
"""How often each point is tried."""
BATCH: Final = 20
"""How many of them share a database, and are gone on with by one process."""
AMOUNT: Final = 89_000

NOTHING_IS_SENT: Final = (
    *("before due_payout of the claim", "before save_payout of the claim", "before commit of the claim"),
    "before pay_out",
)
IT_IS_SENT: Final = ("after pay_out",)
WHILE_NOTING: Final = tuple(
    f"before {step} of the settlement" for step in ("order", "payout", "save_payout", "announce", "commit")
)
WHILE_TAKING_BACK: Final = tuple(
    f"before {step} of the compensation"
    for step in ("begin", "order", "payout", "save", "save_payout", "announce", "commit")
)


@dataclass(frozen=True)
class Paying:
    """A database, a provider, and processes that die between the two."""

    url: str
    database: Database
    server: Server
    outside: Provider
    events: Path

    async def does(self, what: str, *words: str, at: str | None = None) -> object:
        return await self.server.does(self.url, what, *words, at=at, events=self.events, payments=self.outside.url)

    async def owes(self, runs: int) -> list[str]:
        """Refund some orders; nobody is paid yet."""
        orders = await paid(self.database, runs)
        await self.does("owe", *orders)
        return orders

    async def dies(self, at: str, what: str = "pay") -> None:
        assert await self.does(what, at=at) is None
        await self.adds_up()

    async def goes_on(self) -> None:
        await pass_time(self.database)
        await self.does("go_on")

    async def adds_up(self) -> None:
        """Fail if an order's story does not hang together, or one was sent twice without a question in between."""
        found = await look(self.database)
        found.adds_up()
        for key in {key for _, key in self.outside.requests}:
            assert "POST POST" not in " ".join(self.outside.asked(key)), key
        declined = {f"{one.tenant_id}:{one.key}" for one in found.payouts if one.state == "DECLINED"}
        assert declined & self.outside.paid.keys() == set()
        settled = {f"{one.tenant_id}:{one.key}" for one in found.payouts if one.state == "PAID"}
        assert settled <= self.outside.paid.keys()

    async def ends_with(self, status: str, paid_keys: set[str]) -> None:
        """Fail unless every order stands so, and exactly these payouts were made, each event having left once."""
        await self.adds_up()
        found = await look(self.database)
        found.is_settled()
        assert {one.status for one in found.orders} == {status}
        assert self.outside.paid == dict.fromkeys(paid_keys, AMOUNT)
        orders = {one.id for one in found.orders}
        for kind in ("order.refunded", "order.refund_paid" if paid_keys else "order.refund_declined"):
            assert {order: len(ids) for order, ids in left(self.events, kind).items()} == dict.fromkeys(orders, 1)


@pytest.fixture
async def outside() -> AsyncIterator[Provider]:
    async with provider() as made:
        yield made


@pytest.fixture
def paying(url: str, database: Database, pair: tuple[Server, ...], outside: Provider, tmp_path: Path) -> Paying:
    return Paying(url, database, pair[0], outside, tmp_path / "events")


def key(order: str, attempt: int = 1) -> str:
    return f"hanbit:refund:{order}" + (f":{attempt}" if attempt > 1 else "")


def batches() -> list[int]:
    return [min(BATCH, RUNS - done) for done in range(0, RUNS, BATCH)]


def name(point: object) -> str:
    return str(point).replace(" ", "_")


@pytest.mark.req("agent/I5", "agent/I6")
@pytest.mark.parametrize("runs", batches())
@pytest.mark.parametrize("at", [*NOTHING_IS_SENT, *IT_IS_SENT, *WHILE_NOTING], ids=name)
async def test_a_payout_that_is_cut_off_is_made_once(paying: Paying, at: str, runs: int) -> None:
    orders = await paying.owes(runs)
    for _ in orders:
        await paying.dies(at)
    assert (paying.outside.paid == {}) is (at in NOTHING_IS_SENT)
    await paying.goes_on()
    await paying.ends_with("REFUNDED", {key(one) for one in orders})


@pytest.mark.req("agent/I5", "agent/I6")
@pytest.mark.parametrize("runs", batches())
@pytest.mark.parametrize("at", [*NOTHING_IS_SENT, *IT_IS_SENT, *WHILE_TAKING_BACK], ids=name)
async def test_a_refund_that_nobody_can_pay_is_taken_back_once_and_may_then_be_made_anew(
    paying: Paying, at: str, runs: int
) -> None:
    paying.outside.declines = lambda asked: None if asked.endswith(":2") else "account_closed"
    orders = await paying.owes(runs)
    for _ in orders:
        await paying.dies(at)
    await paying.goes_on()
    await paying.ends_with("PAID", set())
    await paying.does("owe", *orders)
    paying.events.unlink()
    for _ in orders:
        await paying.dies("after pay_out")
    await paying.goes_on()
    await paying.ends_with("REFUNDED", {key(one, 2) for one in orders})


@pytest.mark.req("agent/I5", "agent/I6")
@pytest.mark.parametrize("runs", batches())
@pytest.mark.parametrize("at", ["before find", "after find", "before pay_out"], ids=name)
@pytest.mark.parametrize("came", [True, False], ids=["it_came", "it_did_not_come"])
async def test_so_it_is_if_whoever_goes_on_is_killed_too(paying: Paying, at: str, came: bool, runs: int) -> None:
    orders = await paying.owes(runs)
    paying.outside.troubles.extend([DONE_AND_RESET if came else RESET] * runs)
    for _ in orders:
        await paying.dies("before find")  # the request is out, and nobody was asked yet
    if came and at == "before pay_out":
        at = "before order of the settlement"  # it came, so that nothing is sent again
    for _ in range(2):
        await pass_time(paying.database)
        for _ in orders:
            await paying.dies(at)
    await paying.goes_on()
    await paying.ends_with("REFUNDED", {key(one) for one in orders})
