"""Keys of requests come from callers: whatever text one is, it is one key, and no store fails at it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from axhub.agent.domain.once import Known, Seen, stored_name
from support.agent_stores import STORES, Stores, opened

pytestmark = pytest.mark.req("agent/I1")

ODD: Final = ("nul \0", "nul \ufffd", "half \ud83d", "half \ude00", "x" * 100_000, "x" * 100_001, "")


@pytest.fixture(params=STORES)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async with opened(request.param, tmp_path) as made:
        yield made


async def test_each_odd_key_is_a_key_of_its_own(stores: Stores) -> None:
    for key in ODD:
        assert await stores.once.begin("t1:refund", key, "f", 30.0) == Known(Seen.FIRST), key[:10]
        await stores.once.finish("t1:refund", key, f'"{len(key)}"')
    for key in ODD:
        assert await stores.once.begin("t1:refund", key, "f", 30.0) == Known(Seen.SAME, f'"{len(key)}"')
        assert await stores.once.begin("t1:refund", key, "g", 30.0) == Known(Seen.OTHER)


async def test_each_odd_scope_is_a_scope_of_its_own(stores: Stores) -> None:
    for scope in ODD:
        assert await stores.once.begin(scope, "k", "f", 30.0) == Known(Seen.FIRST), scope[:10]
        await stores.once.forget(scope, "k")
        assert await stores.once.begin(scope, "k", "g", 30.0) == Known(Seen.FIRST)


def test_a_plain_name_is_stored_as_it_is() -> None:
    assert stored_name("환불 😀 key-1") == "환불 😀 key-1"
    assert len({stored_name(one) for one in ODD}) == len(ODD)
    assert max(len(stored_name(one)) for one in ODD) <= 256
