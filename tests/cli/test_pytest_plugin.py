"""pytest in the folder of a Tool Service checks it too, and everywhere else nothing changes."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support import tree
from support.breaks import copy_sample
from support.service_projects import PYPROJECT, write_files

PLUGIN = "axhub.cli.pytest_plugin"
OWN_TEST = "def test_of_its_own():\n    pass\n"


def run_pytest(folder: Path, *words: str, lang: str = "C") -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "--color=no", *words]
    environ = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "LANG": lang, "PYTHONDONTWRITEBYTECODE": "1"}
    environ.pop("PYTEST_ADDOPTS", None)
    ran = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


def results(shown: str) -> list[str]:
    return re.findall(r"^(\S+ (?:PASSED|FAILED))", shown, re.MULTILINE)


@pytest.fixture
def service(tmp_path: Path) -> Path:
    files = {
        "pyproject.toml": f"{PYPROJECT}[tool.pytest.ini_options]\naddopts='--strict-markers'\nfilterwarnings='error'\n",
        "src/my_tools/__init__.py": "",
        "src/my_tools/config/service.yaml": "mcp:\n  bundleId: my-tools\n",
        "tests/test_own.py": OWN_TEST,
    }
    return write_files(tmp_path / "service", files)


def test_the_entry_point_names_the_plugin() -> None:
    document = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert document["project"]["entry-points"]["pytest11"] == {"axhub": PLUGIN}


def test_each_tool_of_a_good_service_is_an_item_that_passes(tmp_path: Path) -> None:
    root = copy_sample(tmp_path)
    write_files(root, {"tests/test_own.py": OWN_TEST})
    code, shown = run_pytest(root, "-v")
    assert code == 0, shown
    items = [line for line in results(shown) if line.startswith("pyproject.toml")]
    assert "pyproject.toml::axhub[cmm_claim_search] PASSED" in items
    assert items[-1] == "pyproject.toml::axhub[service] PASSED"
    assert "tests/test_own.py::test_of_its_own PASSED" in results(shown)


def test_a_finding_fails_its_item_with_the_text_of_the_check_and_without_a_stack_trace(service: Path) -> None:
    write_files(service, {"src/my_tools/app.py": "# axhub: allow TK612\n"})
    code, shown = run_pytest(service, "-v")
    assert code == 1
    assert results(shown) == ["tests/test_own.py::test_of_its_own PASSED", "pyproject.toml::axhub[service] FAILED"]
    assert "\nsrc/my_tools/app.py:1:1: error TK003: This comment allows TK612 without a reason.\n    fix: Say" in shown
    assert "Traceback" not in shown
    assert "runtest" not in shown
    assert "오류 TK003: 이 주석은 TK612를 이유 없이 허용합니다." in run_pytest(service, lang="ko_KR.UTF-8")[1]


def test_a_warning_passes_and_is_shown_on_request(service: Path) -> None:
    write_files(service, {"src/my_tools/app.py": "# axhub: allow TK612 -- it was here\n"})
    code, shown = run_pytest(service, "-v", "-rP")
    assert code == 0, shown
    assert "src/my_tools/app.py:1:1: warning TK004: This comment allows TK612" in shown


def test_a_project_that_cannot_be_read_fails_with_the_reason(service: Path) -> None:
    write_files(service, {"pyproject.toml": f"{PYPROJECT}colour = 1\n"})
    code, shown = run_pytest(service)
    assert code == 1
    place = f"{service.resolve() / 'pyproject.toml'}:{len(PYPROJECT.splitlines()) + 1}"
    known = "known are categories, owners, package, workspace"
    assert f'\n{place}: unknown key "colour" in [tool.axhub]; {known}\n' in shown
    known = "쓸 수 있는 키: categories, owners, package, workspace"
    korean = run_pytest(service, lang="ko_KR.UTF-8")[1]
    assert f'\n{place}: [tool.axhub]에 "colour" 키가 없습니다. {known}\n' in korean


@pytest.mark.parametrize("words", [["tests/test_own.py"], ["-k", "own"], ["-m", "not axhub"]])
def test_it_is_left_out_when_other_tests_are_asked_for(service: Path, words: list[str]) -> None:
    code, shown = run_pytest(service, "-v", *words)
    assert (code, results(shown)) == (0, ["tests/test_own.py::test_of_its_own PASSED"])


def test_it_can_be_asked_for_alone(service: Path) -> None:
    code, shown = run_pytest(service, "-v", "-m", "axhub")
    assert (code, results(shown)) == (0, ["pyproject.toml::axhub[service] PASSED"])


@pytest.mark.parametrize("pyproject", ['[project]\nname = "x"\n', None])
def test_elsewhere_it_adds_nothing_and_loads_nothing_of_the_toolkit(tmp_path: Path, pyproject: str | None) -> None:
    text = "import sys\n\ndef test_it():\n    assert not {'axhub.toolkit', 'pydantic', 'yaml'} & set(sys.modules)\n"
    files = {} if pyproject is None else {"pyproject.toml": pyproject}
    write_files(tmp_path, {"test_it.py": text, "pytest.ini": "[pytest]\n", **files})
    code, shown = run_pytest(tmp_path, "-v")
    assert (code, results(shown)) == (0, ["test_it.py::test_it PASSED"]), shown
