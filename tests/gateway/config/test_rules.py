"""What must hold between keys."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from axhub.configuration.faults import Fault
from axhub.gateway.config.flags import Flags
from support.configs import GOOD, LOCAL, faults_of, load_text, seen

PEM = Path(__file__).parent / "pem"


def _bundles(*bundles: str, more: str = "") -> str:
    items = "".join(f"    - {{{bundle}}}\n" for bundle in bundles)
    return f"mcp:\n  identity: x\n  bundles:\n{items}{more}"


def _only(folder: Path, text: str, flags: Flags | None = None, environ: Mapping[str, str] | None = None) -> Fault:
    (fault,) = faults_of(folder, text, environ, flags)
    return fault


@pytest.mark.req("gateway/C2")
@pytest.mark.parametrize(("bundles", "line"), [("", 1), ("  bundles: []\n", 3), ("  bundles:\n", 1)])
def test_discovery_without_bundles_is_refused(tmp_path: Path, bundles: str, line: int) -> None:
    fault = _only(tmp_path, f"mcp:\n  identity: x\n{bundles}")
    assert (fault.place.line, fault.key, fault.found) == (line, "mcp.bundles", "no bundle")


@pytest.mark.req("gateway/C2")
def test_ids_differ(tmp_path: Path) -> None:
    text = _bundles(*(f"id: {bundle_id}, manifestUrl: 'http://x/m'" for bundle_id in ("보험", "b", "보험")))
    fault = _only(tmp_path, text)
    assert (fault.place.line, fault.key) == (6, "mcp.bundles[2].id")
    assert fault.found == '"보험", the id of bundles[0] too'


@pytest.mark.req("gateway/C2", "decision/D23")
@pytest.mark.parametrize(
    ("prefixes", "keys"),
    [
        (("a_", "b_"), []),
        (("", ""), []),
        (("", "a_", ""), []),
        (("a_", "a_"), ["mcp.bundles[1].namePrefix"]),
        (("a.", "a.b."), ["mcp.bundles[1].namePrefix"]),
        (("a.b.", "a."), ["mcp.bundles[1].namePrefix"]),
        (("a_", "ab_"), []),
        (("a_", "b_", "a_b"), ["mcp.bundles[2].namePrefix"]),
    ],
)
def test_no_prefix_is_the_beginning_of_another(tmp_path: Path, prefixes: tuple[str, ...], keys: list[str]) -> None:
    bundles = (f"id: i{n}, manifestUrl: 'http://x/m', namePrefix: '{p}'" for n, p in enumerate(prefixes))
    assert [fault.key for fault in faults_of(tmp_path, _bundles(*bundles))] == keys


@pytest.mark.req("gateway/C2")
def test_a_disabled_bundle_counts_too(tmp_path: Path) -> None:
    text = _bundles("id: a, manifestUrl: 'http://x/m'", "id: a, manifestUrl: 'http://x/m', enabled: false")
    assert _only(tmp_path, text).key == "mcp.bundles[1].id"


@pytest.mark.req("gateway/C2", "threat/T32")
@pytest.mark.parametrize("profile", [None, "production", "ocp", "Local", "LOCAL", "local2"])
def test_a_fallback_file_is_for_the_profile_local_only(tmp_path: Path, profile: str | None) -> None:
    (tmp_path / "f.json").write_text("{}")
    text = GOOD + "      fallbackManifestFile: f.json\n"
    fault = _only(tmp_path, text, Flags(profile=profile))
    assert (fault.place.line, fault.key) == (6, "mcp.bundles[0].fallbackManifestFile")
    assert f'the profile is "{profile or "production"}"' in fault.found
    assert faults_of(tmp_path, text, flags=LOCAL) == []


@pytest.mark.req("gateway/C2")
def test_discovery_is_switched_off_in_the_profile_local_only(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text("{}")
    text = GOOD + "  discovery: {enabled: false}\n  registry: {localFile: f.json}\n"
    fault = _only(tmp_path, text)
    assert (fault.place.line, fault.key) == (6, "mcp.discovery.enabled")
    assert fault.allowed == "true, or --profile local"


@pytest.mark.req("gateway/C3")
def test_a_local_file_stands_with_and_only_with_discovery_switched_off(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text("{}")
    without = _only(tmp_path, GOOD + "  discovery: {enabled: false}\n", LOCAL)
    assert (without.key, without.found) == ("mcp.registry.localFile", "nothing while discovery.enabled is false")
    besides = _only(tmp_path, GOOD + "  registry: {localFile: f.json}\n", LOCAL)
    assert (besides.key, besides.found) == ("mcp.registry.localFile", "a local file while discovery.enabled is true")


@pytest.mark.req("gateway/C1")
def test_nothing_is_derived_from_a_switch_that_cannot_be_understood(tmp_path: Path) -> None:
    (tmp_path / "f.json").write_text("{}")
    text = "mcp:\n  identity: x\n  discovery: {enabled: nein}\n  registry: {localFile: f.json}\n"
    assert _only(tmp_path, text).key == "mcp.discovery.enabled"


@pytest.mark.req("gateway/C2", "decision/D3")
@pytest.mark.parametrize(
    ("address", "key", "found"),
    [
        ("", "manifestUrl", "nothing that says where the manifest is"),
        ("serviceDomain: 'http://x'", "manifestPath", "nothing beside serviceDomain"),
        ("manifestPath: /m", "serviceDomain", "nothing beside manifestPath"),
        ("manifestUrl: 'http://x/m', manifestPath: /m", "manifestPath", "manifestPath beside manifestUrl"),
        ("manifestUrl: 'http://x/m', serviceDomain: 'http://x', manifestPath: /m", "manifestPath", None),
        ("manifestUrl: 'http://x/m', serviceDomain: 'http://x'", None, None),
        ("serviceDomain: 'http://x', manifestPath: /m", None, None),
    ],
)
def test_a_bundle_has_one_address(tmp_path: Path, address: str, key: str | None, found: str | None) -> None:
    faults = faults_of(tmp_path, _bundles(f"id: a, {address}"))
    assert [fault.key for fault in faults] == ([f"mcp.bundles[0].{key}"] if key else [])
    assert found is None or faults[0].found == found


MCP = "id: a, manifestUrl: 'http://x/mcp', protocol: mcp"


@pytest.mark.req("gateway/P11", "gateway/C2")
@pytest.mark.parametrize(
    ("bundle", "key", "found", "allowed"),
    [
        (MCP, None, None, None),
        (f"{MCP}, namePrefix: a_", None, None, None),
        (f"{MCP}, namePrefix: a_, addPrefix: true", None, None, None),
        (f"{MCP}, addPrefix: false", None, None, None),
        (
            f"{MCP}, serviceDomain: 'http://x'",
            "serviceDomain",
            "serviceDomain beside protocol: mcp",
            "no such key: lists and calls go to manifestUrl",
        ),
        (
            f"{MCP}, allowedEndpointOrigins: ['http://x']",
            "allowedEndpointOrigins",
            "allowedEndpointOrigins beside protocol: mcp",
            "no such key: lists and calls go to manifestUrl",
        ),
        (
            f"{MCP}, baseEndpoint: 'http://x/y'",
            "baseEndpoint",
            "baseEndpoint beside protocol: mcp",
            "no such key: lists and calls go to manifestUrl",
        ),
        (
            f"{MCP}, manifestPath: /mcp",
            "manifestPath",
            "manifestPath beside protocol: mcp",
            "no such key: lists and calls go to manifestUrl",
        ),
        (f"{MCP}, addPrefix: true", "addPrefix", "true without a namePrefix", "false, or a namePrefix beside it"),
        (f"{MCP}, addPrefix: true, namePrefix: ''", "addPrefix", "true without a namePrefix", None),
        (
            "id: a, manifestUrl: 'http://x/m', addPrefix: true, namePrefix: a_",
            "addPrefix",
            "true for a Tool Service, whose own manifest has the names",
            "false, or protocol: mcp",
        ),
    ],
)
def test_an_mcp_server_has_one_address_and_only_its_tools_get_a_prefix(
    tmp_path: Path, bundle: str, key: str | None, found: str | None, allowed: str | None
) -> None:
    faults = faults_of(tmp_path, _bundles("id: z, manifestUrl: 'http://z/m'", bundle))
    assert [fault.key for fault in faults] == ([f"mcp.bundles[1].{key}"] if key else [])
    for fault in faults:
        assert (fault.place.line, fault.found) == (5, found)
        assert allowed is None or fault.allowed == allowed


@pytest.mark.req("gateway/P11", "gateway/C2")
def test_each_fault_of_an_mcp_server_is_found_in_the_lines_of_its_keys(tmp_path: Path) -> None:
    text = GOOD + "      protocol: mcp\n      addPrefix: true\n      baseEndpoint: http://x/y\n"
    assert seen(faults_of(tmp_path, text)) == [(7, "mcp.bundles[0].addPrefix"), (8, "mcp.bundles[0].baseEndpoint")]


@pytest.mark.req("gateway/P11", "gateway/C1")
def test_what_cannot_be_understood_has_no_further_faults(tmp_path: Path) -> None:
    text = GOOD + "      protocol: grpc\n      addPrefix: true\n      namePrefix: a_\n      baseEndpoint: http://x/y\n"
    assert seen(faults_of(tmp_path, text)) == [(6, "mcp.bundles[0].protocol")]
    text = GOOD + "      protocol: mcp\n      addPrefix: true\n      namePrefix: 접두사\n"
    assert seen(faults_of(tmp_path, text)) == [(8, "mcp.bundles[0].namePrefix")]


@pytest.mark.req("gateway/C2", "input/B23", "input/B24")
@pytest.mark.parametrize("key", ["manifestUrl", "serviceDomain", "baseEndpoint"])
@pytest.mark.parametrize(
    "url", ["ftp://x/m", "file:///etc/passwd", "http:///m", "http://u:geheim@x/m", "http://x/m#f", "x/m", "http://x\\y"]
)
def test_an_address_that_is_no_plain_http_url_is_refused(tmp_path: Path, key: str, url: str) -> None:
    bundle = {"manifestUrl": "http://x/m"} | {key: url}
    fault = _only(tmp_path, _bundles("id: a, " + ", ".join(f"{k}: '{v}'" for k, v in bundle.items())))
    assert fault.key == f"mcp.bundles[0].{key}"
    assert "geheim" not in str(fault)


@pytest.mark.req("gateway/C2")
def test_a_missing_fallback_file_is_refused_as_it_was_written(tmp_path: Path) -> None:
    fault = _only(tmp_path, GOOD + "      fallbackManifestFile: file:./없다.json\n", LOCAL)
    assert fault.found == '"./없다.json": there is no such file'


@pytest.mark.req("gateway/C2")
def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pem").mkdir()
    fault = _only(tmp_path, GOOD + "  tls: {caFile: pem}\n")
    assert (fault.key, fault.found) == ("mcp.tls.caFile", '"pem": it is a folder')


@pytest.mark.req("gateway/C2")
@pytest.mark.parametrize(
    ("tls", "key", "found"),
    [
        ("certFile: pem/cert.pem", "certFile", "no tls.keyFile beside it"),
        ("keyFile: pem/key.pem", "keyFile", "no tls.certFile beside it"),
        ("caFile: pem/key.pem", "caFile", '"pem/key.pem": it holds no certificate in PEM form'),
        ("certFile: pem/key.pem, keyFile: pem/cert.pem", "certFile", None),
        ("certFile: pem/cert.pem, keyFile: pem/locked-key.pem", "certFile", None),
        ("certFile: pem/cert.pem, keyFile: pem/missing.pem", "keyFile", '"pem/missing.pem": there is no such file'),
        ("caFile: pem/cert.pem, certFile: pem/cert.pem, keyFile: pem/key.pem", None, None),
    ],
)
def test_certificates_and_keys_can_be_used(tmp_path: Path, tls: str, key: str | None, found: str | None) -> None:
    (tmp_path / "pem").symlink_to(PEM)
    faults = faults_of(tmp_path, GOOD + f"  tls: {{{tls}}}\n")
    assert [fault.key for fault in faults] == ([f"mcp.tls.{key}"] if key else [])
    assert found is None or faults[0].found == found


WARNED = """\
mcp:
  identity: x
  bundles:
    - id: a
      manifestUrl: http://10.0.0.1:8080/m
      namePrefix: a.
      allowedEndpointOrigins: ["*", "http://[::1]:1"]
      forwardAuthorization: true
