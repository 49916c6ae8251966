"""The settings that a configuration ends as: every key, every default, files, addresses."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from axhub.configuration.table import Missing
from axhub.contract.endpoints import Endpoint, Origin, parse_url, resolve
from axhub.gateway.config.keys import KEYS
from axhub.gateway.config.settings import BundleSettings, DiscoverySettings, RegistrySettings, Settings, TlsSettings
from support.configs import GOOD, LOCAL, faults_of, load_text

EVERYTHING = """\
mcp:
  identity: 보험-게이트웨이
  registry: {refreshIntervalSeconds: 0.25, refreshJitterSeconds: 0, recheckMinIntervalMillis: 50}
  discovery:
    enabled: true
    connectTimeoutMillis: 11
    readTimeoutMillis: 12
    conditionalRequests: true
    maxToolsPerBundle: 13
    maxToolsTotal: 14
    maxManifestBytes: 15
    maxToolTimeoutMillis: 16
  bundles:
    - id: 처리
      namePrefix: processing_
      manifestUrl: http://tools:1/manifest
      serviceDomain: http://tools:2/base
      baseEndpoint: http://tools:3/mcp?x=1
      allowedEndpointOrigins: ["http://tools:4"]
      protocol: tool-service
      addPrefix: false
      forwardAuthorization: true
      publicErrorFields: [reason, 사유]
      fallbackManifestFile: file:./fallback.json
      enabled: false
      maxConcurrentCalls: 5
      maxQueuedCalls: 0
      idleConnectionSeconds: 1.5
  allowedOrigins: [https://console.example.com:443]
  allowedHosts: [MCP.example.com]
  extraForwardHeaders: [X-Tenant]
  pageSize: 20
  toolNotFoundCode: -32044
  maxRequestBytes: 100
  maxResponseBytes: 200
  tls: {caFile: pem/cert.pem, certFile: pem/cert.pem, keyFile: pem/key.pem}
  maxConnections: 300
  maxInFlightCalls: 400
  drainSeconds: 0.5
"""
PEM = Path(__file__).parent / "pem"


def _origin(port: int) -> Origin:
    return Origin("http", "tools", port)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fallback.json").write_text("{}")
    (tmp_path / "pem").symlink_to(PEM)
    return tmp_path


@pytest.mark.req("gateway/C1", "decision/D24")
def test_every_key_arrives_in_the_settings(folder: Path) -> None:
    settings = load_text(folder, EVERYTHING, flags=LOCAL).settings
    assert settings.identity == "보험-게이트웨이"
    assert settings.registry == RegistrySettings(
        refresh_interval_seconds=0.25, refresh_jitter_seconds=0.0, recheck_min_interval_millis=50
    )
    assert settings.discovery == DiscoverySettings(
        connect_timeout_millis=11,
        read_timeout_millis=12,
        conditional_requests=True,
        max_tools_per_bundle=13,
        max_tools_total=14,
        max_manifest_bytes=15,
        max_tool_timeout_millis=16,
    )
    assert settings.tls == TlsSettings(
        ca_file=folder / "pem/cert.pem", cert_file=folder / "pem/cert.pem", key_file=folder / "pem/key.pem"
    )
    assert (settings.allowed_origins, settings.allowed_hosts) == (
        ("https://console.example.com",),
        ("mcp.example.com",),
    )
    assert settings.extra_forward_headers == (b"x-tenant",)
    assert settings.page_size == 20
    assert (settings.tool_not_found_code, settings.max_request_bytes, settings.max_response_bytes) == (-32044, 100, 200)
    assert (settings.max_connections, settings.max_in_flight_calls, settings.drain_seconds) == (300, 400, 0.5)
    assert settings.enabled_bundles == ()


@pytest.mark.req("gateway/C1", "decision/D1", "decision/D13")
def test_a_bundle_knows_its_own_origins_and_the_declared_ones(folder: Path) -> None:
    (bundle,) = load_text(folder, EVERYTHING, flags=LOCAL).settings.bundles
    own = frozenset({_origin(1), _origin(2), _origin(3)})
    assert bundle.manifest == Endpoint(_origin(1), b"/manifest")
    assert bundle.endpoints.service_domain == Endpoint(_origin(2), b"/base")
    assert bundle.endpoints.base_endpoint == Endpoint(_origin(3), b"/mcp?x=1")
    assert bundle.endpoints.declared == own | {_origin(4)}
    assert bundle.authorization_origins == own
    assert not bundle.endpoints.any_origin
    assert (bundle.id, bundle.name_prefix, bundle.enabled) == ("처리", "processing_", False)
    assert (bundle.forward_authorization, bundle.public_error_fields) == (True, ("reason", "사유"))
    assert (bundle.max_concurrent_calls, bundle.max_queued_calls, bundle.idle_connection_seconds) == (5, 0, 1.5)
    assert bundle.fallback_manifest_file == folder / "fallback.json"


@pytest.mark.req("gateway/G6", "gateway/G7")
def test_a_bundle_says_what_its_manifests_are_checked_against(folder: Path) -> None:
    settings = load_text(folder, EVERYTHING, flags=LOCAL).settings
    policy = settings.bundles[0].manifest_policy(settings.discovery.limits)
    assert (policy.bundle_id, policy.name_prefix, policy.endpoints) == (
        "처리",
        "processing_",
        settings.bundles[0].endpoints,
    )
    assert (policy.limits.max_tools, policy.limits.max_tool_timeout_millis) == (13, 16)


@pytest.mark.req("gateway/P11", "gateway/C1")
def test_a_bundle_that_is_an_mcp_server_has_its_lists_checked_as_such(tmp_path: Path) -> None:
    text = GOOD + "      protocol: mcp\n      namePrefix: weather_\n      addPrefix: true\n"
    settings = load_text(tmp_path, text).settings
    (bundle,) = settings.bundles
    policy = bundle.manifest_policy(settings.discovery.limits)
    assert (bundle.mcp_server, bundle.add_prefix) == (True, True)
    assert (policy.mcp_server, policy.add_prefix, policy.name_prefix) == (bundle.manifest, True, "weather_")
    (plain,) = load_text(tmp_path, GOOD).settings.bundles
    assert (plain.mcp_server, plain.manifest_policy(settings.discovery.limits).mcp_server) == (False, None)


@pytest.mark.req("gateway/C1")
def test_what_is_left_out_is_as_the_specification_says(tmp_path: Path) -> None:
    settings = load_text(tmp_path, GOOD).settings
    assert settings == Settings(identity="mcp-insurance-core", bundles=settings.bundles)
    (bundle,) = settings.bundles
    assert bundle == BundleSettings(
        id="insurance-processing",
        manifest=bundle.manifest,
        endpoints=bundle.endpoints,
        authorization_origins=frozenset({bundle.manifest.origin}),
    )
    assert settings.allowed_origins is None
    assert settings.page_size is None
    assert settings.serve.local is False


SPECIFIED = """
registry.refreshIntervalSeconds=30 registry.refreshJitterSeconds=5 registry.recheckMinIntervalMillis=1000
discovery.enabled=True discovery.connectTimeoutMillis=1000 discovery.readTimeoutMillis=3000
discovery.conditionalRequests=False discovery.maxToolsPerBundle=100 discovery.maxToolsTotal=200
discovery.maxManifestBytes=1048576 discovery.maxToolTimeoutMillis=30000 bundles[].forwardAuthorization=False
bundles[].enabled=True bundles[].maxConcurrentCalls=64 bundles[].maxQueuedCalls=32 bundles[].idleConnectionSeconds=3
bundles[].protocol=tool-service bundles[].addPrefix=False toolNotFoundCode=-32001 maxRequestBytes=1048576
maxResponseBytes=4194304 maxConnections=4096 maxInFlightCalls=512 drainSeconds=25
"""


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("row", SPECIFIED.split())
def test_the_table_of_keys_has_the_specified_defaults(row: str) -> None:
    path, _, default = row.partition("=")
    (key,) = [key for key in KEYS if key.path == path]
    shown = f"{key.default:g}" if isinstance(key.default, float) else str(key.default)
    assert shown == default


@pytest.mark.req("gateway/C1")
def test_the_table_and_the_settings_have_the_same_defaults(tmp_path: Path) -> None:
    settings = load_text(tmp_path, GOOD).settings
    sections: dict[str, Any] = {
        "": settings,
        "registry": settings.registry,
        "discovery": settings.discovery,
        "tls": settings.tls,
        "bundles[]": settings.bundles[0],
    }
    compared = 0
    for key in KEYS:
        holder = sections.get(key.section)
        field = re.sub(r"(?=[A-Z])", "_", key.name).lower()
        if holder is None or field not in {each.name for each in dataclasses.fields(holder)}:
            continue
        if not isinstance(key.default, Missing):
            assert getattr(holder, field) == key.default, key.path
            compared += 1
    assert compared == 27


@pytest.mark.req("decision/D2", "decision/D3")
@pytest.mark.parametrize(
    ("domain", "path", "manifest"),
    [
        ("http://tools:1", "/tool-manifest", "http://tools:1/tool-manifest"),
        ("http://tools:1/", "tool-manifest", "http://tools:1/tool-manifest"),
        ("http://tools:1/base", "/a/b?c", "http://tools:1/base/a/b?c"),
        ("http://tools:1/base/", "a", "http://tools:1/base/a"),
    ],
)
def test_service_domain_and_manifest_path_stand_for_a_manifest_url(
    tmp_path: Path, domain: str, path: str, manifest: str
) -> None:
    text = f"mcp:\n  identity: x\n  bundles:\n    - {{id: a, serviceDomain: '{domain}', manifestPath: '{path}'}}\n"
    (bundle,) = load_text(tmp_path, text).settings.bundles
    assert bundle.manifest == parse_url(manifest)
    assert bundle.endpoints.service_domain == parse_url(domain)


@pytest.mark.req("decision/D2")
def test_without_a_service_domain_relative_endpoints_start_at_the_manifests_origin(tmp_path: Path) -> None:
    (bundle,) = load_text(tmp_path, GOOD).settings.bundles
    assert str(resolve("tools/a", None, bundle.endpoints)) == "http://tool-processing:8080/tools/a"


@pytest.mark.req("decision/D24")
@pytest.mark.parametrize("written", ["fallback.json", "./fallback.json", "file:fallback.json", "file:./fallback.json"])
def test_files_are_relative_to_the_configuration_file(folder: Path, written: str) -> None:
    text = GOOD + f"      fallbackManifestFile: {written}\n"
    (bundle,) = load_text(folder, text, flags=LOCAL).settings.bundles
    assert bundle.fallback_manifest_file == folder / "fallback.json"


@pytest.mark.req("decision/D24")
def test_absolute_files_stay_where_they_are(folder: Path) -> None:
    for written in (f"{folder}/fallback.json", f"file:{folder}/fallback.json", f"file://{folder}/fallback.json"):
        assert faults_of(folder, GOOD + f"      fallbackManifestFile: {written}\n", flags=LOCAL) == []


@pytest.mark.req("gateway/C1")
def test_settings_cannot_be_changed(tmp_path: Path) -> None:
    settings = load_text(tmp_path, GOOD).settings
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.identity = "other"  # type: ignore[misc]  # what the test is about
