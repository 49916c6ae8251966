"""Opens the adapters of a service: all that fail are told at once, and nothing stays open (toolkit/S7)."""

import asyncio
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

from axhub.toolkit.rules.model import Text
from axhub.toolkit.service.options import StartError
from axhub.toolkit.service.start_words import start_text
from axhub.toolkit.service.traces import told_of
from axhub.toolkit.service.watch import is_being_cancelled

__all__ = ["open_all"]


async def open_all(stack: AsyncExitStack, resources: Iterable[AbstractAsyncContextManager[Any]]) -> None:
    """Open all adapters into a stack; if one fails the others are tried too, and all are closed.

    Raises:
        StartError: it lists each that failed; without their errors, whose texts may be secret.
    """
    problems = [problem for resource in resources if (problem := await _opened(stack, resource))]
    if not problems:
        return
    try:
        await stack.aclose()
    except Exception as error:  # noqa: BLE001 - an adapter of the author may fail in any way
        problems.append(start_text("not-closed", error=told_of(error)))
    raise StartError(problems)


async def _opened(stack: AsyncExitStack, resource: AbstractAsyncContextManager[Any]) -> Text | None:
    """Open one; return what is wrong, None if nothing is."""
    try:
        await stack.enter_async_context(resource)
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and is_being_cancelled():
            raise
        return start_text("not-opened", error=told_of(error))
    return None
