"""The order service keeps to its layers, and its own tests pass, on SQLite and on PostgreSQL."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from support import postgres, tree
from support.author import run

PROJECT: Final = tree.ROOT / "examples" / "order_service"
SECONDS: Final = 280.0
"""For its own tests, which take half a minute on two cores, and on busy ones several times that."""
BREACHES: Final = {
    "order-layers": {"ports/planted.py": "import order_service.usecases.results"},
    "order-core": {"domain/planted.py": "import axhub.agent"},
    "order-adapters-apart": {"adapters/http/planted.py": "import order_service.adapters.ai.tools"},
    "order-transactions": {"adapters/ai/planted.py": "import order_service.usecases.changing"},
}
"""Contract id → files to plant below the package; the smallest breach that breaks this contract and no other."""


@pytest.mark.timeout(300)
@pytest.mark.req("agent/A2", "agent/A11", "agent/L8")
@pytest.mark.parametrize("kind", ["sqlite", "not sqlite and not postgresql"])
def test_its_own_tests_pass(kind: str) -> None:
    words = ("pytest", "-q", "--strict-config", "-W", "error", "-k", kind)
    ran = run(PROJECT, *words, seconds=SECONDS, PYTHONPATH=_path())
    assert ran.returncode == 0, ran.stdout


@pytest.mark.timeout(300)
@postgres.NEEDED
@pytest.mark.req("agent/I1", "agent/I2", "agent/L8")
@pytest.mark.parametrize(
    "part", ["test_transactions", "test_payouts", "test_chat", "not (test_transactions or test_payouts or test_chat)"]
)
def test_its_own_tests_pass_on_postgresql(part: str) -> None:
    words = ("pytest", "-q", "--strict-config", "-W", "error", "-k", f"postgresql and {part}")
    ran = run(PROJECT, *words, seconds=SECONDS, PYTHONPATH=_path(), ORDERS_TEST_POSTGRES=postgres.shared().url())
    assert (ran.returncode, "skipped" in ran.stdout) == (0, False), ran.stdout


def _contracts() -> dict[str, str]:
    """Return the names of the import contracts by id."""
    document = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["id"]: contract["name"] for contract in document["tool"]["importlinter"]["contracts"]}


def _broken(folder: Path, planted: dict[str, str]) -> set[str]:
    """Copy the project into `folder`, plant the files, and return the names of the contracts that are then broken."""
    left_out = shutil.ignore_patterns("__pycache__", "tests")
    copied = shutil.copytree(PROJECT, folder / "order_service", ignore=left_out)
    for name, text in planted.items():
        (copied / "src" / "order_service" / name).write_text(text + "\n", encoding="utf-8")
    wide = {**os.environ, "COLUMNS": "200", "PYTHONPATH": f"{copied / 'src'}{os.pathsep}{tree.ROOT / 'src'}"}
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=copied, env=wide, capture_output=True, text=True, check=False)
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^(.+?) *BROKEN", done.stdout, re.MULTILINE))


@pytest.mark.req("agent/A3")
def test_it_keeps_to_its_layers(tmp_path: Path) -> None:
    assert set(_contracts()) == set(BREACHES)
    assert _broken(tmp_path, {}) == set()


@pytest.mark.req("agent/A3", "agent/L8")
@pytest.mark.parametrize("contract", BREACHES)
def test_a_planted_breach_breaks_exactly_its_contract(contract: str, tmp_path: Path) -> None:
    assert _broken(tmp_path, BREACHES[contract]) == {_contracts()[contract]}


def _path() -> str:
    """Return where the library is, for a clone in which it is not installed."""
    return str(tree.ROOT / "src")
