"""Fails a test that leaves an exception to the event loop: out of a callback, or of a task that nobody looked at."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def calm() -> AsyncIterator[None]:
    """Collect what reaches the loop's exception handler, and raise `AssertionError` with it at the end (fault/F36).

    A test that expects such reports sets a handler of its own meanwhile.
    """
    loop = asyncio.get_running_loop()
    found: list[dict[str, Any]] = []
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _, context: found.append(context))
    try:
        yield
    finally:
        loop.set_exception_handler(before)
    if found:
        raise AssertionError(f"left to the event loop: {found}")
