"""A served order service for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.order_shop import Shop, shop_at


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    async with shop_at(tmp_path) as made:
        yield made
