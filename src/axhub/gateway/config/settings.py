"""The gateway's settings: frozen, checked, with units in the names. Field names are the keys' names in snake case.

Nothing here reads anything; `load` builds these, `main` hands their plain values to the adapters.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from axhub.contract.endpoints import Endpoint, EndpointPolicy, Origin
from axhub.contract.manifest import ManifestLimits, ManifestPolicy

LOCAL_PROFILE = "local"
"""The only profile that relaxes anything; every other name is strict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrySettings:
    """When the catalogue is refreshed (gateway/G2, gateway/X7)."""

    refresh_interval_seconds: float = 30.0
    refresh_jitter_seconds: float = 5.0
    recheck_min_interval_millis: int = 1000
    local_file: Path | None = None
    """Set exactly when `discovery.enabled` is false (gateway/C3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoverySettings:
    """How manifests are pulled, and their bounds (gateway/G4, gateway/G6, gateway/K1)."""

    enabled: bool = True
    connect_timeout_millis: int = 1000
    read_timeout_millis: int = 3000
    conditional_requests: bool = False
    max_tools_per_bundle: int = 100
    max_tools_total: int = 200
    max_manifest_bytes: int = 1_048_576
    max_tool_timeout_millis: int = 30_000

    @property
    def limits(self) -> ManifestLimits:
        """The bounds that one manifest is checked against."""
        return ManifestLimits(max_tools=self.max_tools_per_bundle, max_tool_timeout_millis=self.max_tool_timeout_millis)


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleSettings:
    """One declared Tool Service: where it is, what it may do, how many calls it may hold (gateway/X9)."""

    id: str
    enabled: bool = True
    name_prefix: str = ""
    """Empty: names are bound to no prefix (decision/D23)."""
    manifest: Endpoint
    """`manifestUrl`, or `serviceDomain` and `manifestPath` joined (decision/D3)."""
    endpoints: EndpointPolicy
    """Where this bundle's calls may go (decision/D1, decision/D2); its `service_domain` is never None."""
    forward_authorization: bool = False
    authorization_origins: frozenset[Origin]
    """The bundle's own origins: the only ones `Authorization` may reach (decision/D13)."""
    public_error_fields: tuple[str, ...] = ()
    fallback_manifest_file: Path | None = None
    max_concurrent_calls: int = 64
    max_queued_calls: int = 32
    idle_connection_seconds: float = 3.0
    mcp_server: bool = False
    """Whether `manifest` is the endpoint of an MCP server (gateway/P11)."""
    add_prefix: bool = False
    """Whether `name_prefix` is put before its tools' names."""

    def manifest_policy(self, limits: ManifestLimits) -> ManifestPolicy:
        """Return what this bundle's manifests are checked against (gateway/G6)."""
        return ManifestPolicy(
            bundle_id=self.id,
            name_prefix=self.name_prefix,
            endpoints=self.endpoints,
            limits=limits,
            mcp_server=self.manifest if self.mcp_server else None,
            add_prefix=self.add_prefix,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsSettings:
    """PEM files for connections to manifests and tools; all None: the system's certificates, no client certificate."""

    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """How the process serves: from flags and `AXHUB_PROFILE`, `AXHUB_PORT`, `AXHUB_MANAGEMENT_PORT`."""

    profile: str = "production"
    host: str = "127.0.0.1"
    port: int = 8080
    """0: any free port."""
    management_host: str = "127.0.0.1"
    management_port: int = 9090
    log_format: Literal["json", "text"] | None = None
    """None: text on a terminal, else JSON."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    workers: int = 1

    @property
    def local(self) -> bool:
        """Whether the relaxations of the profile `local` apply."""
        return self.profile == LOCAL_PROFILE


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything the gateway was told, checked."""

    identity: str
    registry: RegistrySettings = RegistrySettings()
    discovery: DiscoverySettings = DiscoverySettings()
    bundles: tuple[BundleSettings, ...] = ()
    tls: TlsSettings = TlsSettings()
    serve: ServeSettings = ServeSettings()
    allowed_origins: tuple[str, ...] | None = None
    """As a browser sends them (`https://host`, default port left out); None: loopback origins when bound to loopback,
    else none (gateway/P5)."""
    allowed_hosts: tuple[str, ...] = ()
    """Lower-case `host` or `host:port`; empty: not checked."""
    extra_forward_headers: tuple[bytes, ...] = ()
    """Lower-case header names forwarded besides the fixed ones (decision/D8)."""
    page_size: int | None = None
    """Tools a page of `tools/list`; None: all on one (gateway/P10)."""
    tool_not_found_code: int = -32001
    max_request_bytes: int = 1_048_576
    max_response_bytes: int = 4_194_304
    max_connections: int = 4096
    max_in_flight_calls: int = 512
    drain_seconds: float = 25.0

    @property
    def enabled_bundles(self) -> tuple[BundleSettings, ...]:
        """The bundles that are pulled and served."""
        return tuple(bundle for bundle in self.bundles if bundle.enabled)
