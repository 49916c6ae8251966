"""One pull outside a running gateway: what `axhub gateway check --pull` and `axhub manifest check URL` do."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from axhub.contract.endpoints import Endpoint
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.config.files import tls_context
from axhub.gateway.config.settings import DiscoverySettings, Settings, TlsSettings
from axhub.gateway.main.mcp_servers import manifests, mcp_servers
from axhub.gateway.ports import ManifestSource

_FAREWELL_SECONDS = 1.0


@asynccontextmanager
async def manifest_source(
    endpoints: Mapping[str, Endpoint], discovery: DiscoverySettings, tls: TlsSettings
) -> AsyncIterator[ManifestSource]:
    """Offer the manifests at `endpoints`, by bundle id, with the timeouts and bounds of a gateway (gateway/G4)."""
    async with _client(discovery, tls) as client:
        yield HttpManifestSource(
            client.fetch,
            endpoints,
            connect_timeout=discovery.connect_timeout_millis / 1000,
            read_timeout=discovery.read_timeout_millis / 1000,
            max_bytes=discovery.max_manifest_bytes,
        )


@asynccontextmanager
async def configured_source(settings: Settings) -> AsyncIterator[ManifestSource]:
    """Offer the manifests of all enabled bundles, as the gateway with these settings would pull them."""
    async with _client(settings.discovery, settings.tls) as client:
        clock = SystemClock()
        bundles = settings.enabled_bundles
        discovery = settings.discovery
        mcp = mcp_servers(bundles, settings.identity, client, clock, lambda: 0.0, lambda _bundle: None, discovery)
        try:
            yield manifests(bundles, mcp.servers, client, clock, discovery)
        finally:
            farewells = (server.end(_FAREWELL_SECONDS) for server in mcp.servers.values())
            await asyncio.gather(*farewells, return_exceptions=True)


@asynccontextmanager
async def _client(discovery: DiscoverySettings, tls: TlsSettings) -> AsyncIterator[Http1Client]:
    connect_timeout = discovery.connect_timeout_millis / 1000
    client = Http1Client({}, connect_timeout, discovery.max_manifest_bytes, tls_context(tls), SystemClock())
    try:
        yield client
    finally:
        await client.close()
