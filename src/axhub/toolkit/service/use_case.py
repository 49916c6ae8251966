"""A tool's function as the execution calls it: with the request and the context, whatever it takes of the two."""

from collections.abc import Awaitable, Callable
from typing import Any

from axhub.toolkit.context import ToolContext, current_tool

__all__ = ["told_apart", "use_case"]


def use_case(
    function: Callable[..., Awaitable[Any]], request: str | None, context: str | None
) -> Callable[[Any, ToolContext], Awaitable[Any]]:
    """Return `function` as one of request and context.

    Args:
        function: with its dependencies bound.
        request: the name of the parameter that takes the request; None: it takes none.
        context: the name of the parameter that takes the context; None: it takes none.
    """
    if request is not None and context is not None:
        return lambda one, other: function(**{request: one, context: other})
    if request is not None:
        return lambda one, other: function(**{request: one})  # noqa: ARG005 - the use case does not ask for it
    if context is not None:
        return lambda one, other: function(**{context: other})  # noqa: ARG005 - as above
    return lambda one, other: function()  # noqa: ARG005 - as above


def told_apart(
    call: Callable[[Any, ToolContext], Awaitable[Any]], tool: str
) -> Callable[[Any, ToolContext], Awaitable[Any]]:
    """Return `call` so that mocks learn which tool asks them (see `current_tool`)."""

    async def told(request: Any, context: ToolContext) -> Any:
        token = current_tool.set(tool)
        try:
            return await call(request, context)
        finally:
            current_tool.reset(token)

    return told
