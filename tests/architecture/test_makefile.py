"""The two commands work, or say in one sentence why not."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support import tree


def _make(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_make_alone_lists_each_command_in_one_line() -> None:
    targets = re.findall(r"^([a-z]+):.*## ", (tree.ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert [line.split()[1] for line in _make(tree.ROOT).splitlines()] == targets


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
    shown = _make(tmp_path, "run", "PYTHON=./python").splitlines()
    assert shown[0] == sentence
    assert not (tmp_path / ".venv").exists()


def test_continuous_integration_runs_the_three_commands_and_requires_every_program() -> None:
    script = (tree.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^make \w+$", script, re.MULTILINE) == ["make check", "make test", "make conformance"]
    assert "export AXHUB_REQUIRE_SERVERS=1" in script
    assert "set -euo pipefail" in script
