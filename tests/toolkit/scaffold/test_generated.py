"""What `axhub new` makes works at once: its own tests pass, linter and type checker are content, the check is."""

import re
from pathlib import Path

import pytest

from support import tree
from support.author import axhub, run

pytestmark = pytest.mark.req("toolkit/T5")


@pytest.fixture(scope="module", params=["en", "ko"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    axhub(folder, "new", "service", "claim-tools", "--lang", request.param)
    for tool, api in (
        ("cmm_claim_search", "claim"),
        ("cmm_import", "claim"),
        ("ins_contract_detail_get", "contract_v2"),
    ):
        axhub(folder / "claim-tools", "new", "tool", tool, "--http", api, "--lang", request.param)
    return folder / "claim-tools"


def test_a_service_without_tools_is_checked_by_pytest_and_passes(tmp_path: Path) -> None:
    axhub(tmp_path, "new", "service", "claim-tools")
    ran = run(tmp_path / "claim-tools", "pytest", "-q", "-W", "error")
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout


def test_each_tool_brings_three_tests_and_all_pass(project: Path) -> None:
    ran = run(project, "pytest", "-q", "-W", "error")
    checks_of_the_plugin = 4
    assert (ran.returncode, f"{3 * 3 + checks_of_the_plugin} passed" in ran.stdout) == (0, True), ran.stdout


def test_the_check_finds_only_what_a_person_must_write(project: Path) -> None:
    said = axhub(project, "check", "--lang", "en")
    found = {line.split(": ")[1].removeprefix("warning ") for line in said.splitlines() if ": warning " in line}
    assert found <= {"TK103", "TK303", "TK901"}
    assert {"TK303", "TK901"} <= found
    assert " error" not in said.splitlines()[0]


def test_the_check_names_the_places_that_the_command_listed_and_no_others(project: Path) -> None:
    listed = axhub(project, "new", "tool", "cmm_import", "--http", "claim", "--lang", "en").splitlines()
    checked = [line for line in axhub(project, "check", "--lang", "en").splitlines() if " TK303: " in line]
    to_write = re.compile(r" *(src/[^:]*import[^:]*:[0-9]+):")
    placed, told = ([found[1] for line in lines if (found := to_write.match(line))] for lines in (listed, checked))
    assert placed
    assert sorted(told) == sorted(placed)


def test_linter_and_formatter_have_nothing_to_say(project: Path) -> None:
    rules = "F,E,W,I,UP,B,N,SIM,PL,RUF"
    ran = run(
        project, "ruff", "check", "--isolated", "--line-length=120", f"--select={rules}", "--ignore=RUF001,PLR2004", "."
    )
    assert ran.returncode == 0, ran.stdout
    ran = run(project, "ruff", "format", "--isolated", "--line-length=120", "--diff", ".")
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("project", ["en"], indirect=True)
def test_the_type_checker_has_nothing_to_say(project: Path) -> None:
    cache = f"--cache-dir={tree.ROOT / '.mypy_cache' / 'generated'}"  # other options than ours would spoil our cache
    ran = run(project / "src", "mypy", "--strict", "--config-file=", cache, "--package", "claim_tools")
    assert ran.returncode == 0, ran.stdout
