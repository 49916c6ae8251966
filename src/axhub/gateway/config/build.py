"""A typed document that passed every rule becomes settings."""

from pathlib import Path
from typing import Any

from axhub.configuration.document import Document
from axhub.contract.endpoints import Endpoint, EndpointPolicy, Origin, resolve
from axhub.gateway.config.keys import BUNDLES, MCP
from axhub.gateway.config.settings import (
    BundleSettings,
    DiscoverySettings,
    RegistrySettings,
    ServeSettings,
    Settings,
    TlsSettings,
)


def build(document: Document, serve: ServeSettings, folder: Path) -> Settings:
    """Return the settings of a document without faults; files are relative to `folder` (decision/D24)."""
    get = document.value
    return Settings(
        identity=get("identity"),
        registry=_registry(document, folder),
        discovery=_discovery(document),
        bundles=tuple(_bundle(document, path, folder) for path in document.items(BUNDLES)),
        tls=tls_settings(document, folder),
        serve=serve,
        allowed_origins=get("allowedOrigins"),
        allowed_hosts=get("allowedHosts") or (),
        extra_forward_headers=get("extraForwardHeaders") or (),
        page_size=get("pageSize"),
        tool_not_found_code=get("toolNotFoundCode"),
        max_request_bytes=get("maxRequestBytes"),
        max_response_bytes=get("maxResponseBytes"),
        max_connections=get("maxConnections"),
        max_in_flight_calls=get("maxInFlightCalls"),
        drain_seconds=get("drainSeconds"),
    )


def tls_settings(document: Document, folder: Path) -> TlsSettings:
    """Return the section `tls`."""
    return TlsSettings(
        ca_file=_file(document.value("tls.caFile"), folder),
        cert_file=_file(document.value("tls.certFile"), folder),
        key_file=_file(document.value("tls.keyFile"), folder),
    )


def _registry(document: Document, folder: Path) -> RegistrySettings:
    get = document.value
    return RegistrySettings(
        refresh_interval_seconds=get("registry.refreshIntervalSeconds"),
        refresh_jitter_seconds=get("registry.refreshJitterSeconds"),
        recheck_min_interval_millis=get("registry.recheckMinIntervalMillis"),
        local_file=_file(get("registry.localFile"), folder),
    )


def _discovery(document: Document) -> DiscoverySettings:
    get = document.value
    return DiscoverySettings(
        enabled=get("discovery.enabled"),
        connect_timeout_millis=get("discovery.connectTimeoutMillis"),
        read_timeout_millis=get("discovery.readTimeoutMillis"),
        conditional_requests=get("discovery.conditionalRequests"),
        max_tools_per_bundle=get("discovery.maxToolsPerBundle"),
        max_tools_total=get("discovery.maxToolsTotal"),
        max_manifest_bytes=get("discovery.maxManifestBytes"),
        max_tool_timeout_millis=get("discovery.maxToolTimeoutMillis"),
    )


def _bundle(document: Document, path: str, folder: Path) -> BundleSettings:
    def get(name: str) -> Any:
        return document.value(f"{path}.{name}")

    manifest = get("manifestUrl") or _joined(get("serviceDomain"), get("manifestPath"))
    own = _own_origins(manifest, get("serviceDomain"), get("baseEndpoint"))
    allowed = get("allowedEndpointOrigins") or ()
    return BundleSettings(
        id=get("id"),
        enabled=get("enabled"),
        name_prefix=get("namePrefix"),
        manifest=manifest,
        endpoints=EndpointPolicy(
            service_domain=get("serviceDomain") or Endpoint(manifest.origin, b"/"),
            base_endpoint=get("baseEndpoint"),
            declared=own | {origin for origin in allowed if origin is not None},
            any_origin=None in allowed,
        ),
        forward_authorization=get("forwardAuthorization"),
        authorization_origins=own,
        public_error_fields=get("publicErrorFields") or (),
        fallback_manifest_file=_file(get("fallbackManifestFile"), folder),
        max_concurrent_calls=get("maxConcurrentCalls"),
        max_queued_calls=get("maxQueuedCalls"),
        idle_connection_seconds=get("idleConnectionSeconds"),
        mcp_server=get("protocol") == MCP,
        add_prefix=get("addPrefix"),
    )


def _own_origins(*addresses: Endpoint | None) -> frozenset[Origin]:
    """Return where the bundle itself is; only there may `Authorization` go (decision/D13)."""
    return frozenset(address.origin for address in addresses if address)


def _joined(domain: Endpoint, path: str) -> Endpoint:
    """Append `manifestPath` as relative endpoints are appended (decision/D2, decision/D3)."""
    return resolve(path, None, EndpointPolicy(domain, None, frozenset(), any_origin=False))


def _file(path: str | None, folder: Path) -> Path | None:
    return None if path is None else folder / path
