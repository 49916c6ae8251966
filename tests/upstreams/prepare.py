"""Installs the MCP servers and the client that these tests talk to: fastmcp into .venv/upstreams, Node's beside node/.

`python tests/upstreams/prepare.py` (`make upstreams`): plain pip from hash-pinned requirements, and `npm ci`. Exit code
1 if something cannot be had. The tests of what is missing are skipped, or fail under AXHUB_REQUIRE_SERVERS=1.
"""

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.conformance import npm

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NODE = HERE / "node"
PYTHON = ROOT / ".venv" / "upstreams"
REQUIREMENTS = ROOT / "requirements" / "upstreams.txt"
STAMP = PYTHON / "installed"


def has_python() -> bool:
    """Tell whether exactly the requirements of now are installed."""
    return STAMP.exists() and STAMP.read_text(encoding="utf-8") == _digest()


def has_node() -> bool:
    """Tell whether exactly the npm packages of now are installed."""
    return npm.is_installed(NODE)


def _digest() -> str:
    return hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()


def _install_python() -> None:
    if has_python():
        return
    sys.stdout.write(f"installing {REQUIREMENTS.relative_to(ROOT)} into {PYTHON.relative_to(ROOT)}\n")
    venv.create(PYTHON, with_pip=True, clear=True)
    pip = [str(PYTHON / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "--requirement", str(REQUIREMENTS)], check=True)
    STAMP.write_text(_digest(), encoding="utf-8")


def main() -> int:
    """Install what is missing; return the exit code."""
    try:
        _install_python()
        npm.install(NODE, "the MCP servers of Node")
    except (OSError, subprocess.CalledProcessError, npm.CannotInstall) as reason:
        sys.stderr.write(f"{reason}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
