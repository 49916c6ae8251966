"""No test hangs a run: an async test has a bound inside its loop."""

import asyncio
import time
from contextvars import ContextVar

import pytest

from support.bounded import SECONDS, bounded


async def test_a_test_that_waits_for_ever_fails_with_a_sentence() -> None:
    began = time.monotonic()
    with pytest.raises(AssertionError, match=r"still waiting after 0\.05 seconds"):
        await bounded(asyncio.Event().wait, 0.05)()
    assert time.monotonic() - began < SECONDS


async def test_a_time_out_of_the_tests_own_stays_what_it_was() -> None:
    async def its_own() -> None:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        await bounded(its_own, 5)()


async def test_what_a_test_sets_in_its_context_stays_in_it() -> None:
    variable: ContextVar[str] = ContextVar("of_a_test", default="untouched")

    async def sets() -> None:
        variable.set("changed")

    await bounded(sets, 5)()
    assert variable.get() == "untouched"


def test_every_async_test_runs_within_the_bound(request: pytest.FixtureRequest) -> None:
    assert float(request.config.getini("timeout")) > SECONDS
