"""What `make conformance` makes of the suite's results, and what is pinned."""

import json
from pathlib import Path

import pytest
import yaml

from tools.conformance import run, servers
from tools.conformance.fixture_tools import BUNDLE, manifest, respond
from tools.conformance.lock import without_addresses
from tools.conformance.results import Check, expected_failures, read_checks, scenario_of, summarise

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tools" / "conformance"
LOCKS = (FOLDER, ROOT / "tests" / "upstreams" / "node")
BASELINES = sorted(FOLDER.glob("baseline-*.yml"))
GOOD = Check("tools-list", "tools-list", "SUCCESS", "")
BAD = Check("caching", "hints", "FAILURE", "no hints")
WARNED = Check("ping", "ping", "WARNING", "slow")


def test_a_failure_that_no_baseline_expects_is_unexpected() -> None:
    found = summarise([GOOD, BAD], frozenset())
    assert (found.counts["SUCCESS"], found.expected, found.unexpected) == (1, 0, (BAD,))


@pytest.mark.parametrize("entry", ["caching", "caching:hints"])
def test_a_baseline_expects_a_whole_scenario_or_one_check(entry: str) -> None:
    found = summarise([GOOD, BAD], frozenset({entry}))
    assert (found.expected, found.unexpected) == (1, ())


def test_a_warning_counts_as_failing() -> None:
    assert summarise([WARNED], frozenset()).unexpected == (WARNED,)


def test_another_check_of_the_same_scenario_is_still_unexpected() -> None:
    assert summarise([BAD], frozenset({"caching:other"})).unexpected == (BAD,)


def test_entries_are_read_without_their_reasons() -> None:
    text = "# head\nserver:\n  # why\n  - prompts-list\n  - 'caching:hints'  # because\n"
    assert expected_failures(text) == {"prompts-list", "caching:hints"}


@pytest.mark.parametrize(
    ("folder", "scenario"),
    [
        ("server-tools-list-2026-11-30T11-45-12-123Z", "tools-list"),
        ("server-server-stateless-2026-11-30T11-45-12-123Z", "server-stateless"),
        ("server-json-schema-2020-12-2026-11-30T11-45-12-123Z", "json-schema-2020-12"),
        ("server-ping", "ping"),
    ],
)
def test_a_scenario_is_read_from_the_name_of_its_folder(folder: str, scenario: str) -> None:
    assert scenario_of(folder) == scenario


def test_checks_are_read_from_every_folder(tmp_path: Path) -> None:
    for name, status in (("ping", "SUCCESS"), ("caching", "FAILURE")):
        folder = tmp_path / f"server-{name}-2026-11-30T11-45-12-123Z"
        folder.mkdir()
        check = {"id": name, "status": status, **({"errorMessage": "bad"} if status == "FAILURE" else {})}
        (folder / "checks.json").write_text(json.dumps([check]), encoding="utf-8")
    assert read_checks(tmp_path) == [
        Check("caching", "caching", "FAILURE", "bad"),
        Check("ping", "ping", "SUCCESS", ""),
    ]


@pytest.mark.parametrize("baseline", BASELINES, ids=lambda path: path.stem)
def test_every_entry_of_a_baseline_stands_below_a_reason(baseline: Path) -> None:
    reason = False
    for line in baseline.read_text(encoding="utf-8").partition("server:\n")[2].splitlines():
        assert line.startswith(("  # ", "  - "))
        reason = reason or line.startswith("  # ")
        assert reason


def test_there_is_a_baseline_for_each_revision_that_the_suite_knows_and_each_thing_behind_the_gateway() -> None:
    expected = {file.format(revision) for file in run.BASELINES.values() for revision in run.REVISIONS}
    assert {path.name for path in BASELINES} == expected
    assert set(run.REVISIONS) == {"2025-06-18", "2025-11-25", "2026-07-28"}


@pytest.mark.parametrize("revision", run.REVISIONS)
def test_with_an_mcp_server_behind_it_less_is_expected_to_fail(revision: str) -> None:
    service, mcp = (
        expected_failures((FOLDER / file.format(revision)).read_text(encoding="utf-8"))
        for file in (run.BASELINES[servers.TOOL_SERVICE], run.BASELINES[servers.MCP])
    )
    assert mcp < service
    assert not any(
        entry.startswith(("tools-call-image", "tools-call-with-progress", "server-stateless")) for entry in mcp
    )
    assert {entry for entry in mcp if "input-required" in entry} <= {"input-required-result-non-tool-request"}


