"""Environment over file, lists by index."""

from pathlib import Path

import pytest

from axhub.gateway.config.keys import KEYS, TABLE
from support.configs import GOOD, LOCAL, faults_of, load_text

TWO = GOOD + "    - id: second\n      manifestUrl: http://second/m\n"


@pytest.mark.req("gateway/C1")
def test_a_variable_replaces_what_the_file_says(tmp_path: Path) -> None:
    environ = {
        "AXHUB_MCP__IDENTITY": "다른 이름",
        "AXHUB_MCP__DISCOVERY__READTIMEOUTMILLIS": "4000",
        "AXHUB_MCP__REGISTRY__REFRESHINTERVALSECONDS": "0.5",
        "AXHUB_MCP__DISCOVERY__CONDITIONALREQUESTS": "true",
        "AXHUB_MCP__BUNDLES__0__MANIFESTURL": "http://elsewhere/m",
    }
    settings = load_text(tmp_path, GOOD, environ).settings
    assert settings.identity == "다른 이름"
    assert settings.discovery.read_timeout_millis == 4000
    assert settings.registry.refresh_interval_seconds == 0.5
    assert settings.discovery.conditional_requests is True
    assert str(settings.bundles[0].manifest) == "http://elsewhere:80/m"


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("written", ["${NOPE}", "[1]", "abc", "!x 1"])
def test_a_variable_stands_for_a_value_that_could_not_be_used(tmp_path: Path, written: str) -> None:
    text = GOOD + f"  maxConnections: {written}\n"
    assert load_text(tmp_path, text, {"AXHUB_MCP__MAXCONNECTIONS": "5"}).settings.max_connections == 5


@pytest.mark.req("gateway/C1")
def test_variables_add_items_to_lists(tmp_path: Path) -> None:
    environ = {
        "AXHUB_MCP__BUNDLES__1__ID": "second",
        "AXHUB_MCP__BUNDLES__1__MANIFESTURL": "http://second/m",
        "AXHUB_MCP__BUNDLES__1__ALLOWEDENDPOINTORIGINS__0": "http://third:1",
        "AXHUB_MCP__BUNDLES__1__ALLOWEDENDPOINTORIGINS__1": "*",
        "AXHUB_MCP__ALLOWEDHOSTS__0": "a",
        "AXHUB_MCP__ALLOWEDHOSTS__1": "b",
    }
    settings = load_text(tmp_path, GOOD + "  allowedHosts: [x]\n", environ).settings
    assert [bundle.id for bundle in settings.bundles] == ["insurance-processing", "second"]
    assert {str(origin) for origin in settings.bundles[1].endpoints.declared} == {"http://second:80", "http://third:1"}
    assert settings.bundles[1].endpoints.any_origin
    assert settings.allowed_hosts == ("a", "b")


@pytest.mark.req("gateway/C1")
def test_all_bundles_can_come_from_the_environment(tmp_path: Path) -> None:
    environ = {"AXHUB_MCP__BUNDLES__0__ID": "a", "AXHUB_MCP__BUNDLES__0__MANIFESTURL": "http://a/m"}
    assert [bundle.id for bundle in load_text(tmp_path, "mcp:\n  identity: x\n", environ).settings.bundles] == ["a"]


