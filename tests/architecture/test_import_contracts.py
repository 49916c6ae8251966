"""Each import contract of pyproject.toml catches what it is for: a breach planted in a copy breaks that contract.

The real package is checked by `lint-imports` in `make check`.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from support import tree

BREACHES: Final = {
    "parts": {"gateway/config/planted.py": "import axhub.toolkit"},
    "gateway-layers": {"gateway/adapters/planted.py": "import axhub.gateway.config"},
    "pure-core": {"contract/planted.py": "import socket"},
    "agent-layers": {"agent/adapters/planted.py": "import axhub.agent.config"},
    "toolkit-layers": {"toolkit/config/planted.py": "import axhub.toolkit.published"},
    "pure-rules": {"toolkit/rules/planted.py": "import socket"},
    "adapters-apart": {
        "gateway/adapters/planted.py": "from axhub.gateway.adapters import planted_too",
        "gateway/adapters/planted_too.py": "",
    },
    "wiring": {"cli/planted.py": "import axhub.gateway.adapters"},
    "no-examples": {"cli/planted.py": "import insurance_tools"},
    "no-cycles": {
        "contract/planted.py": "from axhub.contract import planted_too",
        "contract/planted_too.py": "from axhub.contract import planted",
    },
}
"""Contract id → files to plant below src/axhub; the smallest breach that breaks this contract and no other."""


def _configuration() -> dict[str, dict[str, object]]:
    """Return the import contracts of pyproject.toml by id."""
    document = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["id"]: contract for contract in document["tool"]["importlinter"]["contracts"]}


def _broken(folder: Path, planted: dict[str, str]) -> set[str]:
    """Copy the package into `folder`, plant the files, and return the names of the contracts that are then broken."""
    package = folder / "axhub"
    shutil.copytree(tree.ROOT / "src" / "axhub", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(tree.ROOT / "pyproject.toml", folder)
    for name, text in planted.items():
        (package / name).write_text(text + "\n", encoding="utf-8")
    program = Path(sys.executable).with_name("lint-imports")
    wide = {**os.environ, "COLUMNS": "200"}  # else a long name is wrapped
    done = subprocess.run([program, "--no-cache"], cwd=folder, env=wide, capture_output=True, text=True, check=False)
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^(.+?) *BROKEN", done.stdout, re.MULTILINE))


@pytest.fixture(scope="module")
def broken_before(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return what is broken without a planted breach: nothing, unless `make check` says so itself."""
    return _broken(tmp_path_factory.mktemp("unplanted"), {})


def test_every_contract_has_a_planted_breach() -> None:
    assert set(_configuration()) == set(BREACHES)


@pytest.mark.parametrize("contract", BREACHES)
def test_a_planted_breach_breaks_exactly_its_contract(contract: str, tmp_path: Path, broken_before: set[str]) -> None:
    name = _configuration()[contract]["name"]
    assert _broken(tmp_path, BREACHES[contract]) - broken_before == {name}


@pytest.mark.parametrize(
    ("place", "above"), [("configuration", "toolkit"), ("configuration", "cli"), ("contract", "configuration")]
)
def test_the_shared_configuration_stands_between_the_parts_and_the_contract(
    place: str, above: str, tmp_path: Path
) -> None:
    # A cycle may be broken besides: what stands above imports what it should not be imported by.
    assert _configuration()["parts"]["name"] in _broken(tmp_path, {f"{place}/planted.py": f"import axhub.{above}"})


@pytest.mark.parametrize(
    "layer", ["agent/domain", "agent/ports", "agent/usecases", "contract", "gateway/domain", "gateway/usecases"]
)
def test_the_pure_core_contract_covers_every_inner_layer_and_breaks_nothing_else(
    layer: str, tmp_path: Path, broken_before: set[str]
) -> None:
    contract = _configuration()["pure-core"]
    forbidden = contract["forbidden_modules"]
    assert isinstance(forbidden, list)
    imports = "\n".join(f"import {module}" for module in forbidden)
    assert _broken(tmp_path, {f"{layer}/planted.py": imports}) - broken_before == {contract["name"]}


def test_every_example_is_named_by_the_contract_that_keeps_them_out() -> None:
    examples = {entry.stem for entry in (tree.ROOT / "examples").iterdir() if entry.name[0].isalpha()}
    named = _configuration()["no-examples"]["forbidden_modules"]
    assert isinstance(named, list)
    assert examples <= set(named)
