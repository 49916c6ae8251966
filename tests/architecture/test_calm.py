"""Every async test fails if it leaves an exception to its event loop."""

import asyncio
import gc
from collections.abc import Awaitable, Callable

import pytest

from support.calm import calm


def _broken() -> None:
    raise LookupError("ours")


async def _failing() -> None:
    raise LookupError("ours")


async def test_an_async_test_is_watched_without_asking_for_it(request: pytest.FixtureRequest) -> None:
    assert "calm_event_loop" in request.fixturenames


@pytest.mark.loud_event_loop
async def test_an_async_test_can_opt_out(request: pytest.FixtureRequest) -> None:
    assert "calm_event_loop" not in request.fixturenames


def test_a_test_without_a_loop_gets_none(request: pytest.FixtureRequest) -> None:
    assert "calm_event_loop" not in request.fixturenames


async def _leave_an_exception_in_a_callback() -> None:
    async with calm():
        asyncio.get_running_loop().call_soon(_broken)
        await asyncio.sleep(0)


async def _leave_a_failed_task() -> None:
    async with calm():
        task = asyncio.create_task(_failing())
        await asyncio.wait([task])
        del task
        gc.collect()


@pytest.mark.req("fault/F36")
@pytest.mark.parametrize("leave", [_leave_an_exception_in_a_callback, _leave_a_failed_task])
async def test_an_exception_that_is_left_to_the_loop_is_found(leave: Callable[[], Awaitable[None]]) -> None:
    with pytest.raises(AssertionError, match=r"left to the event loop: .*ours"):
        await leave()


async def _fail_by_itself() -> None:
    async with calm():
        raise LookupError("mine")


async def test_what_the_test_itself_raises_is_not_hidden() -> None:
    with pytest.raises(LookupError, match="mine"):
        await _fail_by_itself()
