"""The two commands work, or say in one sentence why not."""

import re
import shutil
from pathlib import Path

import pytest

from support import tree
from support.make import make, make_with_code


def test_make_alone_lists_each_command_in_one_line() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (tree.ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert [line.split()[1] for line in make(tree.ROOT).splitlines()] == targets


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        (
            "Python 3.9.2",
            "axhub needs Python 3.11 or later, and ./python is Python 3.9.2: name another one with make PYTHON=...",
        ),
        (None, "axhub needs Python 3.11 or later, and there is no ./python here."),
    ],
)
def test_a_python_that_is_too_old_or_missing_is_named_in_one_sentence(
    tmp_path: Path, version: str | None, sentence: str
) -> None:
    shutil.copy(tree.ROOT / "Makefile", tmp_path)
    shutil.copy(tree.ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(tree.ROOT / "requirements", tmp_path / "requirements")
    if version is not None:
        script = tmp_path / "python"
        script.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" || exit 1\n', encoding="utf-8")
        script.chmod(0o755)
    shown = make(tmp_path, "run", "PYTHON=./python").splitlines()
    assert shown[0] == sentence
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(("linted", "formatted", "code"), [(0, 0, 0), (1, 0, 2), (0, 1, 2), (1, 1, 2)])
def test_fix_formats_in_any_case_and_fails_if_either_step_does(
    tmp_path: Path, linted: int, formatted: int, code: int
) -> None:
    (tmp_path / "Makefile").write_text((tree.ROOT / "Makefile").read_text(encoding="utf-8"), encoding="utf-8")
    for needed in ("pyproject.toml", "requirements/dev.txt", ".venv/.dev-synced", ".venv/bin/pip"):
        (tmp_path / needed).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / needed).touch()
    (tmp_path / ".venv" / ".dev-synced").touch()
    ruff = tmp_path / ".venv" / "bin" / "ruff"
    ruff.write_text(f'#!/bin/sh\necho "$1"\n[ "$1" = check ] && exit {linted}\nexit {formatted}\n', encoding="utf-8")
    ruff.chmod(0o755)
    shown, found = make_with_code(tmp_path, "fix")
    assert shown.splitlines()[:2] == ["check", "format"]
    assert found == code


def test_no_recipe_goes_on_after_a_command_as_if_nothing_had_failed() -> None:
    text = (tree.ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"^\t@?(?:-(?!-)|[^#\n]*\s;\s*\$\(bin\)).*", text, re.MULTILINE) == []


def test_continuous_integration_runs_its_commands_and_requires_every_program() -> None:
    script = (tree.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = ["make upstreams", "make check", "make test", "make conformance"]
    assert re.findall(r"^make \w+$", script, re.MULTILINE) == commands
    assert "export AXHUB_REQUIRE_SERVERS=1" in script
    assert "set -euo pipefail" in script
