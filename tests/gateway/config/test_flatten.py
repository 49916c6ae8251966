"""Unknown keys, repeated keys, wrong shapes."""

from pathlib import Path

import pytest

from support.configs import GOOD, faults_of, load_text, seen


@pytest.mark.req("gateway/C1", "threat/T32")
@pytest.mark.parametrize(
    ("line", "key", "allowed"),
    [
        ("  identityy: x", "mcp.identityy", "identity (the nearest key)"),
        ("  Identity: x", "mcp.Identity", "identity (the nearest key)"),
        ("  discovery: {readTimeoutMilis: 1}", "mcp.discovery.readTimeoutMilis", "readTimeoutMillis (the nearest key)"),
        ("      namePrefx: x", "mcp.bundles[0].namePrefx", "namePrefix (the nearest key)"),
        ("  readTimeoutMillis: 1", "mcp.readTimeoutMillis", "mcp.discovery.readTimeoutMillis (the key of this name)"),
        ("  pagesize: 5", "mcp.pagesize", "pageSize (the nearest key)"),
        ("  redis: {Url: x}", "mcp.redis.Url", "url (the nearest key, not available yet)"),
        ("  redis: {qqqqq: 1}", "mcp.redis.qqqqq", "nothing yet: leave the section out"),
        ("  tls: {qqqqq: 1}", "mcp.tls.qqqqq", "one of caFile, certFile, keyFile"),
        ("  discovery.enabled: true", "mcp.discovery.enabled", "discovery (the nearest key)"),
        ("  보안: 1", "mcp.보안", None),
        ("  1: 1", "mcp.1", None),
        ("  ? [a]\n  : 1", "mcp.?", None),
        ("  <<: {a: b}", "mcp.<<", "keys written out"),
        ('  "a\\nb": 1', "mcp.a\\nb", None),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_right_one(
    tmp_path: Path, line: str, key: str, allowed: str | None
) -> None:
    (fault,) = faults_of(tmp_path, GOOD + line + "\n")
    assert (fault.place.line, fault.key) == (6, key)
    if allowed is not None:
        assert fault.allowed == allowed


@pytest.mark.req("gateway/C2")
def test_a_key_that_stands_twice_is_refused_at_every_level(tmp_path: Path) -> None:
    text = """\
mcp:
  identity: a
  identity: b
  discovery:
    enabled: true
    enabled: true
  bundles:
    - id: x
      manifestUrl: http://x/m
      id: y
mcp: {}
"""
    faults = faults_of(tmp_path, text)
    assert seen(faults) == [
        (3, "mcp.identity"),
        (6, "mcp.discovery.enabled"),
        (10, "mcp.bundles[0].id"),
        (11, "mcp"),
    ]
    assert faults[0].found == "the key a second time (first on line 2)"


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("line", "key", "found"),
    [
        ("  discovery: 5", "mcp.discovery", "5"),
        ("  discovery: [1]", "mcp.discovery", "a list"),
        ("  redis: 5", "mcp.redis", "5"),
        ("  maxConnections: [1]", "mcp.maxConnections", "a list"),
        ("  maxConnections: {a: 1}", "mcp.maxConnections", "a section"),
        ("  allowedHosts: a", "mcp.allowedHosts", '"a"'),
        ("  allowedHosts: {a: 1}", "mcp.allowedHosts", "a section"),
        ("  allowedHosts: [[a]]", "mcp.allowedHosts[0]", "a list"),
        ("  allowedHosts: [~]", "mcp.allowedHosts[0]", "nothing"),
        ("  allowedOrigins: ['']", "mcp.allowedOrigins[0]", '"": an empty text'),
        ("    - text", "mcp.bundles[1]", '"text"'),
        ("    -", "mcp.bundles[1]", "nothing"),
        ("    - [a]", "mcp.bundles[1]", "a list"),
        ("  maxConnections:", "mcp.maxConnections", "nothing"),
        ("  maxConnections: ''", "mcp.maxConnections", '""'),
        ("      enabled: 'true'", "mcp.bundles[0].enabled", '"true" (text, since it stands in quotes)'),
    ],
)
def test_a_wrong_shape_is_refused(tmp_path: Path, line: str, key: str, found: str) -> None:
    (fault,) = faults_of(tmp_path, GOOD + line + "\n")
    assert (fault.place.line, fault.key, fault.found) == (6, key, found)


@pytest.mark.req("gateway/C1", "threat/T35")
@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("  maxConnections: !!int 5", "mcp.maxConnections"),
        ("  tls: !own {}", "mcp.tls"),
        ("  allowedHosts: !!set [a]", "mcp.allowedHosts"),
        ("  allowedHosts: [!!python/name:os.abort '']", "mcp.allowedHosts[0]"),
        ("    - !x {}", "mcp.bundles[1]"),
    ],
)
def test_yaml_tags_are_refused(tmp_path: Path, line: str, key: str) -> None:
    (fault,) = faults_of(tmp_path, GOOD + line + "\n")
    assert (fault.place.line, fault.key) == (6, key)
    assert fault.found.startswith("the YAML tag ")


