"""Ends an async test that waits for ever, and keeps what it sets in its context from the tests after it.

pytest-timeout alone cannot: its alarm interrupts Python code, and a waiting uvloop runs none. So each async test gets
a bound inside its loop, which fails that test and lets its fixtures clean up; pytest-timeout stays as the last resort.

Tests of one file share a task, and with it one context: a context variable that one sets would be set for the next.
"""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Final

SECONDS: Final = 50.0
"""Less than pytest-timeout's bound in pyproject.toml, so that this one comes first."""


def bounded(test: Callable[..., Awaitable[object]], seconds: float = SECONDS) -> Callable[..., Awaitable[object]]:
    """Return the test with a bound: it fails with a sentence and the place where it waited."""

    @functools.wraps(test)
    async def within_the_bound(*args: object, **kwargs: object) -> None:
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                await asyncio.ensure_future(_of_its_own(test(*args, **kwargs)))
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise AssertionError(f"the test was still waiting after {seconds:g} seconds") from error

    return within_the_bound


async def _of_its_own(test: Awaitable[object]) -> None:
    await test
