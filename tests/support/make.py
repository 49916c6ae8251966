"""Runs make as a person would, also when the tests themselves were started by make."""

import os
import subprocess
from pathlib import Path


def make(folder: Path, *arguments: str) -> str:
    """Return what `make` prints in a folder, errors included."""
    return make_with_code(folder, *arguments)[0]


def make_with_code(folder: Path, *arguments: str) -> tuple[str, int]:
    """Return what `make` prints in a folder, errors included, and its exit code."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", *arguments]
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False, timeout=30)
    return done.stdout + done.stderr, done.returncode
