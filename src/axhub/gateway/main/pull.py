"""One pull outside a running gateway: what `axhub gateway check --pull` and `axhub manifest check URL` do."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from axhub.contract.endpoints import Endpoint
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.client import Http1Client
from axhub.gateway.adapters.manifest_http import HttpManifestSource
from axhub.gateway.config.files import tls_context
from axhub.gateway.config.settings import DiscoverySettings, TlsSettings
from axhub.gateway.ports import ManifestSource


@asynccontextmanager
async def manifest_source(
    endpoints: Mapping[str, Endpoint], discovery: DiscoverySettings, tls: TlsSettings
) -> AsyncIterator[ManifestSource]:
    """Offer the manifests at `endpoints`, by bundle id, with the timeouts and bounds of a gateway (gateway/G4)."""
    connect_timeout = discovery.connect_timeout_millis / 1000
    client = Http1Client({}, connect_timeout, discovery.max_manifest_bytes, tls_context(tls), SystemClock())
    try:
        yield HttpManifestSource(
            client.fetch,
            endpoints,
            connect_timeout=connect_timeout,
            read_timeout=discovery.read_timeout_millis / 1000,
            max_bytes=discovery.max_manifest_bytes,
        )
    finally:
        await client.close()
