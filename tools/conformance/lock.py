"""Writes package-lock.json anew from package.json, with hashes and without any address, so that any registry serves it.

Run it after a change of a package.json: `tools/conformance/lock.py [FOLDER…]`, by default for this folder and for the
servers of tests/upstreams. The locks are checked by `npm ci`.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDERS = (HERE, HERE.parent.parent / "tests" / "upstreams" / "node")
UNUSED = ("funding", "license", "resolved")
"""Members that npm does not need to install, and that name hosts or say nothing."""


def without_addresses(lock: dict[str, Any]) -> dict[str, Any]:
    """Return a lock document with the members that hold addresses left out."""
    packages = {
        path: {key: value for key, value in package.items() if key not in UNUSED}
        for path, package in lock["packages"].items()
    }
    return {**lock, "packages": packages}


def write_lock(npm: str, folder: Path) -> bool:
    """Let npm write the lock of a folder, then take the addresses out of it; tell whether none is left."""
    flags = ["--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
    subprocess.run([npm, "install", *flags], cwd=folder, check=True)
    file = folder / "package-lock.json"
    text = json.dumps(without_addresses(json.loads(file.read_text(encoding="utf-8"))), indent=2)
    if "://" in text:
        print(f"{file} still names an address", file=sys.stderr)
        return False
    file.write_text(text + "\n", encoding="utf-8")
    return True


def main() -> int:
    """Write the locks of the folders that are asked for; return the exit code."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not installed (Debian package: npm).", file=sys.stderr)
        return 2
    folders = [Path(folder) for folder in sys.argv[1:]] or FOLDERS
    written = [write_lock(npm, folder) for folder in folders]
    return 0 if all(written) else 1


if __name__ == "__main__":
    sys.exit(main())
