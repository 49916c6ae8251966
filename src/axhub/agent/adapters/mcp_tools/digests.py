"""The digests of a server's tools, to be approved and written into a mapping (agent/A9)."""

from collections.abc import Mapping

from axhub.agent.adapters.mcp_tools.link import connected
from axhub.agent.adapters.mcp_tools.server import McpServer
from axhub.agent.adapters.mcp_tools.wire import Pool
from axhub.agent.domain.definition import published_digest

__all__ = ["digests_of"]


async def digests_of(server: McpServer) -> Mapping[str, str]:
    """Return the digest of each tool that a server lists now, by its name in the catalogue.

    Raises:
        ExceptionGroup: the list could not be read.
    """
    pool = Pool(server)
    try:
        async with connected(server, pool, lambda: None) as link:
            listing = await link.list()
    finally:
        await pool.aclose()
    return {tool["name"]: published_digest(tool) for tool in listing.tools}
