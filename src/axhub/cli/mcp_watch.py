"""Following the list of tools of an MCP server with the official SDK: by notices where it gives them, else by asking.

Needs the extra `axhub[client]`, as `mcp_client` does.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, Subscription

from axhub.cli.mcp_client import Listing, Target, list_all, with_client


@dataclass(frozen=True, slots=True)
class Following:
    """What to tell, and how often to ask a server that gives no notices (in seconds)."""

    every: float
    listed: Callable[[Listing], None]
    """Hears of the list at the start and after each notice or interval, whether it has changed or not."""
    asking: Callable[[Listing], None]
    """Hears, after the first list, that this server gives no notices."""
    waiting: Callable[[], None]
    """Hears, after the first list, that this server will give notices."""


async def follow(target: Target, following: Following) -> None:
    """List the tools again and again; return when the server has ended the subscription in good order.

    `target.timeout` bounds each request, and not the whole.

    Raises:
        UnreachableError, AnsweredError: as in `mcp_client`; also when the connection breaks later.
    """
    bound = asyncio.timeout(target.timeout)

    async def listing(client: Client) -> Listing:
        bound.reschedule(asyncio.get_running_loop().time() + target.timeout)
        found = await list_all(client)
        following.listed(found)
        bound.reschedule(None)
        return found

    async def use(client: Client) -> None:
        async with _notices(client) as notices:
            found = await listing(client)  # after the subscription has begun, so that no change is missed
            if notices is not None:
                following.waiting()
                async for _ in notices:
                    await listing(client)
                return
        following.asking(found)
        while True:
            await asyncio.sleep(following.every)
            await listing(client)

    await with_client(target, None, use, bound)


@asynccontextmanager
async def _notices(client: Client) -> AsyncIterator[Subscription | None]:
    """Offer the notices of changes, or None if the server gives none."""
    tools = client.server_capabilities.tools
    opening = client.listen(tools_list_changed=True) if tools is not None and tools.list_changed else None
    try:
        subscription = None if opening is None else await opening.__aenter__()
    except (ListenNotSupportedError, MCPError):
        opening = subscription = None
    try:
        yield subscription if subscription is not None and subscription.honored.tools_list_changed else None
    finally:
        if opening is not None:
            await opening.__aexit__(None, None, None)
