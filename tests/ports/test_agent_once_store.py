"""The record of requests that are done once: the same answer from every store."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from axhub.agent.domain.once import Known, Seen
from axhub.agent.ports.runs import LostLeaseError
from support.agent_stores import STORES, Once, Stores, opened

pytestmark = pytest.mark.req("agent/I1")


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def _begin(once: Once, scope: str = "t1:refund", key: str = "k", fingerprint: str = "f") -> Known:
    return await once.begin(scope, key, fingerprint, 30.0)


async def test_the_first_request_has_the_key_and_the_same_one_waits(stores: Stores) -> None:
    assert await _begin(stores.once) == Known(Seen.FIRST)
    assert await _begin(stores.once) == Known(Seen.IN_PROGRESS)


async def test_the_same_request_gets_the_first_answer(stores: Stores) -> None:
    await _begin(stores.once)
    await stores.once.finish("t1:refund", "k", '{"status":"REFUNDED"}')
    assert await _begin(stores.once) == Known(Seen.SAME, '{"status":"REFUNDED"}')


@pytest.mark.parametrize("is_finished", [False, True])
async def test_another_request_with_the_key_is_refused(stores: Stores, is_finished: bool) -> None:
    await _begin(stores.once)
    if is_finished:
        await stores.once.finish("t1:refund", "k", "{}")
    assert await _begin(stores.once, fingerprint="g") == Known(Seen.OTHER)


async def test_keys_belong_to_their_scope(stores: Stores) -> None:
    await _begin(stores.once)
    assert await _begin(stores.once, scope="t2:refund") == Known(Seen.FIRST)
    assert await _begin(stores.once, key="l") == Known(Seen.FIRST)


async def test_a_key_that_was_given_back_is_free_for_any_request(stores: Stores) -> None:
    await _begin(stores.once)
    await stores.once.forget("t1:refund", "k")
    assert await _begin(stores.once, fingerprint="g") == Known(Seen.FIRST)


async def test_an_answer_is_not_given_back(stores: Stores) -> None:
    await _begin(stores.once)
    await stores.once.finish("t1:refund", "k", "{}")
    await stores.once.forget("t1:refund", "k")
    assert await _begin(stores.once) == Known(Seen.SAME, "{}")


async def test_a_request_whose_process_died_may_be_tried_again_by_one(stores: Stores) -> None:
    await _begin(stores.once)
    await stores.pass_time(31)
    came = await asyncio.gather(*(_begin(stores.once) for _ in range(5)))
    assert sorted(one.seen for one in came) == [Seen.FIRST, *[Seen.IN_PROGRESS] * 4]


async def test_of_many_at_once_one_is_first(stores: Stores) -> None:
    came = await asyncio.gather(*(_begin(stores.once) for _ in range(10)))
    assert sorted(one.seen for one in came) == [Seen.FIRST, *[Seen.IN_PROGRESS] * 9]


async def test_one_that_lost_the_key_neither_gives_it_back_nor_answers_under_it(stores: Stores) -> None:
    once = stores.once
    assert await once.begin("t1:refund", "k", "f", 30.0, "slow") == Known(Seen.FIRST)
    await stores.pass_time(31)
    assert await once.begin("t1:refund", "k", "f", 30.0, "other") == Known(Seen.FIRST)
    await once.forget("t1:refund", "k", "slow")
    assert await once.begin("t1:refund", "k", "f", 30.0, "third") == Known(Seen.IN_PROGRESS)
    with pytest.raises(LostLeaseError):
        await once.finish("t1:refund", "k", "of the slow one", "slow")
    await once.finish("t1:refund", "k", "of the other", "other")
    await once.forget("t1:refund", "k", "other")
    assert await once.begin("t1:refund", "k", "f", 30.0, "third") == Known(Seen.SAME, "of the other")


async def test_a_key_that_was_given_back_and_taken_anew_is_not_given_back_by_who_had_it_first(stores: Stores) -> None:
    once = stores.once
    await once.begin("t1:refund", "k", "f", 30.0, "slow")
    await stores.pass_time(31)
    await once.begin("t1:refund", "k", "f", 30.0, "other")
    await once.forget("t1:refund", "k", "other")
    await once.begin("t1:refund", "k", "g", 30.0, "third")
    await once.forget("t1:refund", "k", "slow")
    assert await once.begin("t1:refund", "k", "g", 30.0, "fourth") == Known(Seen.IN_PROGRESS)
