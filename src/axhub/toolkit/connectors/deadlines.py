"""When a call of a legacy system must be over: in its own time, and in that of the tool that makes it (toolkit/H2)."""

import asyncio

from axhub.toolkit.context import ToolContext

__all__ = ["deadline_of"]


def deadline_of(total_millis: int, context: ToolContext | None) -> float:
    """Return the deadline on the event loop's clock.

    Args:
        total_millis: what the configuration gives the whole call.
        context: of the call that is being answered; None outside of one.
    """
    own = asyncio.get_running_loop().time() + total_millis / 1000
    return own if context is None or context.deadline is None else min(own, context.deadline)
