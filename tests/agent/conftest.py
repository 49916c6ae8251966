"""A store for each test of the agent."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.agents import Worlds


@pytest.fixture
async def worlds(tmp_path: Path) -> AsyncIterator[Worlds]:
    made = Worlds(tmp_path)
    yield made
    await made.close()
