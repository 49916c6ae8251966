"""The bundles that are MCP servers, put together (gateway/P11); part of the wiring.

What speaks to them is loaded where there is one: it is most of a megabyte, and many deployments have none.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from axhub import __version__
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.config.settings import BundleSettings, DiscoverySettings
from axhub.gateway.ports import Cancel, Clock, Failure, ManifestSource, McpAnswer, McpCall, McpUpstream, UpstreamAnswer

if TYPE_CHECKING:
    from axhub.gateway.adapters.mcp_client.server import McpServer

_FAREWELL_SECONDS: Final = 1.0
"""How long the servers may take to hear that their sessions have ended."""


class Calls(McpUpstream, Protocol):
    """Calls tools of MCP servers until the gateway stops."""

    def close(self) -> None:
        """End what waits beside the connections, and let nothing begin from here on."""
        ...


class NoCalls:
    """Of a deployment without MCP servers: no tool leads to one, and none can be reached."""

    def call(
        self,
        call: McpCall,  # noqa: ARG002 - the port's signature
        on_done: Callable[[McpAnswer], None],
        on_progress: Callable[[bytes], None] | None,  # noqa: ARG002 - as above
    ) -> Cancel:
        """Answer that nothing was sent."""
        on_done(McpAnswer(http=UpstreamAnswer(0, {}, b"", Failure.UNREACHABLE, sent=False)))
        return lambda: None

    def close(self) -> None:
        """Do nothing: nothing waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServers:
    """All servers of a deployment by the ids of their bundles; perhaps none."""

    servers: "dict[str, McpServer]"
    calls: Calls
    clock: Clock
    random: Callable[[], float]

    @asynccontextmanager
    async def attended(self) -> AsyncIterator[None]:
        """Listen for changes inside; end the sessions afterwards."""
        if not self.servers:
            yield
            return
        from axhub.gateway.adapters.mcp_client.notices import listen  # noqa: PLC0415 - see the module

        listening = [
            asyncio.create_task(listen(server, self.clock, self.random), name=f"listen to {server.bundle}")
            for server in self.servers.values()
        ]
        try:
            yield
        finally:
            for task in listening:
                task.cancel()
            farewells = (server.end(_FAREWELL_SECONDS) for server in self.servers.values())
            await asyncio.gather(*listening, *farewells, return_exceptions=True)


def mcp_servers(
    bundles: Iterable[BundleSettings],
    identity: str,
    client: Http1Client,
    clock: Clock,
    random: Callable[[], float],
    on_changed: Callable[[str], None],
    discovery: DiscoverySettings,
) -> McpServers:
    """Build the servers of the enabled bundles that are some; nothing is contacted."""
    ours = [bundle for bundle in bundles if bundle.mcp_server and bundle.enabled]
    if not ours:
        return McpServers(servers={}, calls=NoCalls(), clock=clock, random=random)
    from axhub.gateway.adapters.mcp_client.calls import McpCalls  # noqa: PLC0415 - see the module
    from axhub.gateway.adapters.mcp_client.server import McpServer  # noqa: PLC0415 - see the module
    from axhub.gateway.adapters.mcp_client.session import Client  # noqa: PLC0415 - see the module

    open_seconds = (discovery.connect_timeout_millis + discovery.read_timeout_millis) / 1000
    info = msgspec.json.encode({"name": identity, "version": __version__})
    servers = {
        bundle.id: McpServer(
            bundle.id,
            Client(bundle.manifest, info),
            client.fetch,
            on_changed,
            open_seconds,
            bundle.max_concurrent_calls + bundle.max_queued_calls,
        )
        for bundle in ours
    }
    return McpServers(servers=servers, calls=McpCalls(servers, client.send, clock), clock=clock, random=random)


def manifests(
    bundles: Iterable[BundleSettings],
    servers: "dict[str, McpServer]",
    client: Http1Client,
    clock: Clock,
    discovery: DiscoverySettings,
) -> ManifestSource:
    """Return where the manifests of all bundles come from, each in its bundle's protocol (gateway/G4)."""
    connect_timeout, read_timeout = discovery.connect_timeout_millis / 1000, discovery.read_timeout_millis / 1000
    bounds = {"connect_timeout": connect_timeout, "read_timeout": read_timeout}
    plain = HttpManifestSource(
        client.fetch,
        {bundle.id: bundle.manifest for bundle in bundles if not bundle.mcp_server},
        max_bytes=discovery.max_manifest_bytes,
        **bounds,
    )
    if not servers:
        return plain
    from axhub.gateway.adapters.manifest_by_bundle import ManifestsByBundle  # noqa: PLC0415 - see the module
    from axhub.gateway.adapters.mcp_client.source import McpManifestSource  # noqa: PLC0415 - see the module

    listed = McpManifestSource(servers, clock, max_bytes=discovery.max_manifest_bytes, **bounds)
    return ManifestsByBundle(plain, dict.fromkeys(servers, listed))
