"""An author of tools at work: runs programs in a Tool Service's folder, in an environment that knows nothing of us."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

_PLUGIN: Final = "axhub.cli.pytest_plugin"
_OURS: Final = ("AXHUB_", "PYTEST_", "LC_", "LANG")


def environ(language: str = "C.UTF-8") -> dict[str, str]:
    """Return the environment: our programs first, a language, and the pytest plugin as an installed axhub brings it."""
    theirs = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    installed = any(found.value == _PLUGIN for found in entry_points(group="pytest11"))
    options = "-p no:cacheprovider" if installed else f"-p no:cacheprovider -p {_PLUGIN}"
    return {**theirs, "PATH": path, "LANG": language, "PYTEST_ADDOPTS": options, "NO_COLOR": "1", "COLUMNS": "100"}


def run(
    folder: Path, *words: str, language: str = "C.UTF-8", seconds: float = 50, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Run a Python module as a program, with `more` in its environment; what it says on both streams is `stdout`.

    A test that gives it more `seconds` needs a `timeout` of its own that is longer still.
    """
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**environ(language), **more},
        check=False,
        timeout=seconds,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def axhub(folder: Path, *words: str) -> str:
    """Run a command of ours that has to go well, and return what it says."""
    ran = run(folder, "axhub.cli.main", *words)
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def contents(root: Path) -> dict[str, str]:
    """Return the text of each file of a project by its path, but for what Python leaves there."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
