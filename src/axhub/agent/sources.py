"""Makes sources of tools that other systems stand behind (agent/A9).

Importing this module loads no client library; only the functions do.

```python
claims = mcp_tools(
    McpServer(id="claims", url="http://gateway:8080/mcp"),
    {Capability.FIND_CLAIMS: [reads("claim_search")]},
)
agent = build_agent(sources=[registry, claims], …)
async with claims.running():
    …
```
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from axhub.agent.adapters.mcp_tools.mapping import CatalogueTool
from axhub.agent.adapters.mcp_tools.server import McpServer
from axhub.agent.domain.actor import Actor
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.main import Effects
from axhub.agent.ports.actor_cipher import ActorCipher

if TYPE_CHECKING:
    from axhub.agent.adapters.mcp_tools.source import McpTools

__all__ = ["mcp_tools", "tool_digests"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")


def mcp_tools(
    server: McpServer,
    mapping: Mapping[C, Sequence[CatalogueTool[A]]],
    *,
    cipher: ActorCipher[A] | None = None,
    effects: Effects | None = None,
) -> "McpTools[C, A]":
    """Return tools of an MCP server, an axhub gateway or any other, for `build_agent`.

    Keep `running()` of it open from the start of the process to its end: it reads the server's list beside the turns.

    Args:
        server: where they are.
        mapping: the tools of each capability.
        cipher: encrypts who acts; None: no employee header is sent.
        effects: those of the agent; None: the process's own.

    Raises:
        RegistrationError: an entry cannot be used, two have one name, or the client library is not installed.
    """
    _check_installed()
    from axhub.agent.adapters.mcp_tools.source import McpTools  # noqa: PLC0415 -- loads the client library

    own = effects or Effects()
    return McpTools(server, mapping, cipher=cipher, observer=own.observer, clock=own.clock)


async def tool_digests(server: McpServer) -> Mapping[str, str]:
    """Return the digest of each tool that a server lists now, by its name there, to be approved and written down.

    Raises:
        RegistrationError: the client library is not installed.
        ExceptionGroup: the list could not be read.
    """
    _check_installed()
    from axhub.agent.adapters.mcp_tools.digests import digests_of  # noqa: PLC0415 -- as above

    return await digests_of(server)


def _check_installed() -> None:
    if find_spec("mcp") is None:
        raise RegistrationError('tools of an MCP server need: pip install "axhub[mcp-tools]"')
