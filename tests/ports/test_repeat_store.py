"""The port `RepeatStore`: every adapter keeps the same promises. A store of a service's own belongs into `STORES`."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest

from axhub.toolkit import SqliteRepeatStore
from axhub.toolkit.ports import RepeatStore
from axhub.toolkit.testing import MemoryRepeatStore

STORES: Final[dict[str, Callable[[Path], RepeatStore]]] = {
    "memory": lambda _: MemoryRepeatStore(),
    "sqlite": lambda folder: SqliteRepeatStore(folder / "repeats.sqlite3"),
}


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RepeatStore]:
    made = STORES[request.param](tmp_path)
    async with AsyncExitStack() as opened:
        if isinstance(made, SqliteRepeatStore):
            await opened.enter_async_context(made)
        yield made


@pytest.mark.req("rule/TK804")
async def test_the_first_takes_the_key_and_the_next_sees_that_it_has_no_answer_yet(store: RepeatStore) -> None:
    assert await store.begin("a_tool", "k") is None
    found = await store.begin("a_tool", "k")
    assert found is not None
    assert found.answer is None


@pytest.mark.req("rule/TK804")
async def test_the_answer_is_given_to_all_that_come_later(store: RepeatStore) -> None:
    await store.begin("a_tool", "k")
    await store.finish("a_tool", "k", b'{"n":1.0}')
    for _ in range(2):
        found = await store.begin("a_tool", "k")
        assert found is not None
        assert found.answer == b'{"n":1.0}'


@pytest.mark.req("rule/TK804")
async def test_a_key_that_was_given_back_is_free(store: RepeatStore) -> None:
    await store.begin("a_tool", "k")
    await store.release("a_tool", "k")
    assert await store.begin("a_tool", "k") is None


@pytest.mark.req("rule/TK804")
async def test_an_answer_is_not_given_back(store: RepeatStore) -> None:
    await store.begin("a_tool", "k")
    await store.finish("a_tool", "k", b"{}")
    await store.release("a_tool", "k")
    found = await store.begin("a_tool", "k")
    assert found is not None
    assert found.answer == b"{}"


@pytest.mark.req("rule/TK804")
async def test_keys_belong_to_their_tool(store: RepeatStore) -> None:
    await store.begin("a_tool", "k")
    assert await store.begin("b_tool", "k") is None


@pytest.mark.req("rule/TK804")
async def test_of_many_at_once_one_takes_the_key(store: RepeatStore) -> None:
    taken = await asyncio.gather(*(store.begin("a_tool", "k") for _ in range(20)))
    assert [found is None for found in taken].count(True) == 1


@pytest.mark.req("rule/TK804")
@pytest.mark.parametrize("digest", ["d", None])
async def test_the_digest_of_who_took_the_key_stays_with_it(store: RepeatStore, digest: str | None) -> None:
    await store.begin("a_tool", "k", digest)
    before = await store.begin("a_tool", "k", "e")
    assert before is not None
    assert (before.digest, before.answer) == (digest, None)
    await store.finish("a_tool", "k", b"{}")
    after = await store.begin("a_tool", "k")
    assert after is not None
    assert (after.digest, after.answer) == (digest, b"{}")


@pytest.mark.req("rule/TK804")
async def test_a_key_that_was_given_back_has_the_digest_of_who_takes_it_next(store: RepeatStore) -> None:
    await store.begin("a_tool", "k", "d")
    await store.release("a_tool", "k")
    await store.begin("a_tool", "k", "e")
    found = await store.begin("a_tool", "k")
    assert found is not None
    assert found.digest == "e"
