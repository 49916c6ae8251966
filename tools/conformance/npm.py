"""Installs pinned npm packages and the Node that is pinned beside them, from a lock that names no download address."""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

INSTALL_SECONDS = 600.0
STAMP = ".installed-lock.json"


class CannotInstall(Exception):  # noqa: N818 - a state of this machine that is reported, not a fault of ours
    """The packages cannot be had here; the message is one sentence for a person."""


def is_installed(folder: Path) -> bool:
    """Tell whether exactly the packages of a folder's lock are installed in it."""
    stamp, lock = folder / "node_modules" / STAMP, folder / "package-lock.json"
    return stamp.exists() and stamp.read_bytes() == lock.read_bytes()


def install(folder: Path, what: str) -> Path:
    """Install the packages of a folder's lock unless they are there; return the folder of the packages.

    Raises:
        CannotInstall: there is no npm, or it could not install `what`.
    """
    modules = folder / "node_modules"
    if is_installed(folder):
        return modules
    npm = shutil.which("npm")
    if npm is None:
        raise CannotInstall(f"{what} needs npm to be installed (Debian package: npm).")
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS)
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
        raise CannotInstall(f"npm could not install this: {what}. What it said stands above.")
    (modules / STAMP).write_bytes((folder / "package-lock.json").read_bytes())
    return modules


def node(modules: Path) -> str:
    """Return the Node that is pinned beside the packages, else the machine's.

    Raises:
        CannotInstall: there is none.
    """
    architecture = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "none")
    pinned = modules / f"node-linux-{architecture}" / "bin" / "node"
    found = str(pinned) if pinned.exists() else shutil.which("node")
    if found is None:
        raise CannotInstall("This needs Node 22 or later, and npm has none for this machine.")
    return found
