"""The marker `needs`: skipped with the reason where a program is missing, failed where all must be there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import needs, tree

SUITE = """
import pytest

@pytest.mark.needs("a-program-that-is-nowhere")
def test_one() -> None: ...

@pytest.mark.needs("sh")
def test_two() -> None: ...
"""


def _run(folder: Path, **environ: str) -> str:
    """Run a suite of two tests under the project's own conftest, in a process of its own."""
    (folder / "test_sample.py").write_text(SUITE, encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if name != needs.REQUIRE}
    command = [sys.executable, "-m", "pytest", "-q", "-rsf", "-p", "no:cacheprovider", "-p", "conftest"]
    options = [f"--rootdir={folder}", f"--config-file={tree.ROOT / 'pyproject.toml'}", str(folder)]
    path = os.pathsep.join(str(tree.ROOT / name) for name in ("tests", "src"))
    done = subprocess.run(
        command + options,
        cwd=folder,
        env=clean | {"PYTHONPATH": path} | environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_a_test_whose_program_is_missing_is_skipped_with_the_reason(tmp_path: Path) -> None:
    shown = _run(tmp_path)
    assert "1 passed, 1 skipped" in shown
    assert "not on this machine: a-program-that-is-nowhere" in shown


def test_where_all_programs_must_be_there_it_fails_before_it_starts(tmp_path: Path) -> None:
    shown = _run(tmp_path, AXHUB_REQUIRE_SERVERS="1")
    assert "1 passed, 1 error" in shown
    assert "not on this machine: a-program-that-is-nowhere (AXHUB_REQUIRE_SERVERS=1)" in shown


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ([], None),
        (["sh"], None),
        (["sh", "lost"], "not on this machine: lost"),
        (["lost", "gone"], "not on this machine: lost, gone"),
    ],
)
def test_all_missing_programs_are_named_at_once(wanted: list[str], sentence: str | None) -> None:
    assert needs.missing_programs(wanted, lambda name: "/bin/sh" if name == "sh" else None) == sentence