@pytest.mark.req("gateway/C1")
def test_empty_sections_and_lists_are_as_if_left_out(tmp_path: Path) -> None:
    text = GOOD + "  discovery:\n  tls: ~\n  allowedHosts:\n  allowedOrigins:\n  redis: {}\n  pageSize:\n"
    settings = load_text(tmp_path, text).settings
    assert settings.allowed_origins is None
    assert load_text(tmp_path, GOOD + "  allowedOrigins: []\n").settings.allowed_origins == ()


@pytest.mark.req("gateway/C1")
def test_other_top_level_sections_are_ignored(tmp_path: Path) -> None:
    text = "spring: {a: !x 1, a: 2}\n" + GOOD + "logging:\n  level: ${NOPE}\n"
    assert load_text(tmp_path, text).settings.identity == "mcp-insurance-core"


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "an empty file"),
        ("text", '"text"'),
        ("- mcp", "a list"),
        ("other: 1", "no section mcp:"),
        ("mpc:\n  identity: x", "no section mcp:, but mpc:"),
        ("MCP:\n  identity: x", "no section mcp:, but MCP:"),
    ],
)
def test_a_file_without_our_section_is_refused(tmp_path: Path, text: str, found: str) -> None:
    (fault,) = faults_of(tmp_path, text)
    assert (fault.found, fault.allowed) == (found, "a section mcp:")


@pytest.mark.req("gateway/C1")
def test_missing_required_keys_are_refused_where_they_should_be(tmp_path: Path) -> None:
    faults = faults_of(tmp_path, "mcp:\n  bundles:\n    - manifestUrl: http://x/m\n    - {}\n")
    assert seen(faults) == [
        (1, "mcp.identity"),
        (3, "mcp.bundles[0].id"),
        (4, "mcp.bundles[1].id"),
        (4, "mcp.bundles[1].manifestUrl"),
    ]
    assert faults[0].found == "nothing: the key is missing"
    assert faults[0].allowed == "text (required)"


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("line", ["  redis: {url: 'redis://:geheim@r'}", "  telemetry: {otlpEndpoint: http://x}"])
def test_keys_of_later_versions_are_refused_as_not_yet_available(tmp_path: Path, line: str) -> None:
    (fault,) = faults_of(tmp_path, GOOD + line + "\n")
    assert "not available yet" in str(fault)
    assert "geheim" not in str(fault)


@pytest.mark.req("gateway/C1")
def test_a_protocol_that_is_none_is_refused_with_those_that_are(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, GOOD + "      protocol: MCP\n")
    assert (fault.place.line, fault.key, fault.found) == (6, "mcp.bundles[0].protocol", '"MCP"')
    assert fault.allowed == "tool-service or mcp"


@pytest.mark.req("gateway/C1")
def test_defaults_may_be_written_out(tmp_path: Path) -> None:
    assert faults_of(tmp_path, GOOD + "      protocol: tool-service\n      addPrefix: false\n") == []