@pytest.mark.parametrize(
    "scenario",
    [
        "http-header-validation",
        "http-custom-header-server-validation",
        "json-schema-2020-12",
        "dns-rebinding-protection",
        "tools-list",
        "tools-call-simple-text",
        "tools-call-error",
        "server-initialize",
        "server-session-lifecycle",
        "ping",
        "server-stateless",
        "caching",
    ],
)
@pytest.mark.parametrize("baseline", BASELINES, ids=lambda path: path.stem)
def test_what_must_be_fully_reached_is_in_no_baseline(baseline: Path, scenario: str) -> None:
    assert scenario not in expected_failures(baseline.read_text(encoding="utf-8"))


def test_only_the_checks_on_undeclared_capabilities_are_left_out_of_the_stateless_scenario() -> None:
    entries = expected_failures((FOLDER / "baseline-2026-07-28.yml").read_text(encoding="utf-8"))
    assert {entry for entry in entries if entry.startswith("server-stateless:")} == {
        "server-stateless:sep-2575-server-rejects-undeclared-capability",
        "server-stateless:sep-2575-missing-capability-http-400",
    }


@pytest.mark.parametrize("folder", LOCKS, ids=lambda path: path.name)
def test_a_lock_pins_every_package_by_hash_and_names_no_host(folder: Path) -> None:
    text = (folder / "package-lock.json").read_text(encoding="utf-8")
    lock, asked = json.loads(text), json.loads((folder / "package.json").read_text(encoding="utf-8"))
    assert "://" not in text
    assert lock["packages"].pop("")["dependencies"] == asked["dependencies"]
    assert all(version[0].isdigit() for version in asked["dependencies"].values())
    assert all(package["integrity"].startswith("sha512-") for package in lock["packages"].values())
    assert not any(package.get("hasInstallScript") for package in lock["packages"].values())
    assert lock == without_addresses(lock) | {"packages": lock["packages"]}


def test_addresses_are_taken_out_of_a_lock() -> None:
    package = {"version": "1", "integrity": "sha512-x", "resolved": "a://b", "funding": {"url": "a://b"}}
    found = without_addresses({"lockfileVersion": 3, "packages": {"node_modules/a": package}})
    assert found == {"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1", "integrity": "sha512-x"}}}


def test_the_fixture_serves_each_tool_of_its_manifest() -> None:
    tools = manifest()["tools"]
    answers = {tool["name"]: respond("POST", tool["endpoint"]) for tool in tools}
    assert answers.pop("test_error_handling").status == 400
    assert {answer.status for answer in answers.values()} == {200}
    assert json.loads(respond("GET", "/manifest").body) == manifest()


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/tools/test_simple_text"), ("POST", "/tools/other"), ("POST", "/")]
)
def test_the_fixture_refuses_everything_else(method: str, path: str) -> None:
    assert respond(method, path).status == 404


def test_what_a_server_that_is_not_ours_fails_is_counted_and_fails_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run.counted("sdk", "2026-07-28", summarise([GOOD, BAD, WARNED], frozenset()))
    assert outcome == run.Outcome(as_expected=True, passed=0, failed=0, skipped=0)
    assert capsys.readouterr().out == (
        "sdk, 2026-07-28: 1 checks passed, 2 failed, 0 not applicable (for comparison)\n"
    )


def test_a_server_that_passes_nothing_was_not_there_and_that_is_no_comparison() -> None:
    assert not run.counted("sdk", "2026-07-28", summarise([BAD], frozenset())).as_expected


@pytest.mark.parametrize(("code", "found"), [(0, [GOOD]), (1, [GOOD]), (0, [GOOD, BAD]), (0, [])])
def test_a_revision_is_as_expected_if_the_suite_says_so_and_nothing_else_fails(code: int, found: list[Check]) -> None:
    outcome = run.judged("mcp", "2026-07-28", summarise(found, frozenset()), code)
    assert outcome.as_expected == (code == 0 and found == [GOOD])
    assert (outcome.failed == 0) == outcome.as_expected


def test_the_configuration_names_the_mcp_server_as_a_bundle_that_speaks_mcp() -> None:
    bundle = yaml.safe_load(servers.configuration(servers.MCP, 7))["mcp"]["bundles"][0]
    assert bundle == {"id": BUNDLE, "protocol": "mcp", "manifestUrl": "http://127.0.0.1:7/mcp"}
    bundle = yaml.safe_load(servers.configuration(servers.TOOL_SERVICE, 7))["mcp"]["bundles"][0]
    assert bundle == {"id": BUNDLE, "manifestUrl": "http://127.0.0.1:7/manifest"}