@pytest.mark.req("gateway/C1")
def test_a_bundle_from_the_environment_is_checked_like_any_other(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, GOOD, {"AXHUB_MCP__BUNDLES__1__MANIFESTURL": "http://a/m"})
    assert str(fault.place) == "environment AXHUB_MCP__BUNDLES__1__MANIFESTURL"
    assert fault.key == "mcp.bundles[1].id"


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("AXHUB_MCP__DISCOVERY__READTIMEOUTMILIS", "AXHUB_MCP__DISCOVERY__READTIMEOUTMILLIS (the nearest variable)"),
        ("AXHUB_MCP__DISCOVERY__READ_TIMEOUT_MILLIS", "AXHUB_MCP__DISCOVERY__READTIMEOUTMILLIS (the nearest variable)"),
        ("AXHUB_MCP__BUNDLES__1__MANIFEST_URL", "AXHUB_MCP__BUNDLES__1__MANIFESTURL (the nearest variable)"),
        ("AXHUB_MCP__ALLOWEDHOSTS", "AXHUB_MCP__ALLOWEDHOSTS__0 (the nearest variable)"),
        ("AXHUB_MCP__BUNDLES__00__ID", "AXHUB_MCP__BUNDLES__0__ID (the nearest variable)"),
        ("AXHUB_MCP__IDENTITY__0", "AXHUB_MCP__IDENTITY (the nearest variable)"),
        ("AXHUB_MCP__QQQQQQ", "AXHUB_MCP__… with the path of a key of mcp, such as AXHUB_MCP__DISCOVERY__ENABLED"),
        ("AXHUB_MCP__", "AXHUB_MCP__… with the path of a key of mcp, such as AXHUB_MCP__DISCOVERY__ENABLED"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_right_one(tmp_path: Path, name: str, mend: str) -> None:
    (fault,) = faults_of(tmp_path, TWO, {name: "1"})
    assert (str(fault.place), fault.key) == (f"environment {name}", "")
    assert (fault.found, fault.allowed) == ("an unknown variable", mend)


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("name", ["AXHUB_MCP_PORT", "AXHUB_MCP_SERVICE_HOST", "AXHUB_TOOLS_PORT", "MCP__IDENTITY"])
def test_other_variables_are_nobodys_business(tmp_path: Path, name: str) -> None:
    # Kubernetes sets AXHUB_MCP_PORT and its like in every pod beside a Service that is called axhub-mcp.
    assert faults_of(tmp_path, GOOD, {name: "tcp://10.0.0.1:80"}) == []


@pytest.mark.req("gateway/C1")
def test_an_index_that_leaves_a_gap_is_refused(tmp_path: Path) -> None:
    environ = {"AXHUB_MCP__BUNDLES__3__ID": "x", "AXHUB_MCP__BUNDLES__3__ALLOWEDENDPOINTORIGINS__0": "http://x"}
    assert {(fault.found, fault.allowed) for fault in faults_of(tmp_path, GOOD, environ)} == {
        ("index 3 of a list of 1 item", "the next index, 1")
    }
    nested = {"AXHUB_MCP__BUNDLES__0__PUBLICERRORFIELDS__2": "x"}
    (fault,) = faults_of(tmp_path, GOOD, nested)
    assert (fault.key, fault.found) == ("mcp.bundles[0].publicErrorFields[2]", "index 2 of a list of 0 items")


@pytest.mark.req("gateway/C1")
def test_a_list_that_is_none_in_the_file_is_said_once(tmp_path: Path) -> None:
    text = "mcp:\n  identity: x\n  bundles: text\n"
    faults = faults_of(tmp_path, text, {"AXHUB_MCP__BUNDLES__1__ID": "x", "AXHUB_MCP__BUNDLES__0__ID": "x"})
    assert [(fault.place.line, fault.key) for fault in faults] == [(3, "mcp.bundles")]


@pytest.mark.req("gateway/C1")
def test_two_spellings_of_one_variable_are_refused(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, GOOD, {"AXHUB_MCP__IDENTITY": "a", "AXHUB_MCP__Identity": "b"})
    assert fault.found == "the key a second time (also as AXHUB_MCP__IDENTITY)"


@pytest.mark.req("gateway/C1")
def test_variables_are_reported_even_when_the_file_cannot_be_read(tmp_path: Path) -> None:
    environ = {"AXHUB_MCP__IDENTITI": "x", "AXHUB_MCP__BUNDLES__7__ID": "x"}
    faults = faults_of(tmp_path, "mcp: {", environ)
    assert [str(fault.place).removeprefix(str(tmp_path)) for fault in faults] == [
        "/gateway.yaml:1",
        "environment AXHUB_MCP__IDENTITI",
    ]


@pytest.mark.req("gateway/C1")
def test_an_empty_variable_takes_an_optional_key_away_and_is_no_number(tmp_path: Path) -> None:
    text = GOOD + "      baseEndpoint: http://x/mcp\n      namePrefix: a_\n"
    environ = {"AXHUB_MCP__BUNDLES__0__BASEENDPOINT": "", "AXHUB_MCP__BUNDLES__0__NAMEPREFIX": ""}
    (bundle,) = load_text(tmp_path, text, environ).settings.bundles
    assert (bundle.endpoints.base_endpoint, bundle.name_prefix) == (None, "")
    (fault,) = faults_of(tmp_path, text, {"AXHUB_MCP__MAXCONNECTIONS": ""})
    assert (fault.key, fault.found) == ("mcp.maxConnections", "nothing")


@pytest.mark.req("gateway/C1")
@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_every_key_has_a_variable_that_reaches_it(tmp_path: Path, key: object) -> None:
    path = getattr(key, "path", "").replace("[]", "[0]") + ("[0]" if getattr(key, "many", False) else "")
    faults = faults_of(tmp_path, GOOD, {TABLE.variable(path): "\x07"}, LOCAL)
    assert f"mcp.{path}" in {fault.key for fault in faults}
