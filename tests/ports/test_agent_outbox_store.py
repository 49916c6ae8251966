"""The port `OutboxStore`: at least once, in order within an aggregate, by several relays."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from axhub.agent.ports.events import Event
from axhub.agent.ports.retention import Spent
from support.agent_stores import STORES, Stores, opened

pytestmark = pytest.mark.req("agent/I4")


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def _add(stores: Stores, *names: str) -> None:
    """Add events; a name is the aggregate's and a number."""
    for name in names:
        await stores.add_event(Event(name, name[0], "order.refunded", {"won": 1000, "memo": "환불"}))


async def _claim(stores: Stores, most: int = 10, seconds: float = 30.0) -> list[str]:
    return [item.event.id for item in await stores.outbox.claim(most, seconds)]


async def test_an_event_leaves_as_it_was_added(stores: Stores) -> None:
    event = Event("e1", "ORD-1", "order.refunded", {"won": 1000, "memo": "환불", "parts": [1, None, 2.5]})
    await stores.add_event(event)
    (item,) = await stores.outbox.claim(10, 30)
    assert (item.event, item.attempts) == (event, 1)


async def test_of_an_aggregate_only_the_oldest_is_given_out(stores: Stores) -> None:
    await _add(stores, "a1", "b1", "a2", "c1", "b2")
    assert await _claim(stores) == ["a1", "b1", "c1"]
    assert await _claim(stores) == []
    await stores.outbox.published("a1")
    assert await _claim(stores) == ["a2"]


async def test_no_more_are_given_out_than_asked_for(stores: Stores) -> None:
    await _add(stores, "a1", "b1", "c1")
    assert await _claim(stores, 2) == ["a1", "b1"]
    assert await _claim(stores, 2) == ["c1"]


async def test_what_a_relay_took_and_did_not_publish_comes_again(stores: Stores) -> None:
    await _add(stores, "a1", "a2")
    assert await _claim(stores, seconds=30) == ["a1"]
    await stores.pass_time(31)
    (item,) = await stores.outbox.claim(10, 30)
    assert (item.event.id, item.attempts) == ("a1", 2)


async def test_one_that_failed_waits_and_its_aggregate_with_it(stores: Stores) -> None:
    await _add(stores, "a1", "a2", "b1")
    await _claim(stores)
    await stores.outbox.failed("a1", 5.0)
    assert await _claim(stores) == []
    await stores.pass_time(6)
    assert await _claim(stores) == ["a1"]


async def test_a_dead_one_is_passed_over(stores: Stores) -> None:
    await _add(stores, "a1", "a2")
    await _claim(stores)
    await stores.outbox.failed("a1", None)
    assert await _claim(stores) == ["a2"]
    await stores.outbox.published("a2")
    assert await stores.outbox.lag_seconds() == 0.0


async def test_the_lag_is_the_age_of_the_oldest_that_has_not_left(stores: Stores) -> None:
    assert await stores.outbox.lag_seconds() == 0.0
    await _add(stores, "a1")
    await stores.pass_time(60)
    await _add(stores, "b1")
    assert 60.0 <= await stores.outbox.lag_seconds() < 90.0
    await stores.outbox.published("a1")
    assert await stores.outbox.lag_seconds() < 30.0


async def test_several_relays_never_get_the_same_event_nor_two_of_one_aggregate(stores: Stores) -> None:
    await _add(stores, *(f"{name}{number}" for name in "abcdef" for number in range(2)))
    taken = await asyncio.gather(*(_claim(stores, 2) for _ in range(6)))
    found = [name for names in taken for name in names]
    assert len(found) == len(set(found)) == len({name[0] for name in found})
    assert {name[1] for name in found} == {"0"}


async def test_what_was_not_tried_goes_back_and_does_not_count(stores: Stores) -> None:
    await _add(stores, "a1", "b1")
    items = await stores.outbox.claim(10, 30.0)
    await stores.outbox.give_back(items[:1])
    (again,) = await stores.outbox.claim(10, 30.0)
    assert (again.event.id, again.attempts) == ("a1", 1)
    await stores.outbox.give_back([])
    assert await _claim(stores) == []


async def test_what_another_relay_has_by_now_stays_its_own(stores: Stores) -> None:
    await _add(stores, "a1")
    slow = await stores.outbox.claim(10, 30.0)
    await stores.pass_time(31)
    assert await _claim(stores) == ["a1"]
    await stores.outbox.give_back(slow)
    assert await _claim(stores) == []


async def test_an_event_that_has_left_neither_fails_nor_dies_nor_goes_back(stores: Stores) -> None:
    await _add(stores, "a1")
    items = await stores.outbox.claim(10, 30.0)
    await stores.outbox.published("a1")
    await stores.outbox.failed("a1", None)
    await stores.outbox.failed("a1", 0.0)
    await stores.outbox.give_back(items)
    assert await _claim(stores) == []
    assert await stores.retention.remove(Spent.PUBLISHED_EVENTS, 0.0, 9) == 1
