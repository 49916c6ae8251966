"""The bundles that are MCP servers, put together (gateway/P11); part of the wiring."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import msgspec

from axhub import __version__
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.adapters.manifest_by_bundle import ManifestsByBundle
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.adapters.mcp_client.calls import McpCalls
from axhub.gateway.adapters.mcp_client.notices import listen
from axhub.gateway.adapters.mcp_client.server import McpServer
from axhub.gateway.adapters.mcp_client.session import Client
from axhub.gateway.adapters.mcp_client.source import McpManifestSource
from axhub.gateway.config.settings import BundleSettings, DiscoverySettings
from axhub.gateway.ports import Clock, ManifestSource

_FAREWELL_SECONDS: Final = 1.0
"""How long the servers may take to hear that their sessions have ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServers:
    """All servers of a deployment by the ids of their bundles; perhaps none."""

    servers: dict[str, McpServer]
    calls: McpCalls
    clock: Clock
    random: Callable[[], float]

    @asynccontextmanager
    async def attended(self) -> AsyncIterator[None]:
        """Listen for changes inside; end the sessions afterwards."""
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
        for bundle in bundles
        if bundle.mcp_server and bundle.enabled
    }
    return McpServers(servers=servers, calls=McpCalls(servers, client.send, clock), clock=clock, random=random)


def manifests(
    bundles: Iterable[BundleSettings],
    servers: dict[str, McpServer],
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
    listed = McpManifestSource(servers, clock, max_bytes=discovery.max_manifest_bytes, **bounds)
    return ManifestsByBundle(plain, dict.fromkeys(servers, listed))