"""


@pytest.mark.req("gateway/C2", "decision/D1", "decision/D4", "decision/D13")
def test_what_is_risky_is_warned_of_with_its_place(tmp_path: Path) -> None:
    warnings = load_text(tmp_path, WARNED).warnings
    assert [warning.removeprefix(f"{tmp_path}/").split("  ")[:2] for warning in warnings] == [
        ["gateway.yaml:5", "mcp.bundles[0].manifestUrl"],
        ["gateway.yaml:6", "mcp.bundles[0].namePrefix"],
        ["gateway.yaml:7", "mcp.bundles[0].allowedEndpointOrigins"],
        ["gateway.yaml:7", "mcp.bundles[0].allowedEndpointOrigins[1]"],
        ["gateway.yaml:8", "mcp.bundles[0].forwardAuthorization"],
    ]


@pytest.mark.req("gateway/C2")
def test_an_address_in_numbers_is_warned_of_outside_local_only(tmp_path: Path) -> None:
    assert len(load_text(tmp_path, WARNED, flags=LOCAL).warnings) == 3


@pytest.mark.req("gateway/C2")
def test_a_plain_configuration_has_no_warnings(tmp_path: Path) -> None:
    text = GOOD + "      namePrefix: processing_\n      allowedEndpointOrigins: ['http://other:1']\n"
    assert load_text(tmp_path, text).warnings == ()


@pytest.mark.req("decision/D4")
@pytest.mark.parametrize("prefix", ["processing.", "team/processing_"])
def test_a_prefix_that_model_providers_refuse_is_warned_of(tmp_path: Path, prefix: str) -> None:
    (warning,) = load_text(tmp_path, GOOD + f"      namePrefix: {prefix}\n").warnings
    assert "model providers refuse" in warning


@pytest.mark.req("gateway/C2")
def test_lists_of_bundles_keep_their_lines(tmp_path: Path) -> None:
    text = "mcp:\n  identity: x\n  bundles:\n    - manifestUrl: http://x/m\n      id: a\n"
    text += "    - manifestUrl: 5\n      id: b\n"
    assert seen(faults_of(tmp_path, text)) == [(6, "mcp.bundles[1].manifestUrl")]
