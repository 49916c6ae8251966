"""A served order service for each test, on each kind of database."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.agent_stores import DATABASES
from support.order_shop import Shop, shop_at


@pytest.fixture(params=DATABASES)
async def shop(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Shop]:
    async with shop_at(tmp_path, kind=request.param) as made:
        yield made
